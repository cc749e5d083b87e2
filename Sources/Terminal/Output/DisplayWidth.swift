/// The columns that a terminal gives to `text`: two for a wide East Asian character or an emoji, none
/// for a combining mark.
package func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth($1) }
}

/// A character, with all its marks and joiners, is as wide as the scalar that it begins with; only the
/// sound marks of halfwidth katakana have a column of their own.
func displayWidth(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let base = scalars.first else { return 0 }
  switch base.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default:
    let asEmoji = base.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
    return (asEmoji || isWide(base.value) ? 2 : 1)
      + scalars.dropFirst().count { 0xFF9E...0xFF9F ~= $0.value }
  }
}

/// Whether UAX #11 calls a scalar wide or fullwidth, those aside that are emoji.
///
/// The unassigned between the assigned count as their neighbours.
private func isWide(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0..<0x1100: false
  case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1F200...0x1F265,
    0x20000...0x3FFFD:
    true
  default: false
  }
}

/// `text` cut to at most `width` columns, with `…` where something is left out.
package func truncated(_ text: String, to width: Int) -> String {
  if displayWidth(text) <= width { return text }
  var kept = ""
  var used = 1
  for character in text {
    used += displayWidth(character)
    if used > width { break }
    kept.append(character)
  }
  return width > 0 ? kept + "…" : ""
}
