import Glibc

/// Walks folders in the order in which a person sees them: a folder's files in natural order, then
/// its folders; only the names of the folders on the way down are in memory.
struct FolderWalk: Sequence, IteratorProtocol {
  enum Found: Sendable, Equatable {
    /// A file, or whatever else is no folder. `folder` is nil for one that was named itself.
    case file(FilePath, folder: FilePath?)
    /// A folder whose name begins with a dot: it is not entered.
    case hiddenFolder(FilePath)
    /// A folder that can't be read, or a link that can't be followed.
    case unreadable(FilePath, FileError)
  }

  private var pending: [Step]

  private enum Step {
    case named(FilePath)
    case file(FilePath, folder: FilePath?)
    case folder(FilePath, ancestors: [Identity])
    case found(Found)
  }

  /// Tells one folder from another, whatever the path that leads to it.
  private struct Identity: Equatable {
    let device: UInt
    let inode: UInt
  }

  /// Walks each of `paths` in the order given.
  init(_ paths: [FilePath]) { pending = paths.reversed().map { .named($0) } }

  mutating func next() -> Found? {
    while let step = pending.popLast() {
      switch step {
      case .found(let found): return found
      case .file(let path, let folder): return .file(path, folder: folder)
      case .named(let path):
        switch Self.status(of: path) {
        case .success(let status) where status.isFolder:
          pending.append(.folder(path, ancestors: []))
        case .success: return .file(path, folder: nil)
        case .failure(let error): return .unreadable(path, error)
        }
      case .folder(let path, let ancestors):
        do throws(FileError) { try enter(path, ancestors) } catch {
          return .unreadable(path, error)
        }
      }
    }
    return nil
  }

  private mutating func enter(_ path: FilePath, _ ancestors: [Identity]) throws(FileError) {
    let own = try Self.status(of: path).get().identity
    // A link can lead back to a folder that we are in.
    guard !ancestors.contains(own) else { throw FileError(code: ELOOP) }
    let entries = try Self.entries(in: path).sorted { NaturalOrder.precedes($0.name, $1.name) }
    var files: [Step] = []
    var folders: [Step] = []
    for entry in entries {
      let child = path.appending(entry.name)
      switch entry.isFolder.map(Result.success) ?? Self.status(of: child).map(\.isFolder) {
      case .success(true):
        folders.append(
          child.isHidden
            ? .found(.hiddenFolder(child)) : .folder(child, ancestors: ancestors + [own]))
      case .success(false): files.append(.file(child, folder: path))
      case .failure(let error): files.append(.found(.unreadable(child, error)))
      }
    }
    pending += folders.reversed() + files.reversed()
  }

  private static func status(
    of path: FilePath
  ) -> Result<(isFolder: Bool, identity: Identity), FileError> {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return .failure(.last) }
    return .success(
      (
        status.st_mode & S_IFMT == S_IFDIR,
        Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
      ))
  }

  /// The names in a folder, and which of them are folders; nil for a link, which may lead to one.
  private static func entries(
    in folder: FilePath
  ) throws(FileError) -> [(name: [UInt8], isFolder: Bool?)] {
    let descriptor = try SourceFile.openUntouched(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard let stream = fdopendir(descriptor) else {
      let error = FileError.last
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    var entries: [(name: [UInt8], isFolder: Bool?)] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last }
        return entries
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      switch Int32(entry.pointee.d_type) {
      case Int32(DT_DIR): entries.append((name, true))
      case Int32(DT_LNK), Int32(DT_UNKNOWN): entries.append((name, nil))
      default: entries.append((name, false))
      }
    }
  }
}
