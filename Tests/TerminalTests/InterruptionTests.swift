import Glibc
import Terminal
import Testing

/// Signals are a whole process's: each test runs in one of its own, and ends it by a limit of its own.
@Suite struct InterruptionTests {
  @Test func `the first signal asks, the second ends the program at once`() async {
    await #expect(processExitsWith: .exitCode(ExitStatus.interrupted.rawValue)) {
      alarm(20)
      Interruption.install()
      if Interruption.isRequested { exit(1) }
      kill(getpid(), SIGINT)  // Not `raise`: the threads that run tasks take no signals.
      while !Interruption.isRequested { usleep(1000) }
      kill(getpid(), SIGTERM)
      while true { usleep(1000) }
    }
  }

  @Test func `one signal does not end the program`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      alarm(20)
      Interruption.install()
      kill(getpid(), SIGTERM)
      while !Interruption.isRequested { usleep(1000) }
      usleep(50_000)
      exit(7)
    }
  }

  @Test func `a write to a closed pipe does not end the program`() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      var ends: [Int32] = [0, 0]
      if pipe(&ends) != 0 { exit(1) }
      close(ends[0])
      exit(write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 2)
    }
  }
}
