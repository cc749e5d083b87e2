import QueryLanguage
import Testing

@testable import NoteArchive

@Suite(.timeLimit(.minutes(1))) struct SectionTests {
  private func sections(_ results: FetchedResults<Note>) -> [[String?]] {
    results.snapshot.sections.map { [$0.name] + $0.elements.map(\.text) }
  }

  @Test func `days, months and years are those of the place where a note was taken`() throws {
    let home = try TestArchive()
    let notes = [
      ("Tokyo", "2024-06-01T00:30+09:00"), ("Berlin", "2024-05-31T23:00+02:00"),
      ("before 1970", "1969-12-31T12:00"), ("no offset", "2024-05-31T10:00"),
    ]
    for (text, date) in notes {
      try home.archive.save(Note(text: text, moment: try #require(Moment(iso8601: date))))
    }
    func grouped(by key: SectionKey) -> [[String?]] {
      sections(
        FetchedResults(
          FetchRequest(sortedBy: [.init("date")], groupedBy: key), in: home.archive))
    }
    // By the instant, Tokyo's 1 June comes before Berlin's 31 May: a day is one section all the same.
    #expect(
      grouped(by: .day) == [
        ["1969-12-31", "before 1970"], ["2024-05-31", "no offset", "Berlin"],
        ["2024-06-01", "Tokyo"],
      ])
    #expect(
      grouped(by: .month) == [
        ["1969-12", "before 1970"], ["2024-05", "no offset", "Berlin"], ["2024-06", "Tokyo"],
      ])
    #expect(
      grouped(by: .year) == [["1969", "before 1970"], ["2024", "no offset", "Tokyo", "Berlin"]])
  }

  @Test func `each label is one section, where the list first comes to it`() async throws {
    let home = try TestArchive()
    try home.add("1", label: "b", day: 1)
    try home.add("2", day: 2)
    let third = try home.add("3", label: "a", day: 3)
    try home.add("4", label: "b", day: 4)
    let results = FetchedResults(FetchRequest(groupedBy: .label), in: home.archive)
    #expect(sections(results) == [["b", "4", "1"], ["a", "3"], [nil, "2"]])
    #expect(results.snapshot.sections[1].elements.indices == 2..<3)
    var screen = Follower(results)
    _ = await screen.next()
    _ = try home.archive.edit([third.id]) { $0.label = nil }
    _ = await screen.next()
    #expect(sections(results) == [["b", "4", "1"], [nil, "3", "2"]])
    results.sectionKey = nil
    await screen.wait { $0.map(\.text) == ["4", "3", "2", "1"] }
    #expect(results.snapshot.sections.isEmpty)
  }

  @Test func `a limit counts before the list is grouped`() throws {
    let home = try TestArchive()
    for day in 1...6 {
      try home.add("\(day)", label: day.isMultiple(of: 2) ? "even" : nil, day: day)
    }
    let results = FetchedResults(FetchRequest(limit: 3, groupedBy: .label), in: home.archive)
    #expect(sections(results) == [["even", "6", "4"], [nil, "5"]])
  }
}
