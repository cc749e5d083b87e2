/// When a photo was taken: the wall-clock time at that place and, where the camera knew it, the
/// offset of that clock from UTC.
package struct CaptureDate: Sendable, Hashable {
  /// The EXIF field that a date came from.
  package enum Field: Sendable, Hashable {
    /// DateTimeOriginal: when the picture was taken.
    case original
    /// DateTimeDigitized: when it was stored as data; for a scan, later than it was taken.
    case digitized
  }

  /// Seconds from 1970-01-01T00:00:00 to the wall-clock time, both read as if in one zone without
  /// leap seconds; negative before.
  package let localSeconds: Int

  /// The sub-seconds of the wall-clock time: 0 to 999, finer ones cut off.
  package let milliseconds: Int

  /// The wall clock's offset in seconds east of UTC, -50,400 to 50,400; nil where not known.
  package let offset: Int?

  /// The field that the date came from.
  package let field: Field
}

extension CaptureDate {
  /// Reads the three texts that EXIF keeps a date in.
  ///
  /// Nil unless `dateTime` is of the standard's form and a real date. Text that is almost so
  /// (dashes, slashes, no seconds, AM or PM) is refused: its writer left the standard, and what it
  /// means would be a guess. A malformed `subSeconds` or `offset` costs no more than itself.
  ///
  /// - Parameters:
  ///   - dateTime: `YYYY:MM:DD HH:MM:SS`.
  ///   - subSeconds: The digits after the decimal point.
  ///   - offset: `±HH:MM`, at most 14 hours, which is as far as zones go.
  ///   - field: Where `dateTime` was found.
  init?(dateTime: [UInt8], subSeconds: [UInt8]?, offset: [UInt8]?, field: Field) {
    guard
      let date = Self.numbers(in: dateTime, form: "0000:00:00 00:00:00"),
      let days = Self.daysSince1970(year: date[0], month: date[1], day: date[2]),
      date[3] < 24, date[4] < 60, date[5] < 60
    else { return nil }
    localSeconds = ((days * 24 + date[3]) * 60 + date[4]) * 60 + date[5]
    milliseconds = subSeconds.flatMap(Self.milliseconds) ?? 0
    self.offset = offset.flatMap(Self.offset)
    self.field = field
  }

  /// The numbers in `text`, which has digits where `form` has `0`, and its other characters alike.
  private static func numbers(in text: [UInt8], form: StaticString) -> [Int]? {
    guard text.count == form.utf8CodeUnitCount else { return nil }
    var numbers = [0]
    for (byte, expected) in zip(text, form.description.utf8) {
      if expected != UInt8(ascii: "0") {
        guard byte == expected else { return nil }
        numbers.append(0)
      } else {
        guard let digit = digit(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
      }
    }
    return numbers
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte) - 0x30 : nil
  }

  private static func milliseconds(_ text: [UInt8]) -> Int? {
    var value = 0
    var unit = 100
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      value += digit * unit
      unit /= 10
    }
    return value
  }

  private static func offset(_ text: [UInt8]) -> Int? {
    guard
      let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let parts = numbers(in: Array(text.dropFirst()), form: "00:00"), parts[1] < 60
    else { return nil }
    let seconds = (parts[0] * 60 + parts[1]) * 60
    guard seconds <= 14 * 3600 else { return nil }
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }

  /// Days to a date of the Gregorian calendar, or nil where it has no such day.
  ///
  /// Years are counted from March, so that the leap day is the last of its year.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
    guard year >= 1, (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    let marchYear = month < 3 ? year - 1 : year
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let monthDays = (153 * ((month + 9) % 12) + 2) / 5  // Of the months since March.
    return marchYear * 365 + leapDays + monthDays + day - 719_469  // 1970-01-01 is day 0.
  }
}
