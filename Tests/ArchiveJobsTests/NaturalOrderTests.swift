import Testing

@testable import ArchiveJobs

@Suite struct NaturalOrderTests {
  @Test func `numbers count, case does not, and no two names are alike`() {
    let names = [
      "1.jpg", "2.jpg", "02.jpg", "10.jpg", "a", "A1", "a1b2", "a1b10", "IMG_2.jpg", "IMG_10.jpg",
      "img_11.jpg", "IMG_99999999999999999999999.jpg", "花", "花火",
    ]
    for (i, a) in names.enumerated() {
      for (j, b) in names.enumerated() where i != j {
        let order = NaturalOrder.precedes(Array(a.utf8), Array(b.utf8))
        #expect(order != NaturalOrder.precedes(Array(b.utf8), Array(a.utf8)), "\(a) \(b)")
      }
    }
    let counted = ["IMG_1.jpg", "IMG_1 copy.jpg", "img_2.jpg", "IMG_10.jpg", "IMG_100.jpg"]
    let sorted = counted.reversed().sorted {
      NaturalOrder.precedes(Array($0.utf8), Array($1.utf8))
    }
    #expect(sorted == counted)
  }
}
