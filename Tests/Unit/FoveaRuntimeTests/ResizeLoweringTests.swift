// Fovea - enlargement and resizing against sample positions written down.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ResizeLoweringTests {
  /// Samples of 10 * row + column at positions, which a bilinear filter reproduces.
  static func expected(rows: [Double], columns: [Double], _ size: (Int, Int)) -> [Float] {
    rows.flatMap { row in
      columns.map { column in
        let r = min(max(row, 0), Double(size.0 - 1))
        let c = min(max(column, 0), Double(size.1 - 1))
        return Float(10 * r + c)
      }
    }
  }

  static func ramp(_ height: Int, _ width: Int) throws -> Tensor {
    let values = (0..<height).flatMap { row in (0..<width).map { Float(10 * row + $0) } }
    return try Tensor(shape: [1, 1, height, width], floats: values)
  }

  static func upsample(_ height: Int, _ width: Int, _ mode: UpsampleMode) -> LayerKind {
    .upsample(
      UpsampleLayer(scale: .integer(SpatialSize(height: height, width: width)), mode: mode))
  }

  @Test func nearestByWholeFactors() throws {
    let output = try LayerRunner().run(Self.upsample(2, 3, .nearestNeighbor), [Self.ramp(2, 2)])
    #expect(output.shape == [1, 1, 4, 6])
    let row: [Float] = [0, 0, 0, 1, 1, 1]
    #expect(output.floats() == row + row + row.map { $0 + 10 } + row.map { $0 + 10 })
  }

  /// Quotients that should be whole must not fall below: every element appears `factor` times.
  @Test(arguments: [3, 7, 10, 41, 49, 97])
  func nearestIsExactForEveryFactor(factor: Int) throws {
    let output = try LayerRunner().run(
      Self.upsample(1, factor, .nearestNeighbor), [Self.ramp(1, 13)])
    #expect(output.floats() == (0..<13 * factor).map { Float($0 / factor) })
  }

  @Test func nearestByFractions() throws {
    let layer = UpsampleLayer(scale: .fractional(height: 1, width: 1.5), mode: .nearestNeighbor)
    let output = try LayerRunner().run(.upsample(layer), [Self.ramp(1, 4)])
    #expect(output.floats() == [0, 0, 1, 2, 2, 3])
    let smaller = UpsampleLayer(scale: .fractional(height: 1, width: 0.7), mode: .nearestNeighbor)
    #expect(try LayerRunner().run(.upsample(smaller), [Self.ramp(1, 10)]).shape == [1, 1, 1, 7])
    let none = UpsampleLayer(scale: .fractional(height: 1, width: 0.01), mode: .nearestNeighbor)
    #expect(try LayerRunner().failure(.upsample(none), [[1, 1, 1, 4]]).code == .shapeMismatch)
    let endless = UpsampleLayer(
      scale: .fractional(height: 1, width: .infinity), mode: .nearestNeighbor)
    #expect(try LayerRunner().failure(.upsample(endless), [[1, 1, 1, 4]]).code == .shapeMismatch)
  }

  @Test func bilinearByWholeFactors() throws {
    let input = try Self.ramp(2, 3)
    // Spacing (size - size / out) / (out - 1): (2 - 0.5) / 3 and (3 - 0.5) / 5.
    let standard = try LayerRunner().run(Self.upsample(2, 2, .bilinear(.standard)), [input])
    expectClose(
      standard.floats(),
      Self.expected(rows: [0, 0.5, 1, 1.5], columns: [0, 0.5, 1, 1.5, 2, 2.5], (2, 3)))
    let corners = try LayerRunner().run(Self.upsample(2, 2, .bilinear(.alignCorners)), [input])
    expectClose(
      corners.floats(),
      Self.expected(
        rows: (0..<4).map { Double($0) / 3 }, columns: (0..<6).map { Double($0) * 2 / 5 }, (2, 3)))
    let centers = try LayerRunner().run(
      Self.upsample(2, 2, .bilinear(.halfPixelCenters)), [input])
    expectClose(
      centers.floats(),
      Self.expected(
        rows: (0..<4).map { (Double($0) + 0.5) / 2 - 0.5 },
        columns: (0..<6).map { (Double($0) + 0.5) / 2 - 0.5 }, (2, 3)))
  }

  @Test func resizingInItsFourModes() throws {
    let input = try Self.ramp(5, 7)
    func run(_ sampling: SamplingMode, _ height: Int, _ width: Int) throws -> [Float] {
      let layer = ResizeBilinearLayer(
        targetSize: SpatialSize(height: height, width: width), sampling: sampling)
      let output = try LayerRunner().run(.resizeBilinear(layer), [input])
      #expect(output.shape == [1, 1, height, width])
      return output.floats()
    }
    let ends = Self.expected(
      rows: [0, 2, 4], columns: (0..<4).map { Double($0) * 2 }, (5, 7))
    expectClose(try run(.strictAlignEndpoints, 3, 4), ends)
    expectClose(try run(.alignEndpoints, 3, 4), ends)
    expectClose(
      try run(.strictAlignEndpoints, 1, 1), Self.expected(rows: [2], columns: [3], (5, 7)))
    expectClose(try run(.alignEndpoints, 1, 1), [0])
    let rowStep = (5 - 5.0 / 3) / 2
    let columnStep = (7 - 7.0 / 4) / 3
    expectClose(
      try run(.upsample, 3, 4),
      Self.expected(
        rows: (0..<3).map { Double($0) * rowStep },
        columns: (0..<4).map { Double($0) * columnStep },
        (5, 7)))
    expectClose(
      try run(.regionOfInterestAlign, 3, 4),
      Self.expected(
        rows: (0..<3).map { (Double($0) + 0.5) * 4 / 3 },
        columns: (0..<4).map { (Double($0) + 0.5) * 6 / 4 }, (5, 7)))
  }
}
