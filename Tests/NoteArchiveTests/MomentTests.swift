import NoteArchive
import Testing

@Suite struct MomentTests {
  @Test(arguments: [
    "2024-05-31T10:15:00.250+09:00", "1969-12-31T23:59:59.999Z", "2000-02-29T00:00:00",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-11:30", "1582-10-04T12:00:00+14:00",
  ])
  func `a date is written as it was read`(text: String) throws {
    #expect(try #require(Moment(iso8601: text)).description == text)
  }

  @Test(arguments: [
    "", "2024", "2024-13-01", "2023-02-29", "2024-05-31T24:00", "2024-05-31T10:15:00+", "yesterday",
    "2024-05-31T10:15:00Zulu", "2024-5-31",
  ])
  func `what is no date is refused`(text: String) { #expect(Moment(iso8601: text) == nil) }

  @Test func `the same instant has another wall time elsewhere`() throws {
    let tokyo = try #require(Moment(iso8601: "2024-05-31T08:00+09:00"))
    let utc = try #require(Moment(iso8601: "2024-05-30T23:00Z"))
    #expect(tokyo.milliseconds == utc.milliseconds)
    #expect(tokyo.wallMilliseconds - utc.wallMilliseconds == 9 * 3_600_000)
  }

  @Test func `days and dates are each other's inverse over twelve centuries`() {
    for day in stride(from: -400_000, through: 40_000, by: 7) {
      let (year, month, dayOfMonth) = CivilDay.date(ofDay: day)
      #expect(CivilDay.day(year: year, month: month, day: dayOfMonth) == day)
    }
    #expect(CivilDay.day(year: 1970, month: 1, day: 1) == 0)
    #expect(CivilDay.day(year: 2000, month: 3, day: 1) == 11_017)
  }
}

@Suite struct NoteIDTests {
  @Test func `ids sort by age, however fast they are made`() {
    let ids = (0..<10_000).map { _ in NoteID() }
    #expect(ids == ids.sorted() && Set(ids).count == ids.count)
  }

  @Test func `an id is a lowercase version 7 UUID that reads back`() throws {
    let id = NoteID()
    let text = id.description
    #expect(text.count == 36 && text.lowercased() == text)
    #expect(Array(text)[14] == "7" && "89ab".contains(Array(text)[19]))
    #expect(NoteID(text) == id && NoteID(text.uppercased()) == id)
    #expect(NoteID("") == nil && NoteID(String(text.dropLast())) == nil && NoteID("xyz") == nil)
  }
}
