import Synchronization

/// How far a job has come, shown as it goes.
///
/// It is a bar on a terminal, a line a minute in a log, nothing when quiet. Any task may report to it.
package final class ProgressMeter: Sendable {
  private let console: Console
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  private struct State {
    var tally: ProgressTally
    let start: ContinuousClock.Instant
    var shown: ContinuousClock.Instant
  }

  /// Begins to measure.
  ///
  /// - Parameters:
  ///   - title: What is being done: “Importing”.
  ///   - total: The items to do, where that is known.
  ///   - console: Where it is shown.
  ///   - now: The clock.
  package init(
    _ title: String, total: Int? = nil, on console: Console,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.console = console
    self.now = now
    state = Mutex(State(tally: ProgressTally(title, total: total), start: now(), shown: now()))
  }

  /// The number of items, now that it is known.
  package func expect(total: Int) { state.withLock { $0.tally.total = total } }

  /// Counts work that is done.
  package func advance(items: Int = 1, bytes: Int64 = 0, failures: Int = 0) {
    if console.isQuiet { return }
    let line: String? = state.withLock { state in
      let instant = now()
      state.tally.advance(items: items, bytes: bytes, failures: failures, at: instant - state.start)
      // Ten times a second is smooth; more would cost a small job more than its work.
      let pause: Duration = console.errors.isTerminal ? .milliseconds(100) : .seconds(60)
      guard instant - state.shown >= pause else { return nil }
      state.shown = instant
      return state.tally.line(width: console.errors.isTerminal ? console.errors.width - 1 : nil)
    }
    guard let line else { return }
    if console.errors.isTerminal { console.draw(bar: line) } else { console.notice(line) }
  }

  /// Takes the bar away: the job's report comes next.
  package func finish() { if console.errors.isTerminal { console.draw(bar: "") } }
}

/// What a meter knows, and the line that says it.
struct ProgressTally {
  let title: String
  var total: Int?
  private(set) var items = 0
  private(set) var bytes: Int64 = 0
  private(set) var failures = 0
  private var elapsed = Duration.zero
  /// How far it was at some moments of the last while, oldest first: photos that are known already go
  /// by quickly, and would make what lies ahead look shorter than it is.
  private var samples: [(elapsed: Duration, items: Int, bytes: Int64)] = [(.zero, 0, 0)]

  init(_ title: String, total: Int?) { (self.title, self.total) = (title, total) }

  mutating func advance(items: Int, bytes: Int64, failures: Int, at elapsed: Duration) {
    self.items += items
    self.bytes += bytes
    self.failures += failures
    self.elapsed = elapsed
    if let last = samples.last, elapsed - last.elapsed >= .seconds(1) {
      samples.append((elapsed, self.items, self.bytes))
      if samples.count > 20 { samples.removeFirst() }
    }
  }

  /// Items and bytes a second, lately.
  private var rates: (items: Double, bytes: Double) {
    let since = samples[0]
    let seconds = max(0.001, (elapsed - since.elapsed) / .seconds(1))
    return (Double(items - since.items) / seconds, Double(bytes - since.bytes) / seconds)
  }

  /// The state in one line of at most `width` columns, with a bar where there is room; nil is a log.
  func line(width: Int?) -> String {
    var parts: [String] = [total.map { "\(items) of \($0)" } ?? "\(items)"]
    let rates = rates
    if bytes > 0 { parts.append(ByteCount(bytes).description) }
    if rates.items > 0 {
      parts.append(
        bytes > 0 ? "\(ByteCount(Int64(rates.bytes)))/s" : "\(threeDigits(rates.items)) a second")
      if let total, items < total {
        parts.append("\(Duration.seconds(Double(total - items) / rates.items).clockText) left")
      }
    }
    if failures > 0 { parts.append("\(failures) failed") }
    let text = parts.joined(separator: " · ")
    guard let width else { return "\(title): \(text)" }
    let room = min(20, width - displayWidth(title) - displayWidth(text) - 4)
    guard room >= 10, let total, total > 0 else { return truncated("\(title)  \(text)", to: width) }
    let filled = min(room, room * items / total)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    return "\(title)  \(bar)  \(text)"
  }
}
