import NoteArchive
import QueryLanguage
import Terminal

/// Days as people name them, by the clock on the wall where a note was taken.
struct DayRange: Equatable {
  /// The first day, counted from 1970-01-01; nil for no bound.
  var first: Int?
  /// The last day, included; nil for no bound.
  var last: Int?

  init(first: Int?, last: Int?) { (self.first, self.last) = (first, last) }

  /// Reads `2024`, `2024-05`, `2024-05-31`, `today`, `yesterday`, or `7d`: the last seven days.
  init(_ text: String) throws(InvalidValue) {
    guard let range = Self.read(text, today: Self.today) else {
      throw InvalidValue(expected: "a date like 2024, 2024-05, 2024-05-31, today or 7d")
    }
    self = range
  }

  static func read(_ text: String, today: Int) -> DayRange? {
    switch text.lowercased() {
    case "today": return DayRange(first: today, last: today)
    case "yesterday": return DayRange(first: today - 1, last: today - 1)
    case let word where word.hasSuffix("d"):
      guard let count = Int(word.dropLast()), (1...1_000_000).contains(count) else { return nil }
      return DayRange(first: today - count + 1, last: today)
    default: break
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let widths = parts.map(\.count)
    let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
    guard (1...3).contains(parts.count), widths == Array([4, 2, 2].prefix(parts.count)),
      numbers.count == parts.count
    else { return nil }
    let (year, month) = (numbers[0], numbers.count > 1 ? numbers[1] : nil)
    if numbers.count == 3 {
      guard let day = CivilDay.day(year: year, month: numbers[1], day: numbers[2]) else {
        return nil
      }
      return DayRange(first: day, last: day)
    }
    guard let first = CivilDay.day(year: year, month: month ?? 1, day: 1) else { return nil }
    let lastMonth = month ?? 12
    return DayRange(
      first: first,
      last: CivilDay.day(
        year: year, month: lastMonth, day: CivilDay.length(ofMonth: lastMonth, year: year)))
  }

  /// From the first day on.
  var onwards: DayRange { DayRange(first: first, last: nil) }
  /// Up to the last day.
  var upTo: DayRange { DayRange(first: nil, last: last) }

  var predicate: Query.Predicate {
    .date("localDate", from: first.map(Self.midnight), to: last.map { Self.midnight($0 + 1) })
  }

  private static func midnight(_ day: Int) -> Query.Instant {
    Query.Instant(millisecondsSince1970: Int64(day) * 86_400_000)
  }

  /// Today by this machine's clock on the wall.
  private static var today: Int { Moment.now.wallMilliseconds / 86_400_000 }
}
