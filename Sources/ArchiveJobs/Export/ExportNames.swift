import NoteArchive

/// The names of what is exported: a folder for each note, and in it a file for each photo.
///
/// They depend on the note alone, so that an export repeated next year gives the same names
/// whatever else has come into the archive; and they are safe on every file system in use.
enum ExportNames {
  /// The day, the beginning of the text, and the end of the id, which tells notes of one day apart.
  static func folder(of note: Note) -> String {
    let day = note.moment.description.prefix(10)
    let text = cleaned(
      note.text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "", byteLimit: 80)
    return [String(day), text, String(note.id.description.suffix(12))]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether `folder` could have given a name.
  static func isFolder(_ name: some Collection<UInt8>) -> Bool {
    name.count > 13 && name.suffix(12).allSatisfy(isHexDigit)
      && name.dropLast(12).suffix(1).first == UInt8(ascii: " ")
  }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// A name for each photo, in order: the one that it came with, numbered where two are alike.
  static func files(of note: Note) -> [String] {
    var taken: Set<String> = [reserved]
    return note.photos.map { photo in
      let name = cleaned(photo.filename, byteLimit: 200)
      let (stem, ending) = split(name.isEmpty ? "photo.\(photo.format)" : name)
      var candidate = stem + ending
      var number = 2
      // Some file systems tell neither case nor composition apart; `==` ignores the latter too.
      while !taken.insert(candidate.lowercased()).inserted {
        candidate = "\(stem) (\(number))\(ending)"
        number += 1
      }
      return candidate
    }
  }

  /// The file that describes the note.
  static let description = "note.json"
  private static let reserved = description

  /// Without what leads out of a folder, is refused by some file system, or upsets a terminal.
  static func cleaned(_ name: String, byteLimit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: scalars.append("_")
      default: scalars.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
      }
    }
    var (stem, ending) = split(String(scalars))
    // A dot in front hides a file; a dot or space at the end is lost on Windows.
    stem = String(stem.drop { $0 == "." || $0 == " " })
    while stem.utf8.count + ending.utf8.count > byteLimit, !stem.isEmpty { stem.removeLast() }
    var whole = stem + ending
    while let last = whole.last, last == "." || last == " " { whole.removeLast() }
    return isDeviceName(stem) ? "_" + whole : whole
  }

  private static func split(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      name[dot...].utf8.count <= 16
    else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// Names that Windows keeps for devices.
  private static func isDeviceName(_ stem: String) -> Bool {
    let stem = stem.uppercased()
    return ["CON", "PRN", "AUX", "NUL"].contains(stem)
      || (stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
        && stem.last?.isWholeNumber == true)
  }
}
