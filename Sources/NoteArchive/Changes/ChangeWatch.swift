import Glibc
import SQLite
import Synchronization

/// Has live results look at the archive after each commit, of this process or another.
///
/// It all happens on one thread, which is there while there are live results: apart from the tasks
/// of the program, which an import may keep busy for long, and never under a lock of the writer.
///
/// Other processes are noticed by inotify and `PRAGMA data_version`, which costs 3 µs. inotify tells
/// of a write before the commit can be seen, and of nothing after it, so that one event in a hundred
/// is too early: we look again 2, 10 and 50 ms later, and 250 ms after that in any case.
final class ChangeWatch: Sendable {
  /// Looks at the archive, and says whether to do so again without a commit: it was locked, say.
  typealias Look = @Sendable () -> Bool

  private let folder: String
  private let openReader: @Sendable () throws(DatabaseError) -> Database
  private let state = Mutex(State())

  private struct State {
    var looks: [ObjectIdentifier: Look] = [:]
    var wakeup: Wakeup?  // Of the thread; nil while there is none.
  }

  init(folder: String, open: @escaping @Sendable () throws(DatabaseError) -> Database) {
    (self.folder, openReader) = (folder, open)
  }

  /// Calls `look` soon and after each commit, until `remove`; `owner` may not be held by it.
  func add(_ owner: AnyObject, look: @escaping Look) {
    state.withLock { state in
      state.looks[ObjectIdentifier(owner)] = look
      if let wakeup = state.wakeup { return wakeup.signal() }
      let wakeup = Wakeup()
      wakeup.signal()
      state.wakeup = wakeup
      Self.startThread { self.run(wakeup) }
    }
  }

  /// Calls nothing for `owner` any more, once a call that has begun is over.
  func remove(_ owner: AnyObject) {
    state.withLock { state in
      state.looks[ObjectIdentifier(owner)] = nil
      guard state.looks.isEmpty else { return }
      state.wakeup?.signal(isOver: true)
      state.wakeup = nil
    }
  }

  /// Whether the thread is there.
  var isWatching: Bool { state.withLock { $0.wakeup != nil } }

  /// Has all look soon: something may have changed.
  func look() { state.withLock { $0.wakeup }?.signal() }

  /// Milliseconds to wait between the looks after an event, on top of the rest after each.
  private static let delays: [Int32] = [0, 8, 40]
  /// Milliseconds between looks when nothing happens; less where there is no inotify.
  private static let idleDelays: (withEvents: Int32, without: Int32) = (250, 25)

  private func run(_ wakeup: Wakeup) {
    let events = FolderEvents(of: folder)
    let idle = events.descriptor >= 0 ? Self.idleDelays.withEvents : Self.idleDelays.without
    var connection: Database?
    var version: Int?
    var wantsLook = false
    var delays: ArraySlice<Int32> = []
    while true {
      wakeup.wait(orFor: events.descriptor, milliseconds: delays.popFirst() ?? idle)
      let (isSignalled, isOver) = wakeup.take()
      if isOver { return }
      if events.take() || isSignalled { delays = Self.delays[...] }

      // The version comes first: what is committed after it is seen now or by the next look.
      let start = ContinuousClock.now
      if connection == nil { connection = try? openReader() }
      let newVersion = connection.flatMap { try? $0.withConnection(Self.dataVersion) }
      if isSignalled || wantsLook || newVersion == nil || newVersion != version {
        version = newVersion
        wantsLook = false
        for look in state.withLock({ Array($0.looks.values) }) where look() { wantsLook = true }
      }
      // A busy writer makes an event for each page: rest for as long as looking took, at least 2 ms.
      let rest = max(ContinuousClock.now - start, .milliseconds(2))
      if !delays.isEmpty { usleep(UInt32(min(rest / .microseconds(1), 1e6))) }
    }
  }

  private static func dataVersion(
    _ connection: inout Connection
  ) throws(DatabaseError) -> Int? {
    try connection.first("PRAGMA data_version") { $0.int(0) }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
    precondition(code == 0, "No thread can be started.")
    pthread_detach(thread)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
