import CSQLite

/// A function that SQL can call: its result depends on its arguments alone.
///
/// What it throws fails the statement.
package struct Function: Sendable {
  package let name: String
  package let argumentCount: Int
  private let body: @Sendable (borrowing Arguments) throws -> Value

  package init(
    name: String, argumentCount: Int,
    body: @escaping @Sendable (borrowing Arguments) throws -> Value
  ) {
    (self.name, self.argumentCount, self.body) = (name, argumentCount, body)
  }

  /// A function that makes something of an argument first, such as a pattern; where that argument
  /// is constant, this is done once for a statement and not for each of its rows.
  package init<Prepared>(
    name: String, argumentCount: Int, constantArgument: Int,
    prepare: @escaping @Sendable (borrowing Arguments) throws -> Prepared,
    body: @escaping @Sendable (Prepared, borrowing Arguments) throws -> Value
  ) {
    self.init(name: name, argumentCount: argumentCount) { arguments in
      try body(try arguments.prepared(at: constantArgument, prepare), arguments)
    }
  }

  /// What a call was given, lent for the time of the call; arguments count from 0.
  package struct Arguments: ~Copyable {
    fileprivate let context: OpaquePointer?
    fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?

    /// What was made of an argument for an earlier row, or makes and keeps it now.
    fileprivate func prepared<Prepared>(
      at index: Int, _ make: (borrowing Arguments) throws -> Prepared
    ) throws -> Prepared {
      if let kept = sqlite3_get_auxdata(context, Int32(index)) {
        return Unmanaged<Kept<Prepared>>.fromOpaque(kept).takeUnretainedValue().value
      }
      let made = try make(self)
      sqlite3_set_auxdata(
        context, Int32(index), Unmanaged<AnyObject>.passRetained(Kept(made)).toOpaque(), release)
      return made
    }

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
      _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Output
    ) rethrows -> Output {
      let text = sqlite3_value_text(values?[index])
      return try body(
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
      connection, name, Int32(argumentCount), flags,
      Unmanaged<AnyObject>.passRetained(Box(body)).toOpaque(), callFunction, nil, nil, release)
  }
}

/// What was made of a constant argument, as SQLite keeps it.
private final class Kept<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

private final class Box {
  let body: @Sendable (borrowing Function.Arguments) throws -> Value
  init(_ body: @escaping @Sendable (borrowing Function.Arguments) throws -> Value) {
    self.body = body
  }
}

// Functions of the file, as SQLite calls them from whichever thread runs the statement.

private func callFunction(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let data = sqlite3_user_data(context) else { return }
  let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
  let result: Value
  do { result = try box.body(Function.Arguments(context: context, values: values)) } catch {
    sqlite3_result_error(context, "\(error)", -1)
    return
  }
  switch result {
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

private func release(object: UnsafeMutableRawPointer?) {
  if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
}
