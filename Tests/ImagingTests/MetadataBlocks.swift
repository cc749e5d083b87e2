/// The metadata of a JPEG or PNG, found without the program's own readers.
struct MetadataBlocks {
  /// TIFF blocks, in file order.
  private(set) var exif: [[UInt8]] = []

  init(file: [UInt8]) {
    if file.starts(with: [0xFF, 0xD8]) { readJPEG(file) }
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) { readPNG(file) }
  }

  private mutating func readJPEG(_ file: [UInt8]) {
    var place = 2
    while place + 4 <= file.count {
      let marker = file[place + 1]
      guard file[place] == 0xFF, marker != 0xFF else {
        place += 1
        continue
      }
      let end = place + 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
      // After the start of scan there is picture data.
      guard marker != 0xDA, place + 4 <= end, end <= file.count else { return }
      let content = file[(place + 4)..<end]
      if marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) {
        exif.append(Array(content.dropFirst(6)))
      }
      place = end
    }
  }

  private mutating func readPNG(_ file: [UInt8]) {
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - place - 12 else { return }
      if file[(place + 4)..<(place + 8)].elementsEqual("eXIf".utf8) {
        exif.append(Array(file[(place + 8)..<(place + 8 + length)]))
      }
      place += 12 + length
    }
  }
}
