import FoundationEssentials

/// A command line that can't be followed: what is wrong with it, and what to do about it.
package struct UsageError: LocalizedError, Equatable {
  /// What is wrong and where, as a sentence.
  package let message: String
  /// What to do next, as a sentence.
  package let remedy: String?

  /// An error of these two sentences.
  package init(_ message: String, remedy: String? = nil) {
    (self.message, self.remedy) = (message, remedy)
  }

  /// The message.
  package var errorDescription: String? { message }
  /// The remedy.
  package var recoverySuggestion: String? { remedy }
}

/// A value that an option or an argument can't take, from a reader that knows no option's name.
package struct InvalidValue: LocalizedError, Equatable {
  /// What would do, as the end of a sentence: “a whole number from 1”.
  package let expected: String

  /// An error that says what was `expected`.
  package init(expected: String) { self.expected = expected }

  /// “needs …”, to stand after the name of the option.
  package var errorDescription: String? { "needs \(expected)" }
}
