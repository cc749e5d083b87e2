import FoundationEssentials
import Glibc
import NoteArchive
import QueryLanguage
import TestSupport

/// Holds what random predicates mean in memory against what they select in an archive.
struct PredicateBenchmark {
  static let usage = "predicates [--notes N] [--predicates N] [--seed S]"

  private var noteCount = 100_000
  private var predicateCount = 75
  private var seed = 1

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      let number = rest.popFirst().flatMap { Int($0) }
      switch argument {
      case "--notes": noteCount = number ?? noteCount
      case "--predicates": predicateCount = number ?? predicateCount
      case "--seed": seed = number ?? seed
      default: print("usage: \(Self.usage)")
      }
    }
  }

  /// Ends the process with 1 where anything disagrees.
  func run() async throws {
    let folder = try TemporaryFolder()
    var maker = NoteMaker(random: SplitMix(seed: UInt64(truncatingIfNeeded: seed)))
    let archive = try archive(in: folder.path, &maker)
    var comparison = try EngineComparison(archive)
    var generator = maker.predicateGenerator()
    let orders = (0..<12).map { _ in maker.order() }

    var memory = Column(), scan = Column(), indexed = Column()
    var scanRatio = Column(), indexRatio = Column()
    var counts = (matches: 0, some: 0, indexed: 0, wrong: 0)
    for number in 0..<predicateCount {
      let depth = [0, 1, 2, 1, 2, 3][number % 6]
      let predicate = maker.predicate(from: &generator, depth: depth)
      let order = maker.pick(orders)
      let outcome = try await comparison.outcome(of: predicate, sortedBy: order)
      counts.matches += outcome.matches
      if 0 < outcome.matches, outcome.matches < noteCount { counts.some += 1 }
      memory.add(outcome.memory / .milliseconds(1))
      scan.add(outcome.scan / .milliseconds(1))
      scanRatio.add(outcome.memory / outcome.scan)
      if let search = outcome.search {
        counts.indexed += 1
        indexed.add(search / .milliseconds(1))
        indexRatio.add(outcome.memory / search)
      }
      if !outcome.disagreements.isEmpty {
        counts.wrong += 1
        let keys = order.map {
          "\(Query.Expression.path($0.path).format) \($0.ascending ? "asc" : "desc")"
        }
        print("DISAGREEMENT on \(predicate.format)\n  sorted by \(keys)")
        for text in outcome.disagreements { print("  \(text)") }
      }
    }

    print("predicates compared         \(predicateCount), seed \(seed)")
    print("  select some, not all      \(counts.some)")
    print("  asked the search index    \(counts.indexed)")
    print("notes asked about           \(predicateCount * comparison.noteCount)")
    print("rows selected and compared  \(counts.matches)")
    print("disagreements               \(counts.wrong)\n")
    memory.print("in memory")
    scan.print("in SQL, by a look at each note")
    scanRatio.print("memory : SQL by a look at each", unit: "times")
    if counts.indexed > 0 {
      indexed.print("in SQL, where the index was asked")
      indexRatio.print("memory : SQL with the index", unit: "times")
    }
    if counts.wrong > 0 { exit(1) }
  }

  private func archive(in path: String, _ maker: inout NoteMaker) throws -> Archive {
    let archive = try Archive.openOrCreate(at: path + "/archive")
    let start = ContinuousClock.now
    let originals = try maker.addOriginals(200, to: archive)
    for start in stride(from: 0, to: noteCount, by: 5000) {
      try archive.save(
        (start..<min(noteCount, start + 5000)).map { _ in maker.note(photos: originals) })
    }
    let duration = ContinuousClock.now - start
    print("made \(noteCount) notes in \(rounded(duration / .seconds(1))) s")
    return archive
  }
}
