import Glibc

/// Tells that files of a folder are written, made or deleted, by inotify(7).
///
/// The folder rather than the file: SQLite deletes its write-ahead log when the last program closes.
struct FolderEvents: ~Copyable {
  /// Has something to read when something has happened; negative where the system gave none.
  let descriptor: Int32

  init(of folder: String) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO)
    if descriptor >= 0 { _ = inotify_add_watch(descriptor, folder, events) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what has happened: whether there was anything.
  func take() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isAny = false
    while descriptor >= 0, read(descriptor, &bytes, bytes.count) > 0 { isAny = true }
    return isAny
  }
}
