import Foundation
import NoteArchive
import QueryLanguage
import Testing

/// What people do with a list that filters itself, each as its user would tell it.
@Suite(.timeLimit(.minutes(1))) struct StoryTests {
  /// “I type into the search field, tap the star, and turn the order around. However I combine them,
  /// the list shows what I asked for, and goes on to do so when I write another note.”
  @Test func `text, star and date order combine in all ways`() async throws {
    let home = try TestArchive()
    for (day, text) in ["Rain at last", "Sun", "Rain again", "Café in the RAIN", "Snow"]
      .enumerated()
    {
      try home.add(
        text, memo: day == 4 ? "no rain" : nil, favorite: day.isMultiple(of: 2), day: day + 1)
    }
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var screen = Follower(results)
    _ = await screen.next()

    let isRainy = { (note: Note) in note.text.lowercased().contains("rain") }
    let isNoted = { (note: Note) in note.memo?.contains("rain") ?? false }
    let filters: [(format: String, holds: (Note) -> Bool)] = [
      ("TRUEPREDICATE", { _ in true }),
      ("text CONTAINS[cd] %@", isRainy),
      ("favorite == YES", { $0.favorite }),
      ("text CONTAINS[cd] %@ AND favorite == YES", { isRainy($0) && $0.favorite }),
      ("text CONTAINS[cd] %@ OR favorite == YES", { isRainy($0) || $0.favorite }),
      (
        "favorite == YES AND (text CONTAINS[cd] %@ OR memo CONTAINS[cd] %@)",
        { $0.favorite && (isRainy($0) || isNoted($0)) }
      ),
      (
        "(favorite == NO AND text CONTAINS[cd] %@) OR memo CONTAINS[cd] %@",
        { (!$0.favorite && isRainy($0)) || isNoted($0) }
      ),
    ]
    var day = 6
    for (format, holds) in filters {
      let count = format.split(separator: "%@", omittingEmptySubsequences: false).count - 1
      let predicate = try Query.Predicate(
        format, arguments: Array(repeating: "rain", count: count), on: Catalog.note)
      for ascending in [true, false] {
        results.request = FetchRequest(
          where: predicate, sortedBy: [.init("date", ascending: ascending)])
        // The note comes in at about the same time as the filter.
        try home.add("Rain on day \(day)", favorite: true, day: day)
        day += 1
        let wanted = try home.archive.notes().filter(holds)
          .sorted { ascending ? $0.date < $1.date : $0.date > $1.date }
        #expect(!wanted.isEmpty)
        await screen.wait { $0 == wanted }
        #expect(results.elements == wanted)
      }
    }
  }

  /// “I write Swift. The same list takes `#Predicate` and `SortDescriptor`, and shows what the format
  /// shows, and what Foundation says of each note.”
  @Test func `text, star and date order combine in all ways in Swift too`() async throws {
    let home = try TestArchive()
    for (day, text) in ["Rain at last", "Sun", "Rain again", "Café in the RAIN", "Snow"]
      .enumerated()
    {
      try home.add(
        text, memo: day == 4 ? "no Rain" : nil, favorite: day.isMultiple(of: 2), day: day + 1)
    }
    let results = FetchedResults(FetchRequest(where: .constant(false)), in: home.archive)
    var screen = Follower(results)

    let word = "Rain"
    let filters: [(format: String, macro: Foundation.Predicate<Note>)] = [
      ("TRUEPREDICATE", #Predicate { _ in true }),
      ("text CONTAINS 'Rain'", #Predicate { $0.text.contains(word) }),
      ("favorite == YES", #Predicate { $0.favorite }),
      (
        "text CONTAINS 'Rain' AND favorite == YES",
        #Predicate { $0.text.contains(word) && $0.favorite }
      ),
      (
        "text CONTAINS 'Rain' OR favorite == YES",
        #Predicate { $0.text.contains(word) || $0.favorite }
      ),
      (
        "favorite == YES AND (text CONTAINS 'Rain' OR memo CONTAINS 'Rain')",
        #Predicate { $0.favorite && ($0.text.contains(word) || $0.memo?.contains(word) == true) }
      ),
      (
        "(favorite == NO AND text CONTAINS 'Rain') OR memo CONTAINS 'Rain'",
        #Predicate { !$0.favorite && $0.text.contains(word) || ($0.memo ?? "").contains(word) }
      ),
    ]
    var day = 6
    for (format, macro) in filters {
      for order in [SortOrder.forward, .reverse] {
        let descriptor = SortDescriptor(\Note.date, order: order)
        results.request = FetchRequest(
          where: try Query.Predicate(macro), sortedBy: [try Query.SortDescriptor(descriptor)])
        try home.add("Rain on day \(day)", favorite: true, day: day)
        day += 1
        let byFormat = NoteQuery(
          try notes(where: format), sortedBy: [.init("date", ascending: order == .forward)])
        let wanted = try home.archive.notes(byFormat)
        await screen.wait { $0 == wanted }
        let all = try home.archive.notes()
        #expect(try all.filter { try macro.evaluate($0) }.sorted(using: descriptor) == wanted)
      }
    }
  }

  /// “I pick a class, and see its students by number. When somebody changes class, the list of the
  /// class that I look at follows.”
  @Test func `a list follows the class that is picked`() async throws {
    let school = try TestArchive()
    try Student.prepare(school.archive)
    for student in Student.register { try student.save(in: school.archive) }
    let results = FetchedResults(
      FetchRequest(.students, sortedBy: [.init("number")]), in: school.archive)
    func pick(_ name: String) throws {
      results.predicate = try Query.Predicate(
        "class == %@", arguments: [.string(name)], on: Student.entity)
    }
    var screen = Follower(results)
    await screen.wait { $0.map(\.number) == [1, 2, 3, 4, 5, 6] }

    try pick("1A")
    await screen.wait { $0.map(\.name) == ["Aoi", "Chidi", "Åsa"] }
    try pick("2A")
    await screen.wait { $0.map(\.name) == ["Dana"] }

    var björn = Student.register[1]
    björn.schoolClass = "2A"
    try björn.save(in: school.archive)
    await screen.wait { $0.map(\.name) == ["Björn", "Dana"] }
    try pick("1B")
    await screen.wait { $0.map(\.name) == ["Emre"] }
    #expect(results.error == nil)
  }

  /// “While I look at one label, I register a memo: it is there at once. I look at another label and
  /// back: what was registered meanwhile is there as well.”
  @Test func `a list redraws when a memo is registered and when the label changes`() async throws {
    let home = try TestArchive()
    try home.add("Milk", label: "shop", day: 1)
    try home.add("Call back", label: "work", day: 2)
    let results = FetchedResults(FetchRequest(), in: home.archive)
    func look(at label: String?) {
      results.predicate = label.map { .equal("label", .string($0)) } ?? .constant(true)
    }
    var screen = Follower(results)
    await screen.wait { $0.map(\.text) == ["Call back", "Milk"] }

    look(at: "shop")
    await screen.wait { $0.map(\.text) == ["Milk"] }
    try home.add("Bread", memo: "rye", label: "shop", day: 3)
    await screen.wait { $0.map(\.text) == ["Bread", "Milk"] }

    look(at: "work")
    try home.add("Eggs", label: "shop", day: 4)
    try home.add("Report", label: "work", day: 5)
    await screen.wait { $0.map(\.text) == ["Report", "Call back"] }
    look(at: "shop")
    await screen.wait { $0.map(\.text) == ["Eggs", "Bread", "Milk"] }
    #expect(screen.elements[1].memo == "rye")
    look(at: nil)
    await screen.wait { $0.count == 5 }
  }

  /// “I have one list for everything, and give it what to show. I delete from it by swiping, and
  /// when I save a student whose number is there already, that student is updated.”
  @Test func `one generic list is used with every kind of filter`() async throws {
    let school = try TestArchive()
    try Student.prepare(school.archive)
    for student in Student.register { try student.save(in: school.archive) }
    let byNumber = try Query.SortDescriptor(SortDescriptor(\Student.number))
    var list = FilteredList(
      FetchRequest(.students, sortedBy: [byNumber]), in: school.archive)

    let formats: [(format: String?, arguments: [Query.Value], numbers: [Int])] = [
      (nil, [], [1, 2, 3, 4, 5, 6]),
      ("class == %@", ["1A"], [1, 3, 6]),
      ("class == '2A' OR club == 'choir'", [], [3, 4, 5]),
      ("absentDays > %d", [4], [3, 4, 6]),
      ("class IN %@", [["2A", "1B"]], [2, 4, 5]),
      ("name BEGINSWITH[cd] %@", ["a"], [1, 6]),
      ("%K == %@", ["club", "chess"], [1, 4]),
      ("club == nil", [], [2, 6]),
    ]
    for (format, arguments, numbers) in formats {
      try list.show(format, arguments)
      await list.screen.wait { $0.map(\.number) == numbers }
      #expect(list.screen.elements.map(\.number) == numbers, "\(format ?? "all")")
    }

    let (name, classes, initial) = ("1A", ["2A", "1B"], "A")
    let macros: [(macro: Foundation.Predicate<Student>, numbers: [Int])] = [
      (#Predicate { _ in true }, [1, 2, 3, 4, 5, 6]),
      (#Predicate { $0.schoolClass == name }, [1, 3, 6]),
      (#Predicate { $0.schoolClass == "2A" || $0.club == "choir" }, [3, 4, 5]),
      (#Predicate { $0.absentDays > 4 }, [3, 4, 6]),
      (#Predicate { classes.contains($0.schoolClass) }, [2, 4, 5]),
      (#Predicate { $0.name.starts(with: initial) }, [1]),
      (#Predicate { $0.club == nil }, [2, 6]),
    ]
    for (macro, numbers) in macros {
      list.results.predicate = try Query.Predicate(macro)
      await list.screen.wait { $0.map(\.number) == numbers }
      #expect(list.screen.elements.map(\.number) == numbers)
    }

    try list.show("class == %@", ["1A"])
    await list.screen.wait { $0.count == 3 }
    try list.screen.elements[1].delete(in: school.archive)
    await list.screen.wait { $0.map(\.number) == [1, 6] }

    var aoi = list.screen.elements[0]
    aoi.absentDays = 1
    try aoi.save(in: school.archive)
    await list.screen.wait { $0.first?.absentDays == 1 }
    #expect(list.screen.elements.map(\.number) == [1, 6])
    try list.show(nil, [])
    await list.screen.wait { $0.map(\.number) == [1, 2, 4, 5, 6] }
  }
}

/// A list of anything, which shows what it is given a format for.
private struct FilteredList<Element: Sendable & Equatable> {
  let results: FetchedResults<Element>
  var screen: Follower<Element>

  init(_ request: FetchRequest<Element>, in archive: Archive) {
    results = FetchedResults(request, in: archive)
    screen = Follower(results)
  }

  func show(_ format: String?, _ arguments: [Query.Value]) throws {
    results.predicate =
      try format.map {
        try Query.Predicate($0, arguments: arguments, on: results.entity.entity)
      } ?? .constant(true)
  }
}
