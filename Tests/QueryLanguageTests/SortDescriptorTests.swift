import QueryLanguage
import Testing

@Suite struct SortDescriptorTests {
  private func ids(_ order: String) throws -> [String] {
    let descriptors = try Query.SortDescriptor.parse(order, on: .note)
    let sql = try Query.SQL.order(descriptors, on: .note, alias: "n")
    return try ConformanceSuite.archive.strings("SELECT id FROM note AS n ORDER BY \(sql)")
  }

  @Test func `notes come in order, and the identity breaks ties`() throws {
    #expect(try ids("date:desc").prefix(2) == ["n12", "n11"])
    #expect(try ids("photoCount:desc,date").first == "n40")
    #expect(try ids("favorite").prefix(3) == ["n02", "n03", "n05"])
    #expect(try ids("favorite:desc").reversed() == ids("favorite"))
  }

  @Test func `nil comes before all else`() throws {
    #expect(try ids("label").first == "n20")
    #expect(try ids("label:desc").last == "n20")
  }

  @Test func `memory and SQL give the same order`() throws {
    for order in ["date:desc", "label,text:desc", "photos.@count,memo", "text", "favorite,label"] {
      let descriptors = try Query.SortDescriptor.parse(order, on: .note)
      let sorted = try ConformanceSuite.archive.notes.sorted(by: descriptors, on: .note)
      #expect(try sorted.map(\.id) == ids(order), "\(order)")
    }
  }

  @Test(arguments: ["titel", "date:down", "photos", "tags", "photos.width", "date:desc:asc", ""])
  func `what is no order is refused`(order: String) {
    #expect(throws: Query.FormatError.self) { try Query.SortDescriptor.parse(order, on: .note) }
  }
}
