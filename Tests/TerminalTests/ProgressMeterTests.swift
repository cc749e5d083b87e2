import Synchronization
import Terminal
import Testing

/// A clock that a test moves.
private final class HandClock: Sendable {
  private let instant = Mutex(ContinuousClock.now)
  @Sendable func now() -> ContinuousClock.Instant { instant.withLock { $0 } }
  func pass(_ span: Duration) { instant.withLock { $0 += span } }
}

@Suite struct ProgressMeterTests {
  private let clock = HandClock()
  private let err = Recording()

  private func console(isTerminal: Bool, width: Int = 100, isQuiet: Bool = false) -> Console {
    Console(
      output: Channel(recording: Recording()),
      errors: Channel(recording: err, isTerminal: isTerminal, width: width), isQuiet: isQuiet)
  }

  @Test func `a terminal has one line, drawn over at most ten times a second`() {
    let console = console(isTerminal: true)
    let meter = ProgressMeter("Importing", total: 200, on: console, now: clock.now)
    for _ in 0..<100 {
      clock.pass(.milliseconds(50))
      meter.advance(items: 1, bytes: 2_000_000)
    }
    meter.advance(failures: 2)
    let drawn = err.text.split(separator: "\r\u{1B}[K")
    #expect(drawn.count == 50)
    #expect(
      drawn.last
        == "Importing  ██████████░░░░░░░░░░  100 of 200 · 200 MB · 40 MB/s · 0:05 left"
    )
    console.warn("IMG_1.jpg is cut short.")
    #expect(err.text.hasSuffix("\r\u{1B}[Kwarning: IMG_1.jpg is cut short.\n" + drawn[49]))
    meter.finish()
    #expect(err.text.hasSuffix(drawn[49] + "\r\u{1B}[K"))
  }

  @Test func `a log has a line a minute`() {
    let meter = ProgressMeter("Importing", on: console(isTerminal: false), now: clock.now)
    meter.expect(total: 1000)
    for _ in 0..<150 {
      clock.pass(.seconds(1))
      meter.advance(failures: 0)
    }
    meter.finish()
    #expect(
      err.text == """
        Importing: 60 of 1000 · 1 a second · 15:40 left
        Importing: 120 of 1000 · 1 a second · 14:40 left

        """)
  }

  @Test func `a quiet run shows nothing`() {
    for isTerminal in [true, false] {
      let meter = ProgressMeter(
        "Importing", total: 3, on: console(isTerminal: isTerminal, isQuiet: true), now: clock.now)
      clock.pass(.seconds(100))
      meter.advance()
      meter.finish()
    }
    #expect(err.text == "")
  }

  @Test func `time left follows the pace of the last while`() {
    let meter = ProgressMeter(
      "Importing", total: 20_000, on: console(isTerminal: false), now: clock.now)
    meter.advance(items: 10_000)  // Known already, and skipped at once.
    for _ in 0..<60 {
      clock.pass(.seconds(1))
      meter.advance(items: 2, failures: 1)
    }
    #expect(
      err.text == "Importing: 10120 of 20000 · 2 a second · 1:22:20 left · 60 failed\n")
  }

  @Test(arguments: [20, 40, 60, 80])
  func `a narrow terminal is not wrapped`(width: Int) {
    let meter = ProgressMeter(
      "Importing", total: 300_000, on: console(isTerminal: true, width: width), now: clock.now)
    for _ in 0..<30 {
      clock.pass(.seconds(1))
      meter.advance(items: 1000, bytes: 3_456_000_000, failures: 1)
    }
    for line in err.text.split(separator: "\r\u{1B}[K") {
      #expect(displayWidth(String(line)) < width, "\(line)")
    }
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1500, "1.5 kB"),
      (9960, "10 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (24_300_000, "24 MB"),
      (Int64.max, "9.2 EB"),
    ] as [(Int64, String)])
  func `bytes are counted in thousands`(bytes: Int64, text: String) {
    #expect(ByteCount(bytes).description == text)
  }

  @Test func `a clock and a count read as people write them`() {
    #expect(Duration.seconds(6).clockText == "0:06")
    #expect(Duration.seconds(3599).clockText == "59:59")
    #expect(Duration.seconds(7505).clockText == "2:05:05")
    #expect(counted(1, "note") == "1 note")
    #expect(counted(0, "note") == "0 notes")
  }
}
