import Glibc

/// A path as the system knows it: any bytes but 0, which need not be UTF-8.
public struct FilePath: Hashable, Sendable {
  /// The bytes, without an end mark.
  public let bytes: [UInt8]

  /// The path of these bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }
  /// The path that is written as `text`.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The name in the last folder; empty where the path is `/`.
  public var lastComponent: FilePath {
    let end = bytes.lastIndex { $0 != Self.slash }.map { $0 + 1 } ?? 0
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return FilePath(bytes: Array(bytes[start..<end]))
  }

  /// The path from the root on, with links followed and `..` resolved; itself where that fails.
  var absolute: FilePath {
    withCString { path in
      guard let resolved = realpath(path, nil) else { return self }
      defer { free(resolved) }
      return FilePath(
        bytes: Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
    }
  }

  /// What follows the last dot of the name, in lowercase ASCII; empty for a name without one.
  var fileExtension: String {
    let name = lastComponent.bytes
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  var isHidden: Bool { lastComponent.bytes.first == UInt8(ascii: ".") }

  func appending(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name)
  }

  /// The path as text, with U+FFFD for what is not UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  func withCString<Output>(_ body: (UnsafePointer<CChar>) throws -> Output) rethrows -> Output {
    try (bytes + [0]).withUnsafeBytes {
      try $0.withMemoryRebound(to: CChar.self) { characters in
        // The buffer has a last byte, so it has a first.
        try body(characters.baseAddress.unsafelyUnwrapped)
      }
    }
  }

  private static let slash = UInt8(ascii: "/")
}
