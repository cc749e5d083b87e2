import FoundationEssentials
import TestSupport

@testable import Imaging

/// The image corpus: a folder of pictures, and an `expected.json` that says what each of them is.
struct Corpus {
  struct Expected: Decodable {
    struct Capture: Decodable {
      let local: String
      let offset: String?
      let subsec: String?
      let from: String
    }

    let content: String
    let accept: [String]
    let stored: [Int]?
    let upright: [Int]?
    let channels: Int?
    let alpha: Bool
    let bits: Int?
    let orientation: Int
    let orientationRaw: Int?
    let orientationAlsoAccept: [Int]?
    let capture: Capture?
    let captureAlsoAccept: [String?]?
    let offsetAlsoAccept: [String?]?
    let corners: [String: [Int]]?
    let sameLookAs: String?
  }

  struct Entry: CustomStringConvertible {
    let folder: String
    let name: String
    let expected: Expected

    var description: String { name }

    func bytes() throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    func thumbnail(longestEdge: Int) throws -> SmallPicture {
      let recipe = ThumbnailRecipe(longestEdge: longestEdge, encoding: .png)
      return try SmallPicture(
        png: Thumbnail.make(from: ByteSource(bytes()), recipe: recipe).bytes)
    }
  }

  /// The pictures, none where there is no corpus, or an unreadable one.
  static let entries = (try? SharedFolder.images.map { try Corpus(folder: $0) })??.entries ?? []

  let entries: [Entry]

  init(folder: String) throws {
    struct File: Decodable { let files: [String: Expected] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try Data(contentsOf: URL(filePath: "\(folder)/expected.json"))
    entries = try decoder.decode(File.self, from: data).files
      .map { Entry(folder: folder, name: $0, expected: $1) }
      .sorted { $0.name < $1.name }
  }
}
