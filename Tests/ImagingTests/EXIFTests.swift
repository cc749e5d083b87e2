import Imaging
import TestSupport
import Testing

@Suite struct EXIFTests {
  typealias Field = TIFFBlock.Field

  @Test(arguments: [false, true])
  func `every field of a whole block is read, in either byte order`(isBigEndian: Bool) throws {
    let exif = try #require(EXIF(TIFFBlock.sample(isBigEndian: isBigEndian)))
    #expect(exif.orientation == 6)
    #expect(exif.make == "Example")
    #expect(exif.model == "Model 1")
    #expect(exif.captureDate?.localSeconds == 1_565_157_904)  // 2019-08-07T06:05:04
    #expect(exif.captureDate?.milliseconds == 120)
    #expect(exif.captureDate?.offset == -12_600)
    #expect(exif.captureDate?.field == .original)
    let position = try #require(exif.position)
    #expect(abs(position.latitude + 33.856_944) < 0.000_001)
    #expect(abs(position.longitude - 151.215_278) < 0.000_001)
  }

  @Test func `what is no TIFF block is told from a block without fields`() {
    for text in ["", "II*", "XX*\0\u{8}\0\0\0\0\0", "II+\0\u{8}\0\0\0\0\0"] {
      #expect(EXIF(block: Array(text.utf8).span) == nil)
    }
    let empty = EXIF(block: Array("II*\0\u{8}\0\0\0\0\0".utf8).span)
    #expect(empty != nil && empty?.orientation == nil && empty?.captureDate == nil)
  }

  @Test func `a block that keeps its JPEG prefix is read all the same`() {
    let bytes = TIFFBlock.sample().bytes
    #expect(EXIF(block: (Array("Exif\0\0".utf8) + bytes).span) == EXIF(block: bytes.span))
  }

  // MARK: Orientation

  @Test(arguments: [0, 9, 65_535])
  func `an orientation out of range is kept as written and not followed`(value: UInt32) throws {
    let exif = try #require(EXIF(TIFFBlock(main: [.short(0x0112, value)])))
    #expect(exif.orientation == nil)
    #expect(exif.storedOrientation == Int(value))
  }

  @Test func `the width of the orientation does not matter`() {
    for field: Field in [.bytes(0x0112, [6], type: 1), .short(0x0112, 6), .long(0x0112, 6)] {
      #expect(EXIF(TIFFBlock(main: [field]))?.orientation == 6)
    }
    let text = TIFFBlock(main: [.ascii(0x0112, "6")])
    #expect(EXIF(text)?.storedOrientation == nil)
  }

  @Test func `the embedded thumbnail's orientation is not the picture's`() {
    let block = TIFFBlock(main: [.ascii(0x010F, "Example")], thumbnail: [.short(0x0112, 6)])
    #expect(EXIF(block)?.make == "Example")
    #expect(EXIF(block)?.storedOrientation == nil)
  }

  // MARK: Capture date

  @Test(arguments: [
    ("1965:04:03 02:01:00", -149_810_340), ("1970:01:01 00:00:00", 0),
    ("1826:01:01 12:00:00", -4_544_164_800), ("2016:02:29 10:00:00", 1_456_740_000),
    ("2000:02:29 00:00:00", 951_782_400), ("9999:12:31 23:59:59", 253_402_300_799),
    ("0001:01:01 00:00:00", -62_135_596_800), ("2019:08:07 06:05:04   ", 1_565_157_904),
  ])
  func `a real date is a number of seconds`(text: String, seconds: Int) {
    #expect(captureDate(original: text)?.localSeconds == seconds)
  }

  @Test(arguments: [
    "", " ", "    :  :     :  :  ", "0000:00:00 00:00:00", "0000:01:01 00:00:00",
    "2019:13:01 00:00:00", "2016:02:30 10:00:00", "2015:02:29 10:00:00", "1900:02:29 10:00:00",
    "2019:04:31 10:00:00", "2019:04:00 10:00:00", "2015:06:30 24:00:00", "2015:06:30 23:60:00",
    "2016:12:31 23:59:60", "2019-08-07 06:05:04", "2019:08:07T06:05:04", "2019:08:07",
    "2019:08:07 06:05", "2019:08:07  6:05:04", "2019:08:07 06:05:04 PM", "2019:08:07 06:05:04.5",
    "2019:08:07 06:05:04+09:00", "+019:08:07 06:05:04", "２０１９:08:07 06:05:04", "yesterday",
  ])
  func `text that is no date, or another form of one, is no capture date`(text: String) {
    #expect(captureDate(original: text) == nil)
    let second = captureDate(original: text, digitized: "2003:09:10 20:59:18")
    #expect(second?.field == .digitized, "The next field is asked.")
  }

  @Test func `a date that is not typed as text, or stands in the wrong directory, is none`() {
    let date = Array("2019:08:07 06:05:04\0".utf8)
    for block in [
      TIFFBlock(exif: [.bytes(0x9003, date, type: 7)]),
      TIFFBlock(exif: [.long(0x9003, 1_565_157_904)]),
      TIFFBlock(exif: [.bytes(0x9003, date.flatMap { [$0, 0] }, type: 2)]),
      TIFFBlock(main: [.bytes(0x9003, date, type: 2)]),
      TIFFBlock(main: [.bytes(0x0132, date, type: 2)]),
    ] {
      let exif = EXIF(block)
      #expect(exif != nil && exif?.captureDate == nil)
    }
  }

  @Test func `a date may lack its NUL or be padded with many`() {
    let date = Array("2019:08:07 06:05:04".utf8)
    for padding in [0, 1, 45] {
      let padded = date + [UInt8](repeating: 0, count: padding)
      let block = TIFFBlock(exif: [.bytes(0x9003, padded, type: 2)])
      #expect(EXIF(block)?.captureDate != nil)
    }
  }

  @Test(arguments: [
    ("9", 900), ("12 ", 120), ("123", 123), ("999999999", 999), ("007", 7), ("", 0), ("  ", 0),
    ("-1", 0), ("1.5", 0),
  ])
  func `sub-seconds are the digits after the point`(text: String, milliseconds: Int) {
    let date = captureDate(original: "2019:08:07 06:05:04", more: [.ascii(0x9291, text)])
    #expect(date?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      ("+09:00", 32_400), ("-03:30", -12_600), ("+12:45", 45_900), ("+14:00", 50_400),
      ("-14:00", -50_400), ("+00:00", 0), ("-00:00", 0), ("+14:01", nil), ("+25:00", nil),
      ("+09:60", nil), ("   :  ", nil), ("Z", nil), ("+0900", nil), ("+9:00", nil),
      ("09:00", nil), ("", nil),
    ] as [(String, Int?)])
  func `an offset is signed hours and minutes within 14 hours`(text: String, seconds: Int?) {
    let date = captureDate(original: "2019:08:07 06:05:04", more: [.ascii(0x9011, text)])
    #expect(date?.localSeconds == 1_565_157_904)
    #expect(date?.offset == seconds)
  }

  @Test func `each date has its own offset and sub-seconds`() {
    let others: [Field] = [
      .ascii(0x9010, "+02:00"), .ascii(0x9012, "-05:00"), .ascii(0x9290, "1"), .ascii(0x9292, "2"),
    ]
    let original = captureDate(original: "2019:08:07 06:05:04", more: others)
    #expect(original != nil && original?.offset == nil && original?.milliseconds == 0)
    let digitized = captureDate(digitized: "2019:08:07 06:05:04", more: others)
    #expect(digitized?.offset == -18_000 && digitized?.milliseconds == 200)
  }

  private func captureDate(
    original: String? = nil, digitized: String? = nil, more: [Field] = []
  ) -> CaptureDate? {
    let dates = [(0x9003, original), (0x9004, digitized)].compactMap { tag, text in
      text.map { Field.ascii(tag, $0) }
    }
    return EXIF(TIFFBlock(exif: dates + more))?.captureDate
  }

  // MARK: Position

  @Test func `a position needs both coordinates, complete and within range`() {
    let zero: [(UInt32, UInt32)] = [(0, 1), (0, 1), (0, 1)]
    let latitude: [Field] = [.ascii(1, "N"), .rationals(2, zero)]
    let longitude: [Field] = [.ascii(3, "W"), .rationals(4, [(180, 1), (0, 1), (0, 1)])]
    func position(_ fields: [Field]) -> EXIF.Position? {
      EXIF(TIFFBlock(gps: fields))?.position
    }
    #expect(position(latitude + longitude)?.longitude == -180)
    #expect(position(latitude) == nil)
    #expect(position(longitude) == nil)
    for broken: [Field] in [
      [.rationals(2, zero)], [.ascii(1, "X"), .rationals(2, zero)],
      [.ascii(1, "N"), .rationals(2, [(0, 0), (0, 1), (0, 1)])],
      [.ascii(1, "N"), .rationals(2, [(0, 1), (0, 1)])],
      [.ascii(1, "N"), .rationals(2, [(91, 1), (0, 1), (0, 1)])],
      [.ascii(1, "N"), .rationals(2, [(90, 1), (0, 1), (1, 1)])],
      [.ascii(1, "N"), .rationals(2, [(1, 1), (61, 1), (0, 1)])],
      [.ascii(1, "N"), .ascii(2, "33 51 25")],
    ] {
      #expect(position(broken + longitude) == nil)
    }
  }

  // MARK: Broken blocks

  @Test func `a field that claims more than there is costs only itself`() {
    for field: Field in [
      .long(0x010F, 64, count: 0xFFFF_FFFF, type: 2),
      .long(0x010F, 64, count: 0x2000_0001, type: 5),
      .long(0x010F, 0xFFFF_FFFF, count: 20, type: 2), .long(0x010F, 0, count: 0, type: 2),
      .long(0x010F, 0, type: 0), .long(0x010F, 0, type: 200),
    ] {
      let block = TIFFBlock(main: [field, .ascii(0x0110, "Model 1"), .short(0x0112, 6)])
      let exif = EXIF(block)
      #expect(exif?.make == nil && exif?.model == "Model 1" && exif?.orientation == 6)
    }
  }

  @Test func `links in circles and out of the block lead nowhere`() {
    for start in [0, 8, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
      let links: [Field] = [.long(0x8769, start), .long(0x8825, start)]
      let block = TIFFBlock(main: links + [.short(0x0112, 6)])
      #expect(EXIF(block)?.orientation == 6)
    }
  }

  @Test func `a directory that claims 65,535 fields gives those that are there`() {
    var bytes = TIFFBlock.sample().bytes
    (bytes[8], bytes[9]) = (0xFF, 0xFF)
    #expect(EXIF(block: bytes.span)?.orientation == 6)
  }

  @Test func `a long text is cut and a blank one is none`() {
    let long = Field.ascii(0x010F, String(repeating: "x", count: 60_000))
    let exif = EXIF(TIFFBlock(main: [long, .ascii(0x0110, "  ")]))
    #expect(exif?.make?.count == 256)
    #expect(exif != nil && exif?.model == nil)
  }

  @Test func `a block cut at any byte gives only what is whole`() {
    let bytes = TIFFBlock.sample().bytes
    let whole = EXIF(block: bytes.span)
    for count in bytes.indices {
      guard let cut = EXIF(block: bytes.span.extracting(first: count)) else { continue }
      #expect(cut.captureDate == nil || cut.captureDate?.localSeconds == 1_565_157_904)
      #expect(cut.position == nil || cut.position == whole?.position)
      #expect(cut.make == nil || cut.make == whole?.make)
      #expect(cut.model == nil || cut.model == whole?.model)
      #expect(cut.orientation == nil || cut.orientation == 6)
    }
  }

  @Test func `a mutated block is read without a crash, and what it gives is within its range`() {
    var generator = SplitMix(seed: 42)
    var readable = 0
    for round in 0..<5000 {
      let whole = TIFFBlock.sample(isBigEndian: round % 2 == 0).bytes
      guard let exif = EXIF(block: mutated(whole, with: &generator).span) else { continue }
      readable += 1
      #expect(exif.orientation.map { (1...8).contains($0) } ?? true)
      #expect(exif.captureDate?.offset.map { abs($0) <= 50_400 } ?? true)
      #expect(exif.captureDate.map { (0...999).contains($0.milliseconds) } ?? true)
      #expect(exif.position.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true)
    }
    #expect(readable > 2000, "Mutations that nearly all break the header would test little.")
  }
}

extension EXIF {
  /// Lets a macro of the tests see a value that can escape, which a span is not.
  init?(_ block: TIFFBlock) { self.init(block: block.bytes.span) }
}

/// `bytes` with one to six of them changed, often to an extreme, and sometimes cut short.
func mutated(_ bytes: [UInt8], with generator: inout SplitMix) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...6, using: &generator) {
    let place = Int.random(in: bytes.indices, using: &generator)
    let random = UInt8.random(in: 0...255, using: &generator)
    bytes[place] = [0, 0xFF, 0x7F, random][Int.random(in: 0...3, using: &generator)]
  }
  if Bool.random(using: &generator) {
    bytes.removeLast(Int.random(in: 0...bytes.count / 8, using: &generator))
  }
  return bytes
}
