import FoundationEssentials
import NoteArchive
import Terminal

/// Deletes for good what is in the trash, and gives the space back.
struct CollectGarbage: Command, Equatable {
  var isNow = false
  var isRebuildingSearch = false
  var isConfirmed = false

  static let name = "gc"
  static let summary = "Free the space of what was deleted"
  static let discussion = """
    Notes that have been in the trash for more than 30 days are deleted for good, with the originals \
    that no other note has.
    """
  static let examples = [
    Example("photonotes gc --now", "All that is in the trash"),
    Example("photonotes gc --rebuild-search", "And make the search index anew"),
  ]
  static let options: [Option<Self>] = [
    .flag("--now", "All of the trash, however new", \.isNow),
    .flag("--rebuild-search", "Make the search index anew from the notes", \.isRebuildingSearch),
    .flag("--yes", "Don’t ask", \.isConfirmed).alias("-y"),
  ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    let cutoff = isNow ? Date.now : Date.now - 30 * 86_400
    let count = try archive.trashCount(deletedBefore: cutoff)
    if count > 0 {
      let question = "Delete \(counted(count, "note")) in the trash for good?"
      guard try session.console.confirm(question, assumingYes: isConfirmed) else {
        session.console.notice("Nothing was deleted.")
        return .failure
      }
    }
    let garbage = try archive.collectGarbage(
      deletedBefore: cutoff, shouldStop: { Interruption.isRequested })
    if isRebuildingSearch, !Interruption.isRequested {
      let meter = ProgressMeter("Indexing", on: session.console)
      let total = try archive.count() + archive.count(in: .trash)
      meter.expect(total: total)
      var done = 0
      try archive.rebuildSearchIndex { remaining in
        meter.advance(items: total - remaining - done)
        done = total - remaining
      }
      meter.finish()
    }
    session.printSummary(
      [
        "type": "summary", "notes": JSONValue(garbage.notes),
        "originals": JSONValue(garbage.originals), "bytes": JSONValue(garbage.byteCount),
      ],
      [
        "Deleted \(counted(garbage.notes, "note")) and "
          + "\(counted(garbage.originals, "original")) (\(ByteCount(garbage.byteCount))) for good."
      ])
    return Interruption.isRequested ? .interrupted : .success
  }
}
