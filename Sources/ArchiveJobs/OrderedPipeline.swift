import Dispatch
import Glibc

/// How wide jobs run.
public enum Workers {
  /// The cores that this process may use.
  public static let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// Runs `work` on up to `width` elements at a time, and hands each result to `consume` in the
/// order of the elements, one at a time, while work goes on.
///
/// At most three times `width` elements are under way or waiting, so memory does not grow with
/// their number. Ends early where `consume` throws, once what is under way has ended.
func forEachInOrder<Elements: Sequence, Output: Sendable>(
  _ elements: Elements, width: Int,
  work: @escaping @Sendable (Elements.Element) async -> Output,
  consume: @escaping @Sendable (Output) async throws -> Void
) async throws where Elements.Element: Sendable {
  try await withThrowingTaskGroup(of: Done<Output>.self) { group in
    var iterator = elements.makeIterator()
    var waiting: [Int: Output] = [:]
    var (started, running, consumed) = (0, 0, 0)
    var isConsuming = false
    while true {
      while running < width, started - consumed < 3 * width, let element = iterator.next() {
        let number = started
        group.addTask { .worked(number, await work(element)) }
        (started, running) = (started + 1, running + 1)
      }
      if !isConsuming, let output = waiting.removeValue(forKey: consumed) {
        isConsuming = true
        group.addTask {
          try await consume(output)
          return .consumed
        }
      }
      switch try await group.next() {
      case .worked(let number, let output):
        running -= 1
        waiting[number] = output
      case .consumed:
        isConsuming = false
        consumed += 1
      case nil: return
      }
    }
  }
}

private enum Done<Output: Sendable> {
  case worked(Int, Output)
  case consumed
}

/// The thread that waits for the disk: a wait on one of the few threads that Swift's tasks share
/// would leave a core without work.
struct DiskThread: Sendable {
  private let queue = DispatchQueue(label: "disk")

  /// Runs `body` after all that was handed over before, and gives what it returns.
  func run<Output: Sendable>(
    _ body: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
