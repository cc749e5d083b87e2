import FoundationEssentials

/// The folders of test material that lie outside the repository, where they are present.
package enum SharedFolder {
  /// The image corpus: the folder named in `IMAGE_CORPUS`, else `shared/images` beside the checkout.
  ///
  /// Nil when neither is there; a test that needs it then says that it was skipped.
  package static let images = folder(environment: "IMAGE_CORPUS", beside: "images")

  private static func folder(environment name: String, beside path: String) -> String? {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let candidate =
      ProcessInfo.processInfo.environment[name]
      ?? checkout.appending(path: "shared").appending(path: path).path
    return FileManager.default.fileExists(atPath: candidate) ? candidate : nil
  }
}
