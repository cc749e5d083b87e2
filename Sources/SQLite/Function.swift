import CSQLite

/// A function that SQL can call: its result depends on its arguments alone.
package struct Function: Sendable {
  package let name: String
  package let argumentCount: Int
  package let body: @Sendable (borrowing Arguments) -> Value

  package init(
    name: String, argumentCount: Int, body: @escaping @Sendable (borrowing Arguments) -> Value
  ) {
    (self.name, self.argumentCount, self.body) = (name, argumentCount, body)
  }

  /// What a call was given, lent for the time of the call; arguments count from 0.
  package struct Arguments: ~Copyable {
    fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?

    package func isNull(_ index: Int) -> Bool {
      sqlite3_value_type(values?[index]) == SQLITE_NULL
    }

    package func int(_ index: Int) -> Int { Int(sqlite3_value_int64(values?[index])) }

    package func double(_ index: Int) -> Double { sqlite3_value_double(values?[index]) }

    package func string(_ index: Int) -> String {
      withUTF8(index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Lends the UTF-8 of a text argument without a copy.
    package func withUTF8<Output>(
      _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Output
    ) -> Output {
      let text = sqlite3_value_text(values?[index])
      return body(
        UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(values?[index]))))
    }

    /// The argument in its own storage class.
    package func value(_ index: Int) -> Value {
      switch sqlite3_value_type(values?[index]) {
      case SQLITE_INTEGER: .integer(int(index))
      case SQLITE_FLOAT: .real(double(index))
      case SQLITE_TEXT: .text(string(index))
      case SQLITE_BLOB:
        .blob(
          [UInt8](
            UnsafeRawBufferPointer(
              start: sqlite3_value_blob(values?[index]),
              count: Int(sqlite3_value_bytes(values?[index])))))
      default: .null
      }
    }
  }

  func register(on connection: OpaquePointer) -> Int32 {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    return sqlite3_create_function_v2(
      connection, name, Int32(argumentCount), flags, Unmanaged.passRetained(Box(body)).toOpaque(),
      callFunction, nil, nil, releaseFunction)
  }
}

private final class Box {
  let body: @Sendable (borrowing Function.Arguments) -> Value
  init(_ body: @escaping @Sendable (borrowing Function.Arguments) -> Value) { self.body = body }
}

// Functions of the file, as SQLite calls them from whichever thread runs the statement.

private func callFunction(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let data = sqlite3_user_data(context) else { return }
  let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
  switch box.body(Function.Arguments(values: values)) {
  case .null: sqlite3_result_null(context)
  case .integer(let integer): sqlite3_result_int64(context, integer)
  case .real(let real): sqlite3_result_double(context, real)
  case .text(let text):
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        sqlite3_result_text64(
          context, $0.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(utf8.count), transient,
          UInt8(SQLITE_UTF8))
      }
    }
  case .blob(let bytes):
    bytes.withUnsafeBytes {
      sqlite3_result_blob64(
        context, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count), transient)
    }
  }
}

private func releaseFunction(data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<Box>.fromOpaque(data).release() }
}
