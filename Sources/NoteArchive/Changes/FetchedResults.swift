public import Observation
public import QueryLanguage
import Synchronization

/// A list that stays live: the answer to a request, and a new one whenever it changes.
///
/// It changes when a commit, in this process or another, changes the answer, and when one of its
/// settings is set to another value; both in any order, on any thread. A commit that does not
/// change the answer goes unnoticed. Settings take effect soon, not at once: a snapshot says which
/// request it answers.
///
/// Follow it by `withObservationTracking`, as a view does, or with `for await` over `snapshots`. Both
/// are told on a thread of the archive's own, and never while its writer is held, so that they may
/// read and write themselves. Watching ends with the last reference.
///
/// All elements are held. For a list without a limit over very many notes take
/// `EntityDescription.noteReferences`: 16 bytes a note, and `Archive.notes(_:)` for those on screen.
/// A predicate with `now()` is asked again with the next change, not as time goes by.
public final class FetchedResults<Element: Sendable & Equatable>: Sendable, Observable {
  private let archive: Archive
  private let registrar = ObservationRegistrar()
  private let state: Mutex<State>

  private struct State {
    var request: FetchRequest<Element>
    var snapshot: FetchedSnapshot<Element>
    var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
    var subscriberCount = 0
  }

  /// Asks for the first snapshot, which is there on return, and follows the archive from then on.
  ///
  /// What is wrong with the request, or with the archive, is in the snapshot's `error`.
  public init(_ request: FetchRequest<Element>, in archive: Archive) {
    self.archive = archive
    state = Mutex(State(request: request, snapshot: FetchedSnapshot(before: request)))
    _ = look()
    archive.changes.add(self) { [weak self] in self?.look() ?? false }
  }

  deinit {
    archive.changes.remove(self)
    for subscriber in state.withLock({ $0.subscribers.values }) { subscriber.finish() }
  }

  // MARK: The answer

  /// The newest snapshot; its difference is from the one before.
  public var snapshot: FetchedSnapshot<Element> {
    registrar.access(self, keyPath: \.snapshot)
    return state.withLock { $0.snapshot }
  }

  /// The elements of the newest snapshot.
  public var elements: [Element] { snapshot.elements }

  /// What keeps the newest snapshot from being the answer to the request, or nil.
  public var error: ArchiveError? { snapshot.error }

  /// The snapshots, from the newest one on: each iteration by itself, ended by its task.
  ///
  /// Who is slow misses some, and gets the newest then; the difference is from the one that the same
  /// iteration gave before, and at first from the empty list. Iterating keeps the results alive.
  public var snapshots: Snapshots { Snapshots(results: self) }

  // MARK: The request

  /// All settings; set several of them together here.
  public var request: FetchRequest<Element> {
    get {
      registrar.access(self, keyPath: \.request)
      return state.withLock { $0.request }
    }
    set {
      guard state.withLock({ $0.request }) != newValue else { return }
      registrar.withMutation(of: self, keyPath: \.request) {
        state.withLock { $0.request = newValue }
      }
      archive.changes.look()
    }
  }

  /// What the records are.
  public var entity: EntityDescription<Element> {
    get { request.entity }
    set { request.entity = newValue }
  }
  /// What holds for the records.
  public var predicate: Query.Predicate {
    get { request.predicate }
    set { request.predicate = newValue }
  }
  /// The order of the records.
  public var sortDescriptors: [Query.SortDescriptor] {
    get { request.sortDescriptors }
    set { request.sortDescriptors = newValue }
  }
  /// The most records to give; nil for all.
  public var limit: Int? {
    get { request.limit }
    set { request.limit = newValue }
  }
  /// What the list is grouped by; nil for a list without sections.
  public var sectionKey: SectionKey? {
    get { request.sectionKey }
    set { request.sectionKey = newValue }
  }

  // MARK: Looking

  /// Brings the snapshot up to date, and says whether to try again without a commit.
  ///
  /// Called by `init`, then by one thread alone.
  private func look() -> Bool {
    let (request, old) = state.withLock { ($0.request, $0.snapshot) }
    let new: FetchedSnapshot<Element>
    do throws(ArchiveError) {
      let answer = try old.answer.next(to: request, in: archive)
      let isSame = old.error == nil && old.request == request && old.number > 0
      if isSame, answer.hasSameList(as: old.answer) {
        state.withLock { $0.snapshot.answer.position = answer.position }
        return false
      }
      new = old.followed(by: answer)
    } catch {
      if old.error != error || old.request != request {
        publish(old.followed(by: error, for: request))
      }
      return error.mayPass
    }
    publish(new)
    return false
  }

  private func publish(_ snapshot: FetchedSnapshot<Element>) {
    registrar.withMutation(of: self, keyPath: \.snapshot) {
      state.withLock { $0.snapshot = snapshot }
    }
    for subscriber in state.withLock({ $0.subscribers.values }) { subscriber.yield() }
  }

  fileprivate func subscribe() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        state.subscriberCount += 1
        state.subscribers[state.subscriberCount] = continuation
        return state.subscriberCount
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
      }
    }
  }

  /// The snapshot, whether or not somebody observes it.
  fileprivate var current: FetchedSnapshot<Element> { state.withLock { $0.snapshot } }
}

extension FetchedResults {
  /// The snapshots of live results, without end: each time, the newest.
  public struct Snapshots: AsyncSequence, Sendable {
    fileprivate let results: FetchedResults

    /// Begins with the newest snapshot.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(results) }

    /// One who follows.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private let results: FetchedResults
      private var signals: AsyncStream<Void>.AsyncIterator
      private var seen: FetchedSnapshot<Element>?

      fileprivate init(_ results: FetchedResults) {
        self.results = results
        signals = results.subscribe().makeAsyncIterator()
      }

      /// The newest snapshot, once there is one that was not given yet; nil when the task is
      /// cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> FetchedSnapshot<Element>? {
        while !Task.isCancelled {
          let current = results.current
          if current.number != seen?.number {
            let snapshot = current.following(seen)
            seen = current
            return snapshot
          }
          guard await signals.next(isolation: actor) != nil else { break }
        }
        return nil
      }
    }
  }
}

extension ArchiveError {
  /// Whether waiting may help; what is wrong with a request stays wrong.
  var mayPass: Bool {
    switch self {
    case .locked, .noSpace, .readOnly, .noArchive: true
    default: false
    }
  }
}
