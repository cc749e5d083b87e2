public import FoundationEssentials

extension Query {
  /// An instant to the millisecond, as the archive keeps it.
  ///
  /// Whole milliseconds, because two routes to one `Date` (seconds and a fraction, milliseconds
  /// divided by 1000) can differ in the last bit of its `Double`, and equality has to hold.
  public struct Instant: Sendable, Hashable, Comparable {
    /// Milliseconds since the start of 1970 UTC; negative before.
    public let millisecondsSince1970: Int64

    /// The instant that is so many milliseconds after the start of 1970 UTC.
    public init(millisecondsSince1970: Int64) {
      self.millisecondsSince1970 = millisecondsSince1970
    }

    /// The nearest millisecond, kept within what 64 bits can count.
    public init(_ date: Date) {
      self.init(secondsSince2001: date.timeIntervalSinceReferenceDate)
    }

    /// The nearest millisecond to so many seconds after the start of 2001 UTC, Cocoa's zero.
    package init(secondsSince2001 seconds: Double) {
      let milliseconds = (seconds * 1000).rounded()
      // Half of the range of Int64 leaves room for the 31 years that are added.
      let bound = Double(Int64.max / 2)
      let whole = milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -bound), bound))
      self.init(millisecondsSince1970: whole + Self.startOf2001)
    }

    /// The time of the call.
    public static var now: Self { Self(Date()) }

    /// Seconds since the start of 2001 UTC.
    package var secondsSince2001: Double {
      Double(millisecondsSince1970 - Self.startOf2001) / 1000
    }

    /// The instant as Foundation has it.
    public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSince2001) }

    /// Orders earlier instants first.
    public static func < (left: Self, right: Self) -> Bool {
      left.millisecondsSince1970 < right.millisecondsSince1970
    }

    /// The start of 2001 UTC, in milliseconds since the start of 1970.
    package static let startOf2001: Int64 = 978_307_200_000
  }
}
