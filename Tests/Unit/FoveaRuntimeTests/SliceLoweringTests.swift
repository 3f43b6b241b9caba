// Fovea - slices, splits, crops and borders.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct SliceLoweringTests {
  @Test func equalPiecesAlongChannels() throws {
    let input = try ShapeLoweringTests.counting([1, 1, 4, 1, 2])
    let pieces = try LayerRunner().run(.split(count: 2), [input], outputCount: 2)
    #expect(pieces.map(\.shape) == [[1, 1, 2, 1, 2], [1, 1, 2, 1, 2]])
    #expect(pieces.map { $0.floats() } == [[0, 1, 2, 3], [4, 5, 6, 7]])
    let error = try LayerRunner().failure(.split(count: 3), [[1, 4, 1, 1]], outputCount: 3)
    #expect(error.code == .shapeMismatch)
  }

  @Test func piecesOfAnyDimension() throws {
    let input = try ShapeLoweringTests.counting([2, 4])
    let uneven = try LayerRunner().run(
      .splitND(SplitNDLayer(axis: -1, splitCount: 2, splitSizes: [1, 3])), [input], outputCount: 2)
    #expect(uneven.map { $0.floats() } == [[0, 4], [1, 2, 3, 5, 6, 7]])
    let equal = try LayerRunner().run(
      .splitND(SplitNDLayer(axis: 0, splitCount: 2)), [input], outputCount: 2)
    #expect(equal.map { $0.floats() } == [[0, 1, 2, 3], [4, 5, 6, 7]])
    for sizes in [[1, 2], [1, 4], [0, 4], [.max, .max]] {
      let error = try LayerRunner().failure(
        .splitND(SplitNDLayer(axis: 1, splitCount: 2, splitSizes: sizes)), [[2, 4]], outputCount: 2)
      #expect(error.code == .shapeMismatch)
    }
  }

  @Test(arguments: [
    (0, 7, 1, [0, 1, 2, 3, 4, 5, 6]), (1, -1, 1, [1, 2, 3, 4, 5]), (-3, 7, 1, [4, 5, 6]),
    (0, 7, 3, [0, 3, 6]), (0, 6, 3, [0, 3]), (-7, -6, 9, [0]), (5, 100, 1, [5, 6]),
    (0, .max, 4, [0, 4]),
  ])
  func sliceOfOneDimension(start: Int, end: Int, stride: Int, expected: [Int]) throws {
    for (axis, shape) in [
      (SliceAxis.channel, [1, 7, 1, 1]), (.height, [1, 1, 7, 1]), (.width, [7]),
    ] {
      let layer = SliceLayer(start: start, end: end, stride: stride, axis: axis)
      let output = try LayerRunner().run(.slice(layer), [ShapeLoweringTests.counting(shape)])
      #expect(output.floats() == expected.map { Float($0) })
    }
  }

  @Test func slicesOfNothingAreRefused() throws {
    for (start, end) in [(3, 3), (4, 2), (7, 8), (-8, 2), (100, 102), (.min, .max)] {
      let layer = SliceLayer(start: start, end: end, stride: 1, axis: .width)
      #expect(try LayerRunner().failure(.slice(layer), [[7]]).code == .shapeMismatch)
    }
  }

  /// Begin, end, stride, masks and NumPy's answer for range(6).
  static let stridedCases: [(Int, Int, Int, Bool, Bool, [Float])] = [
    (1, 4, 1, false, false, [1, 2, 3]), (1, 4, 1, true, false, [0, 1, 2, 3]),
    (1, 4, 1, false, true, [1, 2, 3, 4, 5]), (-2, 100, 1, false, false, [4, 5]),
    (-100, 2, 1, false, false, [0, 1]), (0, 6, 4, false, false, [0, 4]),
    (4, 1, -1, false, false, [4, 3, 2]), (0, 0, -1, true, true, [5, 4, 3, 2, 1, 0]),
    (-1, -7, -2, false, false, [5, 3, 1]), (100, 0, -5, false, false, [5]),
    (5, .min, .min + 1, false, true, [5]),
  ]

  @Test(arguments: 0..<stridedCases.count)
  func sliceByTheRulesOfNumPy(index: Int) throws {
    let (begin, end, stride, beginMask, endMask, expected) = Self.stridedCases[index]
    let layer = SliceStaticLayer(
      begins: [begin], beginMasks: [beginMask], ends: [end], endMasks: [endMask],
      strides: [stride])
    let output = try LayerRunner().run(.sliceStatic(layer), [ShapeLoweringTests.counting([6])])
    #expect(output.floats() == expected)
  }

  @Test func squeezedIndicesVanish() throws {
    let layer = SliceStaticLayer(
      begins: [-1, 0, 1], beginMasks: [false, true, false], ends: [0, 0, 2],
      endMasks: [false, true, false], strides: [1, 2, 1], squeezeMasks: [true, false, false])
    let output = try LayerRunner().run(
      .sliceStatic(layer), [ShapeLoweringTests.counting([2, 3, 4])])
    #expect(output.shape == [2, 1])
    #expect(output.floats() == [13, 21])
    let empty = SliceStaticLayer(
      begins: [3], beginMasks: [false], ends: [1], endMasks: [false], strides: [1])
    #expect(try LayerRunner().failure(.sliceStatic(empty), [[6]]).code == .shapeMismatch)
    #expect(try LayerRunner().failure(.sliceStatic(empty), [[6, 2]]).code == .shapeMismatch)
  }

  @Test func cropInBothForms() throws {
    let input = try ShapeLoweringTests.counting([1, 1, 3, 4])
    let amounts = BorderAmounts(top: 1, bottom: 0, left: 2, right: 1)
    let cut = try LayerRunner().run(.crop(CropLayer(amounts: amounts)), [input])
    #expect(cut.shape == [1, 1, 2, 1])
    #expect(cut.floats() == [6, 10])
    let reference = try ShapeLoweringTests.counting([1, 1, 2, 2])
    let layer = CropLayer(amounts: BorderAmounts(), offset: [1, 1])
    let sized = try LayerRunner().run(.crop(layer), [input, reference])
    #expect(sized.floats() == [5, 6, 9, 10])
    let beyond = CropLayer(amounts: BorderAmounts(), offset: [2, 1])
    #expect(
      try LayerRunner().failure(.crop(beyond), [[1, 1, 3, 4], [1, 1, 2, 2]]).code
        == .shapeMismatch)
    let all = CropLayer(amounts: BorderAmounts(top: 2, bottom: 1))
    #expect(try LayerRunner().failure(.crop(all), [[1, 1, 3, 4]]).code == .shapeMismatch)
  }

  @Test func bordersOfThePlane() throws {
    let input = try Tensor(shape: [1, 2, 3], floats: [1, 2, 3, 4, 5, 6])
    func padded(_ mode: PaddingMode) throws -> [Float] {
      let amounts = BorderAmounts(top: 1, bottom: 0, left: 2, right: 1)
      let layer = SpatialPaddingLayer(mode: mode, amounts: amounts)
      let output = try LayerRunner().run(.padding(layer), [input])
      #expect(output.shape == [1, 3, 6])
      return output.floats()
    }
    #expect(
      try padded(.constant(9)) == [9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 9, 4, 5, 6, 9])
    #expect(
      try padded(.reflection) == [6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5])
    #expect(
      try padded(.replication) == [1, 1, 1, 2, 3, 3, 1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6])
  }

  @Test func bordersOfAnyDimension() throws {
    let input = try Tensor(shape: [1, 2], floats: [1, 2])
    let stated = try LayerRunner().run(
      .constantPad(ConstantPadLayer(value: 7, amounts: [1, 0, 0, 2])), [input])
    #expect(stated.shape == [2, 4])
    #expect(stated.floats() == [7, 7, 7, 7, 1, 2, 7, 7])
    let sized = try LayerRunner().run(
      .constantPad(ConstantPadLayer(value: 7, amounts: [2, 0, 0, 3], padsToGivenSize: true)),
      [input])
    #expect(sized.shape == [2, 3])
    #expect(sized.floats() == [7, 7, 7, 1, 2, 7])
    let small = ConstantPadLayer(value: 0, amounts: [0, 0, 0, 1], padsToGivenSize: true)
    #expect(try LayerRunner().failure(.constantPad(small), [[1, 2]]).code == .shapeMismatch)
  }
}
