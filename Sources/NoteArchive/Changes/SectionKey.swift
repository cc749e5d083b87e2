public import QueryLanguage

/// What the records of a section have in common.
public struct SectionKey: Sendable, Hashable {
  /// The parts of a date that name a section, from the year on.
  public enum CalendarUnit: String, Sendable, CaseIterable {
    case day, month, year
  }

  /// The path to a single value.
  public var path: Query.Path
  /// How much of the value counts, where it is a date; nil for all of it.
  public var unit: CalendarUnit?

  /// Groups by the value under a path, or the unit of the calendar that it lies in.
  public init(_ path: Query.Path, by unit: CalendarUnit? = nil) {
    (self.path, self.unit) = (path, unit)
  }

  /// A section for each day on which notes were taken, by the clock on the wall there: `2024-05-31`.
  public static let day = SectionKey("localDate", by: .day)
  /// A section for each month: `2024-05`.
  public static let month = SectionKey("localDate", by: .month)
  /// A section for each year: `2024`.
  public static let year = SectionKey("localDate", by: .year)
  /// A section for each label, and one without a name for the notes without.
  public static let label = SectionKey("label")

  /// What is equal for the values of one section.
  func group(of value: Query.Value) -> Query.Value {
    guard let unit, case .integer(let milliseconds) = value else { return value }
    let day = CivilDay.number(ofMilliseconds: Int(milliseconds))
    let (year, month, _) = CivilDay.date(ofDay: day)
    let first =
      switch unit {
      case .day: day
      case .month: CivilDay.day(year: year, month: month, day: 1)
      case .year: CivilDay.day(year: year, month: 1, day: 1)
      }
    return .integer(Int64(first ?? day))
  }

  /// The name of the section of a group.
  func name(of group: Query.Value) -> String? {
    switch group {
    case .null, .bool, .date, .list: nil  // SQL gives none of the last three.
    case .string(let text): text
    case .double(let number): "\(number)"
    case .integer(let integer):
      if let unit {
        String(Moment(milliseconds: Int(integer) * 86_400_000).description.prefix(unit.width))
      } else {
        "\(integer)"
      }
    }
  }
}

extension SectionKey.CalendarUnit {
  /// The characters of an ISO 8601 date that say which one it is.
  fileprivate var width: Int {
    switch self {
    case .day: 10
    case .month: 7
    case .year: 4
    }
  }
}

/// The rows of a list, brought together by their sections.
struct GroupedRows: Sendable {
  /// Row ids in the order of the list; those of a section follow one another.
  private(set) var rows: [Int] = []
  /// The sections, in the order in which the list comes to the first row of each.
  private(set) var sections: [(name: String?, range: Range<Int>)] = []

  /// Groups `rows`, which are in order, by their values under `key`.
  init(_ rows: [(id: Int, value: Query.Value)], by key: SectionKey) {
    var groups: [(group: Query.Value, rows: [Int])] = []
    var indices: [Query.Value: Int] = [:]
    var last = -1  // Mostly, a row is in the section of the one before.
    for row in rows {
      let group = key.group(of: row.value)
      if last < 0 || groups[last].group != group {
        last = indices[group] ?? groups.count
        if last == groups.count {
          indices[group] = last
          groups.append((group, []))
        }
      }
      groups[last].rows.append(row.id)
    }
    for (group, members) in groups {
      let start = self.rows.count
      self.rows += members
      sections.append((key.name(of: group), start..<self.rows.count))
    }
  }

  /// Rows without sections.
  init(_ rows: [Int]) { self.rows = rows }
}
