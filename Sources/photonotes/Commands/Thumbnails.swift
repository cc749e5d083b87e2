import ArchiveJobs
import NoteArchive
import Synchronization
import Terminal

/// Looks after the thumbnails.
struct Thumbnails: CommandFamily, Equatable {
  typealias Context = Session
  static let name = "thumbnails"
  static let summary = "Count thumbnails, or make them anew"
  static let subcommands: [any Command<Session>.Type] = [Status.self, Rebuild.self]

  /// Counts the thumbnails.
  struct Status: Command, Equatable {
    var filter = Filter()

    static let name = "status"
    static let summary = "Count thumbnails"
    static let options: [Option<Self>] = Filter.options.at(\.filter, heading: "Filters")

    func run(in session: Session) async throws -> ExitStatus {
      let archive = try session.archive()
      let settings = try ThumbnailSettings.current(of: archive)
      let status = try archive.thumbnailStatus(
        NoteQuery(try filter.predicate()), against: settings.storedRecipe)
      if session.isJSON {
        session.console.print([
          "type": "summary", "current": JSONValue(status.current),
          "stale": JSONValue(status.stale), "missing": JSONValue(status.missing),
          "failed": JSONValue(status.failed), "size": JSONValue(settings.longestEdge),
          "quality": JSONValue(settings.quality), "mode": .string(settings.mode.rawValue),
        ])
      } else {
        var table = Table([.init("state"), .init("thumbnails", .trailing)])
        table.append(["current", String(status.current)])
        table.append(["stale", String(status.stale)])
        table.append(["missing", String(status.missing)])
        table.append(["failed", String(status.failed)])
        session.console.print(table)
        session.console.notice(
          "At most \(settings.longestEdge) pixels, quality \(settings.quality), "
            + "\(settings.mode.rawValue).")
      }
      return .success
    }
  }

  /// Makes thumbnails anew.
  struct Rebuild: Command, Equatable {
    var filter = Filter()
    var isStale = false
    var isMissing = false
    var isFailed = false
    var isAll = false
    var size: Int?
    var quality: Int?
    var mode: ThumbnailSettings.Mode?
    var maxItems: Int?
    var maxTime: Duration?
    var jobs = Workers.coreCount

    static let name = "rebuild"
    static let summary = "Make thumbnails from the originals"
    static let discussion = """
      Without a choice, what is missing or stale is made. “--size”, “--quality” and \
      “--quality-mode” hold for the whole archive from then on. Photos that this build can’t decode \
      wait for one that can: they are counted, and are no failure.
      """
    static let examples = [
      Example("photonotes thumbnails rebuild --all --size 320", "All anew, smaller"),
      Example("photonotes thumbnails rebuild --max-time 10m", "Some each night"),
    ]
    static let options: [Option<Self>] =
      Filter.options.at(\.filter, heading: "Filters") + [
        .flag("--missing", "Those that are not there", \.isMissing),
        .flag("--stale", "Those of another size, quality or version", \.isStale),
        .flag("--failed", "Those that failed the last time", \.isFailed),
        .flag("--all", "All of them", \.isAll),
        .integer("--size", "PIXELS", in: 16...4096, "Longest edge of each", \.size),
        .integer("--quality", "Q", in: 1...100, "JPEG quality", \.quality),
        .choice("--quality-mode", "MODE", "Speed, or exact averages", \.mode),
        .integer("--max-items", "N", in: 1 ... .max, "Make at most this many", \.maxItems),
        .value("--max-time", "TIME", "Stop after 90s, 10m or 2h", \.maxTime, read: Duration.read),
        .integer(
          "--jobs", "N", in: 1...256, "Photos worked on at a time (default: all cores)", \.jobs),
      ]

    func run(in session: Session) async throws -> ExitStatus {
      let archive = try session.archive()
      var job = ThumbnailJob()
      job.query = NoteQuery(try filter.predicate())
      job.needs = needs
      job.settings = try settings(of: archive)
      (job.maxItems, job.maxTime, job.workerCount) = (maxItems, maxTime, jobs)
      let meter = ProgressMeter("Making thumbnails", on: session.console)
      let waiting = Mutex<[String: Int]>([:])  // How many photos wait, by what helps.
      let report = try await job.run(
        on: archive, shouldStop: { Interruption.isRequested },
        observer: { event in
          switch event {
          case .planned(let count): meter.expect(total: count)
          case .made: meter.advance(items: 1)
          case .failed(let filename, let failure):
            meter.advance(items: 1, failures: 1)
            session.print(FilePath(filename), failure)
          case .undecoded(_, let failure):
            meter.advance(items: 1)
            waiting.withLock { $0[failure.remedy, default: 0] += 1 }
          }
        })
      meter.finish()
      for (remedy, count) in waiting.withLock({ $0.sorted { $0.key < $1.key } }) {
        session.console.notice("\(counted(count, "photo")) that this build can’t decode: \(remedy)")
      }
      session.printSummary(
        [
          "type": "summary", "made": JSONValue(report.made), "failed": JSONValue(report.failed),
          "left": JSONValue(report.left), "undecoded": JSONValue(report.undecoded),
          "seconds": JSONValue(report.duration / .seconds(1)),
        ],
        [
          "\(counted(report.made, "thumbnail")) made, \(report.failed) failed, "
            + "\(report.left) left"
            + (report.undecoded > 0 ? ", \(report.undecoded) waiting for another build" : "")
            + "; took \(report.duration.clockText)."
        ])
      if report.isInterrupted { return .interrupted }
      return report.failed > 0 ? .partial : .success
    }

    private var needs: ThumbnailNeed {
      if isAll { return [.missing, .stale, .failed, .current] }
      let chosen: ThumbnailNeed = [
        isMissing ? .missing : [], isStale ? .stale : [], isFailed ? .failed : [],
      ]
      return chosen.isEmpty ? [.missing, .stale] : chosen
    }

    private func settings(of archive: Archive) throws(ArchiveError) -> ThumbnailSettings? {
      if size == nil && quality == nil && mode == nil { return nil }
      var settings = try ThumbnailSettings.current(of: archive)
      settings.longestEdge = size ?? settings.longestEdge
      settings.quality = quality ?? settings.quality
      settings.mode = mode ?? settings.mode
      return settings
    }
  }
}

extension Duration {
  /// Reads `90s`, `10m` or `2h`.
  static func read(_ text: String) throws(InvalidValue) -> Duration {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), count > 0,
      count < 1_000_000
    else { throw InvalidValue(expected: "a time like 90s, 10m or 2h") }
    return .seconds(count * unit)
  }
}
