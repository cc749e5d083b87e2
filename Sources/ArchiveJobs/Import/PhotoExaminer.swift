import Glibc
import Imaging
import NoteArchive

/// What a look at a file found.
enum Finding: Sendable {
  case photo(ExaminedPhoto)
  case ignored(kind: String)
  case failed(ImportFailure)
}

/// A photo that was read and is to be stored.
struct ExaminedPhoto: Sendable {
  var path: FilePath
  var original: NewOriginal
  /// Nil where the archive has one already, or the picture can't be decoded by this build.
  var thumbnail: StoredThumbnail?
  var isUndecoded = false
  /// Whether a note has the content already.
  var isInUse = false
  /// When the file was last modified, with this machine's offset at that time.
  var modifiedAt: Moment

  /// Gives the file's bytes from the first to the last; the file is opened at the first call.
  ///
  /// An error ends the bytes. The archive compares their digest, so that it does not go unseen.
  func fill() -> (UnsafeMutableRawBufferPointer) -> Int {
    var file: SourceFile?
    var offset = 0
    return { buffer in
      if file == nil { file = (try? SourceFile.open(path)) ?? nil }
      let count = (try? file?.read(into: buffer, at: offset)) ?? 0
      offset += count
      return count
    }
  }
}

/// Looks at files: on any number of threads, without a trace in the file or the archive.
struct PhotoExaminer: Sendable {
  /// Nil before there is one, as a dry run may find it: nothing is known then.
  let archive: Archive?
  let settings: ThumbnailSettings
  let keepsUndecodable: Bool

  func examine(_ candidate: Candidate) -> Finding {
    switch candidate.found {
    case .hiddenFolder: .ignored(kind: "hidden folder")
    case .unreadable(_, let error): .failed(.unreadable(error))
    case .file(let path, _): examine(path)
    }
  }

  private func examine(_ path: FilePath) -> Finding {
    let file: SourceFile?
    do throws(FileError) { file = try SourceFile.open(path) } catch {
      return .failed(.unreadable(error))
    }
    guard let file else { return .ignored(kind: "special file") }
    guard !path.isHidden else { return .ignored(kind: "hidden file") }
    do {
      let isPhoto = try Self.isNamedAsPhoto(path) || Self.isPicture(file)
      guard isPhoto else {
        let kind = path.fileExtension
        return .ignored(kind: kind.isEmpty ? "no extension" : kind)
      }
      guard file.size > 0 else { throw ImageError.empty }
      return .photo(try examine(file, path))
    } catch let error as ImageError {
      var failure = ImportFailure(error)
      if case .unsupported = error {
        failure.remedy += " Or keep it without a thumbnail: import it with --keep-undecodable."
      }
      return .failed(failure)
    } catch let error as FileError {
      return .failed(.unreadable(error))
    } catch {
      return .failed(
        ImportFailure(.unreadable, "\(error)", remedy: "Check that the archive can be read."))
    }
  }

  private func examine(_ file: SourceFile, _ path: FilePath) throws -> ExaminedPhoto {
    let digest = try file.digest()
    let modifiedAt = Moment(localMilliseconds: file.modifiedAt)
    if let known = try archive?.knowledge(of: digest) {
      let thumbnail =
        known.hasThumbnail ? nil : try? Thumbnail.make(from: file.source(), recipe: settings.recipe)
      return ExaminedPhoto(
        path: path,
        original: NewOriginal(
          digest: digest,
          properties: thumbnail.map { PhotoProperties($0, byteSize: file.size) }
            ?? known.properties),
        thumbnail: thumbnail.map(settings.stored),
        isUndecoded: thumbnail == nil && !known.hasThumbnail, isInUse: known.isInUse,
        modifiedAt: modifiedAt)
    }
    let thumbnail: Thumbnail
    do throws(ImageError) {
      thumbnail = try Thumbnail.make(from: file.source(), recipe: settings.recipe)
    } catch {
      guard keepsUndecodable, case .unsupported = error,
        let picture = UndecodedPicture(file.source())
      else { throw error }
      return ExaminedPhoto(
        path: path,
        original: NewOriginal(
          digest: digest, properties: PhotoProperties(picture, byteSize: file.size)),
        isUndecoded: true, modifiedAt: modifiedAt)
    }
    return ExaminedPhoto(
      path: path,
      original: NewOriginal(
        digest: digest, properties: PhotoProperties(thumbnail, byteSize: file.size)),
      thumbnail: settings.stored(thumbnail), modifiedAt: modifiedAt)
  }

  /// Whether the content is a picture's, of a kind that is read or of one that is not.
  private static func isPicture(_ file: SourceFile) throws -> Bool {
    do throws(ImageError) { _ = try ImageFormat(file.source()) } catch {
      switch error {
      case .empty, .notAnImage: return false
      case .unreadable: throw error
      default: return true
      }
    }
    return true
  }

  /// Whether the name promises a photo, so that anything else in the file is worth a complaint.
  private static func isNamedAsPhoto(_ path: FilePath) -> Bool {
    [
      "jpg", "jpeg", "jpe", "jfif", "mpo", "png", "heic", "heif", "avif", "webp", "gif", "tif",
      "tiff", "bmp", "jxl", "jp2", "dng", "cr2", "cr3", "nef", "arw", "orf", "rw2", "raf", "pef",
      "srw",
    ].contains(path.fileExtension)
  }
}

extension SourceFile {
  /// The file's bytes for the decoder, from the first on.
  func source() -> ByteSource {
    var offset = 0
    return ByteSource { [self] buffer in
      let count = try read(into: buffer, at: offset)
      offset += count
      return count
    }
  }

  func digest() throws(FileError) -> ContentDigest {
    var hash = SHA256()
    var offset = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try read(into: buffer, at: offset), count > 0 {
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
    return hash.finalize()
  }
}

extension PhotoProperties {
  init(_ thumbnail: Thumbnail, byteSize: Int) {
    let properties = thumbnail.properties
    let exif = properties.exif
    self.init(
      format: properties.format.rawValue, width: properties.uprightSize.width,
      height: properties.uprightSize.height, byteSize: byteSize,
      taken: exif?.captureDate.map(Moment.init), damaged: thumbnail.outcome == .damaged,
      cameraMake: exif?.make,
      cameraModel: exif?.model, latitude: exif?.position?.latitude,
      longitude: exif?.position?.longitude)
  }

  /// Sides that are not known are 0.
  init(_ picture: UndecodedPicture, byteSize: Int) {
    self.init(
      format: picture.format, width: picture.uprightSize?.width ?? 0,
      height: picture.uprightSize?.height ?? 0, byteSize: byteSize)
  }
}

extension Moment {
  init(_ capture: CaptureDate) {
    self.init(
      wallMilliseconds: capture.localSeconds * 1000 + capture.milliseconds,
      utcOffset: capture.offset)
  }
}

extension ImportFailure {
  static func unreadable(_ error: FileError) -> ImportFailure {
    let remedy =
      switch error.code {
      case ENOENT: "Check the name; a link that leads nowhere can be deleted."
      case EACCES, EPERM: "Give yourself permission to read it."
      case ELOOP: "Delete the link, which leads back to where it is."
      default: "Check the disk or card, then import it again."
      }
    return ImportFailure(.unreadable, "\(error.reason).", remedy: remedy)
  }

  /// A decoder's error, in an import's words.
  init(_ error: ImageError) {
    if case .unreadable(let cause as FileError) = error {
      self = .unreadable(cause)
      return
    }
    self.init(
      Reason(error), error.errorDescription ?? error.code, remedy: error.recoverySuggestion ?? "")
    if reason == .outOfMemory { remedy = "Free some memory, or run with --jobs 1." }
  }
}

extension ImportFailure.Reason {
  fileprivate init(_ error: ImageError) {
    self =
      switch error {
      case .empty: .empty
      case .notAnImage: .notAnImage
      case .unsupported: .unsupportedFormat
      case .truncated: .truncated
      case .malformed: .malformed
      case .tooLarge: .tooLarge
      case .tooSlow: .tooSlow
      case .outOfMemory: .outOfMemory
      case .unreadable: .unreadable
      }
  }
}
