import SQLite

extension Archive {
  /// Makes the search index anew from the notes, and tells `progress` how many are still to come.
  ///
  /// Searches are exact meanwhile, and slow. Cut off, it goes on when the archive is next opened.
  public func rebuildSearchIndex(
    progress: (_ remaining: Int) -> Void = { _ in }
  ) throws(ArchiveError) {
    try writeUnindexed { connection throws(DatabaseError) in try SearchIndex.clear(&connection) }
    try completeSearchIndex(progress: progress)
    try mergeSearchIndex()
  }

  /// Brings the search index into the form that is read fastest, in small transactions.
  ///
  /// It loses that form little by little with each write. `shouldStop` is asked before each step.
  public func mergeSearchIndex(shouldStop: () -> Bool = { false }) throws(ArchiveError) {
    var isFirstStep = true
    var isDone = false
    while !isDone, !shouldStop() {
      isDone = try writeUnindexed { connection throws(DatabaseError) in
        try !SearchIndex.merge(isFirstStep: isFirstStep, &connection)
      }
      isFirstStep = false
    }
  }

  /// Indexes what is pending, in transactions of a batch each, and all notes where the index was
  /// made by another version of the folding.
  func completeSearchIndex(progress: (_ remaining: Int) -> Void = { _ in }) throws(ArchiveError) {
    let state = try read { connection throws(DatabaseError) in
      (try SearchIndex.isCurrent(&connection), try SearchIndex.isComplete(&connection))
    }
    switch state {
    case (true, true): return
    case (false, _):
      try writeUnindexed { connection throws(DatabaseError) in
        if try !SearchIndex.isCurrent(&connection) { try SearchIndex.clear(&connection) }
      }
    case (true, false): break
    }
    var isDone = false
    while !isDone {
      let (done, remaining) = try writeUnindexed { connection throws(DatabaseError) in
        (
          try SearchIndex.update(&connection),
          try connection.first("SELECT count(*) FROM search_pending") { $0.int(0) } ?? 0
        )
      }
      isDone = done
      progress(remaining)
    }
  }

  /// Whether the search index says of every note what the note says, and of nothing else.
  package func isSearchIndexSound() throws(ArchiveError) -> Bool {
    try writeUnindexed { connection throws(DatabaseError) in
      guard try SearchIndex.isComplete(&connection) else { return false }
      return try SearchIndex.check(&connection) == SearchIndex.Check()
    }
  }
}
