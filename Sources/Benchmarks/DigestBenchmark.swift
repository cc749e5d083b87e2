import FoundationEssentials
import Glibc
import NoteArchive

/// Our SHA-256 and OpenSSL's, in turn, over the same file, which both read in pieces.
///
/// What OpenSSL takes for an empty file, its start, is taken off its time. The two must agree: 600 MB
/// have more bits than 32 bits can count.
struct DigestBenchmark {
  static let usage = "sha256 [MEGABYTES]"
  private let byteCount: Int

  init(_ arguments: ArraySlice<String>) {
    byteCount = (arguments.first.flatMap(Int.init) ?? 600) * 1_000_000
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sha256-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, empty) = (folder.appending(path: "bytes").path, folder.appending(path: "empty").path)
    var random = SystemRandomNumberGenerator()
    let words = (0..<byteCount / 8).map { _ in random.next() }
    try words.withUnsafeBytes { Data($0) }.write(to: URL(filePath: file))
    try Data().write(to: URL(filePath: empty))

    print("SHA instructions: \(SHA256.isAccelerated ? "used" : "none, plain C")")
    print("  ours GB/s  openssl GB/s  ratio  plain C GB/s")
    var ratios: [Double] = []
    for _ in 0..<9 {
      let ours = try timed { try digest(of: file) }
      let start = try timed { try digestByOpenSSL(of: empty) }
      let theirs = try timed { try digestByOpenSSL(of: file) }
      let plain = try timed { try digest(of: file, isPortable: true) }
      guard ours.result == theirs.result, plain.result == ours.result else {
        throw Disagreement(ours: ours.result, theirs: theirs.result)
      }
      let rates = [ours.seconds, theirs.seconds - start.seconds, plain.seconds].map {
        Double(byteCount) / $0 / 1e9
      }
      ratios.append(rates[0] / rates[1])
      print(
        "  \(twoDecimals(rates[0]))       \(twoDecimals(rates[1]))          "
          + "\(twoDecimals(rates[0] / rates[1]))   \(twoDecimals(rates[2]))")
    }
    print("median ratio, ours to openssl dgst -sha256: \(twoDecimals(ratios.sorted()[4]))")
  }

  private func digest(of file: String, isPortable: Bool = false) throws -> String {
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    var hash = SHA256(isPortable: isPortable)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
    }
    return hash.finalize().description
  }

  private func digestByOpenSSL(of file: String) throws -> String {
    guard let pipe = popen("openssl dgst -sha256 -r '\(file)'", "r") else { return "" }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 65)
    fgets(&line, Int32(line.count), pipe)
    return String(decoding: line.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func timed(
    _ body: () throws -> String
  ) throws -> (result: String, seconds: Double) {
    var result = ""
    let span = try ContinuousClock().measure { result = try body() }
    return (result, span / .seconds(1))
  }

  private func twoDecimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  private struct Disagreement: Error {
    let ours: String, theirs: String
  }
}
