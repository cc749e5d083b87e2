public import FoundationEssentials
import Glibc

/// An instant, and what the clock on the wall showed then, as far as it is known.
///
/// A camera without a time zone knows the wall time alone: its moments have no offset, and their
/// instant reads the wall time as if it were UTC, so that it is the same on every machine.
public struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int
  /// Seconds by which the wall clock was ahead of UTC, or nil where that is not known.
  public var utcOffset: Int?

  /// The moment that is so many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int, utcOffset: Int? = nil) {
    (self.milliseconds, self.utcOffset) = (milliseconds, utcOffset)
  }

  /// The moment of a date, rounded to milliseconds.
  public init(_ date: Date, utcOffset: Int? = nil) {
    self.init(
      milliseconds: Int((date.timeIntervalSince1970 * 1000).rounded()), utcOffset: utcOffset)
  }

  /// The moment that is so many milliseconds after 1970, by the clock on the wall of this machine.
  public init(localMilliseconds milliseconds: Int) {
    var (seconds, local) = (milliseconds / 1000, tm())
    localtime_r(&seconds, &local)
    self.init(milliseconds: milliseconds, utcOffset: local.tm_gmtoff)
  }

  /// Now, by the clock on the wall of this machine.
  public static var now: Moment { Moment(localMilliseconds: Moment(Date.now).milliseconds) }

  /// The moment at which a clock that is ahead of UTC by `utcOffset` seconds shows `wall`,
  /// which counts milliseconds as if it were UTC.
  public init(wallMilliseconds wall: Int, utcOffset: Int?) {
    self.init(milliseconds: wall - (utcOffset ?? 0) * 1000, utcOffset: utcOffset)
  }

  /// The instant.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// What the wall clock showed, in milliseconds as if it were UTC.
  public var wallMilliseconds: Int { milliseconds + (utcOffset ?? 0) * 1000 }
}

extension Moment: CustomStringConvertible {
  /// ISO 8601 in wall time, as in `2024-05-31T10:15:00.250+09:00`; without the offset where there
  /// is none, and without the fraction where that is zero.
  public var description: String {
    let day = CivilDay.number(ofMilliseconds: wallMilliseconds)
    let time = wallMilliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = CivilDay.date(ofDay: day)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
    text += "\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2))"
    text += ":\(padded(time / 1000 % 60, 2))"
    if time % 1000 != 0 { text += ".\(padded(time % 1000, 3))" }
    guard let utcOffset else { return text }
    if utcOffset == 0 { return text + "Z" }
    let minutes = abs(utcOffset) / 60
    return text + (utcOffset < 0 ? "-" : "+")
      + "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }
}

extension Moment {
  /// Reads ISO 8601: a day, or a day and a time to the minute, second or fraction, with or without
  /// an offset; nil where `text` is anything else, or no such day exists.
  public init?(iso8601 text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
      scanner.skip("-"), let dayOfMonth = scanner.number(2),
      let day = CivilDay.day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    var wall = day * 86_400_000
    guard !scanner.isAtEnd else {
      self.init(milliseconds: wall)
      return
    }
    guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2), hour < 24,
      scanner.skip(":"), let minute = scanner.number(2), minute < 60
    else { return nil }
    wall += (hour * 60 + minute) * 60_000
    if scanner.skip(":") {
      guard let second = scanner.number(2), second < 60 else { return nil }
      wall += second * 1000
      if scanner.skip(".") {
        guard let fraction = scanner.fraction() else { return nil }
        wall += fraction
      }
    }
    guard !scanner.isAtEnd else {
      self.init(milliseconds: wall)
      return
    }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    self.init(wallMilliseconds: wall, utcOffset: offset)
  }
}

/// Days of the proleptic Gregorian calendar, counted from 1970-01-01.
///
/// The arithmetic counts years from March, so that a leap day is the last of its year.
package enum CivilDay {
  /// The number of a day, or nil where the calendar has no such day.
  package static func day(year: Int, month: Int, day: Int) -> Int? {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return shifted * 365 + leapDays + (shifted < 0 ? -1 : 0)
      + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
  }

  /// The number of the day in which a time lies, in milliseconds since 1970.
  static func number(ofMilliseconds milliseconds: Int) -> Int {
    milliseconds.floorDivided(by: 86_400_000)
  }

  /// The year, month and day of the month of a day.
  package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let fromMarch = day + 719_468
    let era = fromMarch.floorDivided(by: 146_097)
    let dayOfEra = fromMarch - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The days of a month.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension Int {
  fileprivate func floorDivided(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : (self + 1) / divisor - 1
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Reads the digits and marks of a written date from left to right.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ mark: UnicodeScalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest.removeFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// A fraction of a second of any length, in whole milliseconds.
  mutating func fraction() -> Int? {
    var (value, scale, count) = (0, 100, 0)
    while let digit = number(1) {
      value += digit * scale
      scale /= 10
      count += 1
    }
    return count > 0 ? value : nil
  }

  /// `Z`, `+09:00`, `+0900` or `+09`, in seconds.
  mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(2) else { return nil }
    let minutes = isAtEnd ? 0 : (skip(":"), number(2)).1
    guard let minutes, hours <= 18, minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }
}
