import Glibc

/// Measurements to repeat by hand; each is named by the first argument.
@main struct Main {
  static func main() async {
    do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
      print("Benchmarks: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "thumbnails": try await ThumbnailBenchmark(arguments.dropFirst()).run()
    case "sha256": try DigestBenchmark(arguments.dropFirst()).run()
    case "search": try SearchBenchmark(arguments.dropFirst()).run()
    case "live": try await LiveBenchmark(arguments.dropFirst()).run()
    case "predicates": try await PredicateBenchmark(arguments.dropFirst()).run()
    default:
      for usage in [
        ThumbnailBenchmark.usage, DigestBenchmark.usage, SearchBenchmark.usage, LiveBenchmark.usage,
        PredicateBenchmark.usage,
      ] {
        print("usage: Benchmarks \(usage)")
      }
    }
  }
}
