import FoundationEssentials
import Imaging
import TestSupport
import Testing

/// Holds the EXIF reader against what reference tools say of every picture of the corpus.
@Suite(.enabled(if: SharedFolder.images != nil, "The image corpus is not there."))
struct EXIFCorpusTests {
  @Test func `orientation and capture date are the reference's or another accepted answer`() throws
  {
    let folder = URL(filePath: try #require(SharedFolder.images))
    let expected = try JSONDecoder().decode(
      Expected.self, from: Data(contentsOf: folder.appending(path: "expected.json")))
    try #require(!expected.files.isEmpty)
    for (name, picture) in expected.files.sorted(by: { $0.key < $1.key }) {
      let file = try [UInt8](Data(contentsOf: folder.appending(path: name)))
      let exif = MetadataBlocks(file: file).exif.lazy.compactMap { EXIF(block: $0.span) }.first
      #expect(picture.orientations.contains(exif?.orientation ?? 1), "\(name)")
      if exif?.orientation ?? 1 == picture.orientation {
        #expect(exif?.storedOrientation == picture.orientation_raw, "\(name)")
      }
      #expect(picture.accepts(exif?.captureDate), "\(name): \(String(describing: exif))")
    }
  }
}

private struct Expected: Decodable {
  let files: [String: Picture]

  struct Picture: Decodable {
    let orientation: Int
    let orientation_raw: Int?
    let orientation_also_accept: [Int]?
    let capture: Capture?
    let capture_also_accept: [String?]?
    let offset_also_accept: [String?]?

    var orientations: [Int] { [orientation] + (orientation_also_accept ?? []) }

    func accepts(_ date: CaptureDate?) -> Bool {
      guard let date else { return capture == nil || capture_also_accept?.contains(nil) == true }
      guard let capture, seconds(capture.local) == date.localSeconds else {
        return capture_also_accept?.contains { $0.map(seconds) == date.localSeconds } == true
      }
      let digits = (capture.subsec ?? "") + "000"
      return ([capture.offset] + (offset_also_accept ?? [])).contains { offset($0) == date.offset }
        && Int(digits.prefix(3)) == date.milliseconds
        && capture.from == (date.field == .original ? "DateTimeOriginal" : "DateTimeDigitized")
    }

    private func seconds(_ local: String) -> Int? {
      (try? Date(local + "Z", strategy: .iso8601)).map { Int($0.timeIntervalSince1970.rounded()) }
    }

    private func offset(_ text: String?) -> Int? {
      guard let text, text.count == 6, let hours = Int(text.dropFirst().prefix(2)),
        let minutes = Int(text.suffix(2))
      else { return nil }
      return (hours * 60 + minutes) * (text.hasPrefix("-") ? -60 : 60)
    }
  }

  struct Capture: Decodable {
    let local: String
    let offset: String?
    let subsec: String?
    let from: String
  }
}
