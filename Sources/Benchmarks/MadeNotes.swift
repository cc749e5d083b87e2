import FoundationEssentials
import Glibc
import NoteArchive
import TestSupport

/// Makes notes in English, Japanese and Chinese, the same ones on every run.
///
/// Words are made up and come by Zipf's law: the nth most frequent one 1/n as often as the first.
struct MadeNotes {
  private var source = SplitMix(seed: 20_240_531)
  private let english: [String]
  private let japanese: [String]
  private let chinese: [String]
  private let tags: [String]
  /// Ten years up to the spring of 2024, in milliseconds.
  private static let start = 1_400_000_000_000
  private static let span = 315_360_000_000

  init() {
    var source = SplitMix(seed: 7)
    func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
      choices[
        choices.index(choices.startIndex, offsetBy: Int(source.next() % UInt64(choices.count)))]
    }
    let onsets = [
      "", "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "w", "st", "th", "pr",
    ]
    let vowels = ["a", "e", "i", "o", "u", "e", "a", "ea", "ou"]
    let codas = ["", "", "n", "r", "s", "t", "l", "nd", "ng", "m", "é"]
    english =
      "the of and to in is it was for on that with as at by from this rain river light old house stone tree bird water"
      .split(separator: " ").map(String.init)
      + (0..<20_000).map { index in
        (0...min(3, index / 800)).map { _ in pick(onsets) + pick(vowels) + pick(codas) }.joined()
      }
    let kana = Array("あいうえおかがきくけこさしすせそただちつてでとなにのはばひふへほまみめもやよらりるれをん")
    let katakana = Array("アイウカキクコサシスタチツテトナニノハバパフマミムメラリルレロワンー")
    func ideograph() -> Character {
      // Scattered over the block, so that no two ranks are neighbours.
      let rank = zipf(&source, 2500)
      return Character(Unicode.Scalar(0x4E00 + UInt32(rank * 8_087 % 20_900)) ?? "一")
    }
    japanese =
      [
        "の", "に", "は", "を", "た", "が", "で", "て", "と", "し", "れ", "さ", "です", "ます", "した", "から", "こと",
        "東京", "京都",
      ]
      + (0..<20_000).map { index in
        switch index % 3 {
        case 0: String([ideograph(), ideograph()])
        case 1: String([ideograph()] + (0...Int(source.next() % 3)).map { _ in pick(kana) })
        default: String((0..<2 + Int(source.next() % 4)).map { _ in pick(katakana) })
        }
      }
    chinese =
      ["的", "是", "了", "在", "不", "我", "有", "这", "人", "中国", "北京"]
      + (0..<20_000).map { index in
        String((0...(index < 500 ? 0 : Int(source.next() % 3))).map { _ in ideograph() })
      }
    tags = Array(zip(english[30..<130], japanese[30..<130]).flatMap { [$0, $1] })
  }

  /// The next note; 40 % are English, 35 % Japanese, 15 % Chinese, 10 % mixed.
  mutating func next() -> Note {
    let kind = random(100)
    let text = text(kind, length: 20 + random(181))
    var note = Note(
      text: text, memo: random(10) == 0 ? self.text(random(100), length: 20) : nil,
      label: random(4) == 0 ? "label \(random(8))" : nil, favorite: random(100) == 0,
      moment: Moment(milliseconds: Self.start + random(Self.span), utcOffset: 32_400),
      createdAt: Moment(milliseconds: Self.start + random(Self.span)).date)
    while random(3) == 0, note.tags.count < 3 {
      let tag = tags[zipf(&source, tags.count)]
      if !note.tags.contains(tag) { note.tags.append(tag) }
    }
    return note
  }

  private mutating func text(_ kind: Int, length: Int) -> String {
    var text = ""
    var count = 0
    while count < length {
      let language = kind < 90 ? kind : random(90)
      let word =
        switch language {
        case ..<40: english[zipf(&source, english.count)] + (random(12) == 0 ? ". " : " ")
        case ..<75: japanese[zipf(&source, japanese.count)] + (random(12) == 0 ? "。" : "")
        default: chinese[zipf(&source, chinese.count)] + (random(12) == 0 ? "，" : "")
        }
      text += word
      count += word.count
    }
    return text
  }

  private mutating func random(_ bound: Int) -> Int {
    Int(source.next() % UInt64(bound))
  }
}

/// A rank from 0 below `count`, the nth with a probability of about 1/n: `count` to a power that is
/// evenly distributed.
private func zipf(_ source: inout SplitMix, _ count: Int) -> Int {
  let unit = Double(source.next() >> 11) / Double(1 << 53)
  return min(count - 1, Int(pow(Double(count), unit)) - 1)
}
