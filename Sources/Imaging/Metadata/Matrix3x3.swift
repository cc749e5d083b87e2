/// A 3×3 matrix, which turns one space of linear colours into another.
struct Matrix3x3: Sendable, Equatable {
  let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    columns = (first, second, third)
  }

  init(diagonal: SIMD3<Double>) {
    self.init(columns: [diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
  }

  static let identity = Matrix3x3(diagonal: SIMD3(repeating: 1))

  static func * (matrix: Matrix3x3, vector: SIMD3<Double>) -> SIMD3<Double> {
    matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
  }

  static func * (outer: Matrix3x3, inner: Matrix3x3) -> Matrix3x3 {
    Matrix3x3(
      columns: outer * inner.columns.0, outer * inner.columns.1, outer * inner.columns.2)
  }

  static func == (first: Matrix3x3, second: Matrix3x3) -> Bool { first.columns == second.columns }

  /// The volume that the unit cube is turned into; 0 where two colours would become one.
  var determinant: Double { (columns.0 * Self.cross(columns.1, columns.2)).sum() }

  /// The matrix that undoes this one, whose determinant must not be 0.
  var inverse: Matrix3x3 {
    // Cramer's rule: the rows of the inverse are the cross products of the columns.
    let rows = [
      Self.cross(columns.1, columns.2) / determinant,
      Self.cross(columns.2, columns.0) / determinant,
      Self.cross(columns.0, columns.1) / determinant,
    ]
    return Matrix3x3(
      columns: [rows[0].x, rows[1].x, rows[2].x], [rows[0].y, rows[1].y, rows[2].y],
      [rows[0].z, rows[1].z, rows[2].z])
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
