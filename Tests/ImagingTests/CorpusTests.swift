import FoundationEssentials
import TestSupport
import Testing

@testable import Imaging

/// Every picture of the corpus folder, against what its `expected.json` says of it.
@Suite(.enabled(if: SharedFolder.images != nil, "no image corpus: set IMAGE_CORPUS to its folder"))
struct CorpusTests {
  // With no arguments a test runs no case and passes; this one notices.
  @Test func `the corpus has pictures`() throws {
    let corpus = try SharedFolder.images.map { try Corpus(folder: $0) }
    #expect(try #require(corpus).entries.isEmpty == false)
  }

  @Test(arguments: Corpus.entries)
  func `a picture is what the corpus says`(entry: Corpus.Entry) throws {
    let expected = entry.expected
    let bytes = try entry.bytes()
    let made = Result { () throws(ImageError) in
      try Thumbnail.make(
        from: ByteSource(bytes), recipe: ThumbnailRecipe(longestEdge: 256, encoding: .png))
    }
    let outcome =
      switch made {
      case .success(let thumbnail): thumbnail.outcome == .damaged ? "partial" : "true"
      case .failure: "error"
      }
    #expect(expected.accept.contains(outcome), "\(made)")

    // Of a broken file too, as far as its header can be read.
    guard let properties = try? ImageProperties.probe(ByteSource(bytes)) else {
      #expect(outcome == "error")
      return
    }
    if let thumbnail = try? made.get() { #expect(thumbnail.properties == properties) }
    #expect(properties.format.rawValue == expected.content)
    if outcome != "error" || expected.stored?.contains(0) == false {
      #expect(expected.stored.map(PixelSize.init(sides:)) == properties.storedSize)
    }
    if let channels = expected.channels { #expect(properties.channels == channels) }
    if let bits = expected.bits { #expect(properties.bitsPerSample == bits) }
    #expect(properties.hasAlpha == expected.alpha)
    let orientations = [expected.orientation] + (expected.orientationAlsoAccept ?? [])
    #expect(orientations.contains(properties.orientation))
    if properties.orientation == expected.orientation {
      #expect(expected.upright.map(PixelSize.init(sides:)) == properties.uprightSize)
      #expect(expected.orientationRaw == properties.exif?.storedOrientation)
    }
    expectDate(properties.exif?.captureDate, expected)
  }

  private func expectDate(_ date: CaptureDate?, _ expected: Corpus.Expected) {
    let locals = [expected.capture?.local] + (expected.captureAlsoAccept ?? [])
    #expect(locals.contains(date?.local))
    guard let date, let capture = expected.capture, date.local == capture.local else { return }
    let offsets = [capture.offset] + (expected.offsetAlsoAccept ?? [])
    #expect(offsets.contains(date.offsetText))
    #expect(date.milliseconds == milliseconds(of: capture.subsec ?? "0"))
    #expect((date.field == .original) == (capture.from == "DateTimeOriginal"))
  }

  /// "5" is half a second, and digits past the third are cut off.
  private func milliseconds(of digits: String) -> Int {
    Int((digits + "00").prefix(3)) ?? 0
  }

  @Test(arguments: Corpus.entries.filter { $0.expected.corners != nil })
  func `the corners of an upright picture have their colours`(entry: Corpus.Entry) throws {
    let picture = try entry.thumbnail(longestEdge: 256)
    let (right, bottom) = (picture.size.width - 4, picture.size.height - 4)
    let places = [
      "top_left": (3, 3), "top_right": (right, 3), "bottom_left": (3, bottom),
      "bottom_right": (right, bottom),
    ]
    for (name, colour) in try #require(entry.expected.corners) {
      let (x, y) = try #require(places[name])
      for (found, wanted) in zip(picture.colour(x, y), colour) {
        #expect(abs(found - wanted) <= 40, "\(name) of \(entry)")
      }
    }
  }

  @Test(arguments: Corpus.entries.filter { $0.expected.sameLookAs != nil })
  func `a picture in another colour space looks the same`(entry: Corpus.Entry) throws {
    let name = try #require(entry.expected.sameLookAs)
    let other = try #require(Corpus.entries.first { $0.name == name })
    let difference = try entry.thumbnail(longestEdge: 256).meanDifference(
      from: other.thumbnail(longestEdge: 256))
    #expect(difference < 3, "mean distance in Lab")
  }
}

extension CaptureDate {
  /// As ISO 8601 writes it.
  fileprivate var local: String {
    Date(timeIntervalSince1970: Double(localSeconds))
      .formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
  }

  fileprivate var offsetText: String? {
    offset.map {
      let (hours, minutes) = (abs($0) / 3600, abs($0) / 60 % 60)
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\($0 < 0 ? "-" : "+")\(two(hours)):\(two(minutes))"
    }
  }
}

extension PixelSize {
  fileprivate init(sides: [Int]) { self.init(width: sides[0], height: sides[1]) }
}
