import FoundationEssentials
import Terminal
import Testing

@Suite struct JSONTests {
  @Test func `an object is one line, its keys in the order given`() {
    let none: String? = nil
    let object: JSONObject = [
      "type": "note", "id": JSONValue("x"), "memo": JSONValue(none), "photoCount": JSONValue(3),
      "favorite": true, "latitude": JSONValue(-0.5), "huge": .integer(.max),
      "nan": JSONValue(Double.nan),
      "tags": JSONValue(["a", "b"]), "photos": JSONValue([["position": 1], [:]] as [JSONObject]),
    ]
    #expect(
      object.description
        == #"{"type":"note","id":"x","memo":null,"photoCount":3,"favorite":true,"latitude":-0.5,"#
        + #""huge":9223372036854775807,"nan":null,"tags":["a","b"],"photos":[{"position":1},{}]}"#)
  }

  @Test func `a key that is set again keeps its place`() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = nil
    object["d"] = .null
    #expect(object == ["a": 3, "b": 2, "d": .null])
    object["b"] = nil
    #expect(object.description == #"{"a":3,"d":null}"#)
    #expect(object["a"] == 3)
  }

  @Test func `a text is escaped, also where only a terminal would mind`() {
    let text = "\" \\ \n \r \t \u{0} \u{1B} \u{7F} \u{9B} \u{2028} \u{202E} é 日 😀 /"
    #expect(
      JSONValue.string(text).description
        == #""\" \\ \n \r \t \u0000 \u001b \u007f \u009b \u2028 \u202e é 日 😀 /""#)
  }

  @Test func `another reader of JSON finds every scalar as it was`() throws {
    for block in stride(from: UInt32(0), to: 0x11_0000, by: 0x1000) {
      let scalars = (block..<block + 0x1000).compactMap(Unicode.Scalar.init)
      let text = String(String.UnicodeScalarView(scalars))
      let line = JSONValue.array([.string(text), .number(1e-5), .number(1e300)]).description
      struct Row: Decodable {
        let text: String, small: Double, large: Double
        init(from decoder: any Decoder) throws {
          var values = try decoder.unkeyedContainer()
          text = try values.decode(String.self)
          small = try values.decode(Double.self)
          large = try values.decode(Double.self)
        }
      }
      let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
      #expect(row.text.unicodeScalars.elementsEqual(scalars))
      #expect(row.small == 1e-5 && row.large == 1e300)
    }
  }
}
