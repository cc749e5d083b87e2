import Glibc

/// One word of a command line, as the bytes that the shell passed.
///
/// A file's name need not be UTF-8, and `CommandLine.arguments` replaces what is not: such a name
/// would then open no file.
package struct Argument: Hashable, Sendable {
  /// The bytes, without the zero that ends them in C.
  package let bytes: [UInt8]

  /// A word of these bytes.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// A word of this text.
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The text, or nil where the bytes are not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The words that this process was started with, after its own name.
  package static var ofProcess: [Argument] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in
        Argument(
          bytes: Array(UnsafeBufferPointer(start: word, count: strlen(word))).map(
            UInt8.init(bitPattern:)))
      }
    }
  }
}

extension Argument: ExpressibleByStringLiteral {
  /// A word of this text.
  package init(stringLiteral text: String) { self.init(text) }
}

extension Argument: CustomStringConvertible {
  /// The word in a form that is safe to show: see `printable(_:)`.
  package var description: String { printable(bytes) }
}
