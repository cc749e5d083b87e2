import NoteArchive
import Synchronization

/// Enters what was found into the archive, in order, and counts it.
///
/// Only one thread enters at a time; the lock is there so that the compiler knows.
final class ImportLedger: Sendable {
  private let job: ImportJob
  private let session: ImportSession?
  private let observer: @Sendable (ImportEvent) -> Void
  private let state: Mutex<State>

  private struct State {
    var report = ImportReport()
    var group: Group?
    /// What is still to be entered into the session; nothing that is stored waits here.
    var records: [ImportSession.Record] = []
    /// The contents of a dry run, which leaves no trace in the archive.
    var seen: Set<ContentDigest> = []
  }

  /// The photos of the note that is being put together.
  private struct Group {
    var number: Int
    var folder: FilePath?
    var items: ClosedRange<Int>
    var earliestFile: Moment
  }

  init(
    job: ImportJob, session: ImportSession?, observer: @escaping @Sendable (ImportEvent) -> Void
  ) {
    (self.job, self.session, self.observer) = (job, session, observer)
    state = Mutex(State())
    state.withLock { $0.report.session = session?.id }
  }

  func enter(_ examined: Examined) throws(ArchiveError) {
    try state.withLock { (state: inout State) throws(ArchiveError) in
      if let group = state.group, group.number != examined.candidate.group {
        try commit(&state)
      }
      state.report.found += 1
      let path = examined.candidate.found.path
      switch examined.finding {
      case .ignored(let kind):
        state.report.ignored += 1
        state.report.ignoredKinds[kind, default: 0] += 1
        observer(.ignored(path, kind: kind))
      case .failed(let failure):
        try fail(examined, failure, &state)
      case .photo(let photo):
        try enter(photo, examined, &state)
      }
    }
  }

  /// Commits the last note and gives the ledger.
  func close(isInterrupted: Bool, duration: Duration) throws(ArchiveError) -> ImportReport {
    try state.withLock { (state: inout State) throws(ArchiveError) in
      // An interrupted note waits: the same command, run again, makes it whole.
      let isWhole = !isInterrupted && !(job.requiresAll && state.report.failed > 0)
      if isWhole || job.grouping == .photo { try commit(&state) }
      try flush(&state)
      try session?.finish(
        ignored: state.report.ignored, duplicate: state.report.duplicate)
      state.report.isInterrupted = isInterrupted
      state.report.duration = duration
      return state.report
    }
  }

  private func enter(
    _ photo: ExaminedPhoto, _ examined: Examined, _ state: inout State
  ) throws(ArchiveError) {
    let path = examined.candidate.found.path
    let outcome: ImportOutcome
    do throws(ArchiveError) {
      outcome = try store(photo, examined, &state)
    } catch .sourceChanged {
      return try fail(
        examined,
        ImportFailure(
          .changed, "It changed while it was read.",
          remedy: "Import it again when nothing writes to it."), &state)
    }
    guard outcome == .imported else {
      state.report.duplicate += 1
      observer(.duplicate(path))
      return
    }
    let number = examined.candidate.number
    var group =
      state.group
      ?? Group(
        number: examined.candidate.group, folder: examined.candidate.found.folder,
        items: number...number, earliestFile: photo.modifiedAt)
    group.items = group.items.lowerBound...number
    if photo.modifiedAt.milliseconds < group.earliestFile.milliseconds {
      group.earliestFile = photo.modifiedAt
    }
    state.group = group
    state.report.imported += 1
    state.report.byteCount += photo.original.properties.byteSize
    observer(.imported(path, byteCount: photo.original.properties.byteSize))
    if photo.isUndecoded { state.report.undecoded += 1 }
    if photo.original.properties.damaged {
      state.report.damaged += 1
      observer(.damaged(path, detail: "A part of the picture is missing or broken."))
    }
  }

  private func store(
    _ photo: ExaminedPhoto, _ examined: Examined, _ state: inout State
  ) throws(ArchiveError) -> ImportOutcome {
    if photo.isInUse, !job.keepsDuplicates {
      try enter(.duplicate(item(examined), of: photo.original.digest), &state)
      return .duplicate
    }
    guard let session else {
      let isNew = state.seen.insert(photo.original.digest).inserted
      return isNew || job.keepsDuplicates ? .imported : .duplicate
    }
    return try session.store(
      photo.original, thumbnail: photo.thumbnail, of: item(examined),
      allowDuplicate: job.keepsDuplicates, fill: photo.fill())
  }

  private func fail(
    _ examined: Examined, _ failure: ImportFailure, _ state: inout State
  ) throws(ArchiveError) {
    try enter(
      .failure(item(examined), reason: failure.reason.rawValue, detail: failure.detail), &state)
    state.report.failed += 1
    observer(.failed(examined.candidate.found.path, failure))
  }

  private func enter(_ record: ImportSession.Record, _ state: inout State) throws(ArchiveError) {
    state.records.append(record)
    if state.records.count >= 500 { try flush(&state) }
  }

  private func flush(_ state: inout State) throws(ArchiveError) {
    try session?.enter(state.records)
    state.records.removeAll(keepingCapacity: true)
  }

  private func item(_ examined: Examined) -> ImportSession.Item {
    let path = examined.candidate.found.path
    return .init(
      number: examined.candidate.number, path: path.bytes, filename: path.lastComponent.text)
  }

  private func commit(_ state: inout State) throws(ArchiveError) {
    guard let group = state.group else { return }
    state.group = nil
    guard let session else {
      state.report.notes += job.existingNote == nil ? 1 : 0
      return
    }
    let capture = try session.earliestCapture(ofItems: group.items)
    let note = Note(
      text: job.text ?? name(of: group), memo: job.memo, label: job.label, tags: job.tags,
      favorite: job.favorite, moment: job.date ?? capture ?? group.earliestFile,
      dateSource: job.date != nil ? .given : capture != nil ? .exif : .mtime)
    _ = try session.commitNote(note, existing: job.existingNote, items: group.items)
    state.report.notes += job.existingNote == nil ? 1 : 0
  }

  private func name(of group: Group) -> String {
    guard job.grouping == .folder, let folder = group.folder else { return "" }
    return folder.absolute.lastComponent.text
  }
}

extension FolderWalk.Found {
  var path: FilePath {
    switch self {
    case .file(let path, _), .hiddenFolder(let path), .unreadable(let path, _): path
    }
  }

  var folder: FilePath? {
    if case .file(_, let folder) = self { folder } else { nil }
  }
}
