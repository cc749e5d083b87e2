/// A list as it was after one commit, for good.
public struct FetchedSnapshot<Element: Sendable & Equatable>: Sendable {
  /// What was asked.
  public let request: FetchRequest<Element>
  /// Why this is not the answer to it, but the last one that could be had; nil where all is well.
  public let error: ArchiveError?
  /// Counts the snapshots of the results it is from, from 1.
  let number: Int
  var answer: FetchedAnswer<Element>
  /// What `difference` is from.
  private var before: (rows: [Int], elements: [Element])

  private init(
    _ answer: FetchedAnswer<Element>, to request: FetchRequest<Element>, error: ArchiveError?,
    after old: Self
  ) {
    (self.request, self.answer, self.error) = (request, answer, error)
    (number, before) = (old.number + 1, old.list)
  }

  /// The empty list that comes before the first snapshot.
  init(before request: FetchRequest<Element>) {
    (self.request, answer, error) = (request, FetchedAnswer(to: request), nil)
    (number, before) = (0, ([], []))
  }

  /// The snapshot of the answer that comes next.
  func followed(by answer: FetchedAnswer<Element>) -> Self {
    Self(answer, to: answer.request, error: nil, after: self)
  }

  /// The same list, as there is no answer to a request.
  func followed(by error: ArchiveError, for request: FetchRequest<Element>) -> Self {
    Self(answer, to: request, error: error, after: self)
  }

  /// The same snapshot for one who has last seen another, or none.
  func following(_ seen: Self?) -> Self {
    var snapshot = self
    snapshot.before = seen?.list ?? ([], [])
    return snapshot
  }

  private var list: (rows: [Int], elements: [Element]) { (answer.rows, answer.elements) }

  /// The records, in order; with sections, those of a section follow one another.
  public var elements: [Element] { answer.elements }

  /// The sections, in the order in which the list comes to the first record of each.
  ///
  /// Empty where the request has no section key.
  public var sections: [FetchedSection<Element>] {
    answer.sections.map { FetchedSection(name: $0.name, elements: answer.elements[$0.range]) }
  }

  /// What turns the elements of the snapshot before into those of this one; made when asked for.
  ///
  /// It is empty where only a setting has changed, or the error, or where the sections begin.
  public var difference: ListDifference<Element> { ListDifference(from: before, to: list) }
}

/// Records that a list shows under one heading.
public struct FetchedSection<Element: Sendable & Equatable>: Sendable, Equatable {
  /// What they have in common: a day as `2024-05-31`, a month, a year, or a label; nil for none.
  public let name: String?
  /// The records; their indices are offsets in the whole list.
  public let elements: ArraySlice<Element>
}
