import FoundationEssentials

/// Why there is no picture to be had from some bytes.
package enum ImageError: Error, Sendable {
  /// There are no bytes at all.
  case empty
  /// The first bytes are those of no kind of picture.
  case notAnImage
  /// A picture of a kind that is not read, such as "HEIC" or "12-bit JPEG".
  case unsupported(kind: String)
  /// The bytes end before there is anything to show.
  case truncated
  /// The bytes contradict the format; `reason` is the decoder's own.
  case malformed(reason: String)
  /// The header claims more pixels than `limit`. What it says was not believed, nor decoded.
  case tooLarge(PixelSize, limit: Int)
  /// Decoding took more processor time than `limit`.
  case tooSlow(limit: Duration)
  /// There was no memory for it.
  case outOfMemory
  /// The source of the bytes failed with this error.
  case unreadable(any Error)

  /// A short word for a log or a program, the same in every release.
  package var code: String {
    switch self {
    case .empty: "empty"
    case .notAnImage: "not-an-image"
    case .unsupported: "unsupported-format"
    case .truncated: "truncated"
    case .malformed: "malformed"
    case .tooLarge: "too-large"
    case .tooSlow: "too-slow"
    case .outOfMemory: "out-of-memory"
    case .unreadable: "unreadable"
    }
  }
}

extension ImageError: LocalizedError {
  /// What is wrong, as a sentence.
  package var errorDescription: String? {
    switch self {
    case .empty: "The file is empty."
    case .notAnImage: "The file is no picture of any known kind."
    case .unsupported(let kind): "The picture is of a kind that can't be read: \(kind)."
    case .truncated: "The file is cut short before there is anything to show."
    case .malformed(let reason): "The picture is broken: \(reason)."
    case .tooLarge(let size, let limit):
      "The picture claims \(size.width) × \(size.height) pixels; at most "
        + "\(limit / 1_000_000) megapixels are decoded."
    case .tooSlow(let limit):
      "The picture took longer than \(limit.components.seconds) s to decode."
    case .outOfMemory: "There is not enough memory to decode the picture."
    case .unreadable(let error): "The file can't be read: \(error)."
    }
  }

  /// What a person can do about it, as a sentence.
  package var recoverySuggestion: String? {
    switch self {
    case .empty, .truncated, .malformed:
      "Copy the file again from where it came; what is missing can't be restored from this copy."
    case .notAnImage: "Check what the file is; its name says nothing about its content."
    case .unsupported("HEIC"), .unsupported("AVIF"):
      "Build with `swift build --traits HEIF` (needs libheif-dev)."
    case .unsupported("WebP"): "Build with `swift build --traits WebP` (needs libwebp-dev)."
    case .unsupported: "Convert the picture to JPEG or PNG."
    case .tooLarge, .tooSlow: "Make a smaller picture of it with an image editor."
    case .outOfMemory: "Run with fewer jobs at a time."
    case .unreadable: "Check that the file is there and may be read, then try again."
    }
  }
}

extension ImageError: Equatable {
  /// Errors of a source are equal when they say the same.
  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.empty, .empty), (.notAnImage, .notAnImage), (.truncated, .truncated),
      (.outOfMemory, .outOfMemory):
      true
    case (.unsupported(let a), .unsupported(let b)): a == b
    case (.malformed(let a), .malformed(let b)): a == b
    case (.tooLarge(let a, let aLimit), .tooLarge(let b, let bLimit)): a == b && aLimit == bLimit
    case (.tooSlow(let a), .tooSlow(let b)): a == b
    case (.unreadable(let a), .unreadable(let b)): "\(a)" == "\(b)"
    default: false
    }
  }
}
