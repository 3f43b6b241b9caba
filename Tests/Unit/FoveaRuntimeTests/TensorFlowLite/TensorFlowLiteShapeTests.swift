// Fovea - sizes, slices and orders of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLiteShapeTests {
  // MARK: Sizes

  /// Where TensorFlow finds sample i of `count`, of an axis of `size`.
  private static func place(
    _ i: Int, of count: Int, on size: Int, alignsCorners: Bool, hasHalfPixels: Bool
  ) -> Double {
    if alignsCorners, count > 1 { return Double(i * (size - 1)) / Double(count - 1) }
    let step = Double(size) / Double(count)
    return hasHalfPixels ? (Double(i) + 0.5) * step - 0.5 : Double(i) * step
  }

  @Test(arguments: [(false, false), (true, false), (false, true)])
  func imagesAreResizedAsTensorFlowDoes(_ alignsCorners: Bool, _ hasHalfPixels: Bool) throws {
    // On a ramp, a sample between two elements is its own place.
    let (rows, columns) = (4, 6)
    let ramp = (0..<rows * columns).map { Float($0 / columns * 100 + $0 % columns) }
    for (height, width) in [(8, 12), (7, 5), (2, 3), (4, 9), (1, 1), (3, 6)] {
      func places(_ count: Int, _ size: Int) -> [Double] {
        (0..<count).map {
          Self.place(
            $0, of: count, on: size, alignsCorners: alignsCorners, hasHalfPixels: hasHalfPixels)
        }
      }
      for isNearest in [false, true] {
        func taken(_ count: Int, _ size: Int) -> [Double] {
          guard isNearest else {
            return places(count, size).map { min(max($0, 0), Double(size - 1)) }
          }
          return (0..<count).map { i in
            // Halves go up.
            let element =
              alignsCorners && count > 1
              ? (2 * i * (size - 1) + count - 1) / (2 * (count - 1))
              : hasHalfPixels ? (2 * i + 1) * size / (2 * count) : i * size / count
            return Double(min(element, size - 1))
          }
        }
        let expected = taken(height, rows).flatMap { y in
          taken(width, columns).map { Float(y * 100 + $0) }
        }
        let first = isNearest ? 0 : 2
        let file = TensorFlowLiteWriter.one(
          [1, Int32(rows), Int32(columns), 1], to: [1, Int32(height), Int32(width), 1],
          isNearest ? .resizeNearest : .resizeBilinear,
          [first: .byte(alignsCorners ? 1 : 0), first + 1: .byte(hasHalfPixels ? 1 : 0)]
        ) { [$0.constant("sizes", [2], [Int32(height), Int32(width)])] }
        let found = try file.run(["x": ramp])
        #expect(
          zip(found, expected).allSatisfy { abs($0 - $1) < 1e-3 },
          "\(height)x\(width), nearest: \(isNearest)")
        #expect(found.count == expected.count)
      }
    }
  }

  // MARK: Slices

  private struct Slice {
    var begins: [Int32]
    var ends: [Int32]
    var steps: [Int32]
    /// Begin, end, ellipsis, new axis, one index.
    var masks: [Int32]
    var expected: [Float]
  }

  /// Of [[0, 1, 2], [3, 4, 5]], as NumPy gives them.
  private static let slices: [Slice] = [
    .init(
      begins: [0, 1], ends: [2, 3], steps: [1, 1], masks: [0, 0, 0, 0, 0], expected: [1, 2, 4, 5]),
    .init(
      begins: [9, 9], ends: [9, 9], steps: [1, 1], masks: [3, 3, 0, 0, 0],
      expected: [0, 1, 2, 3, 4, 5]),
    .init(
      begins: [-1, 2], ends: [9, 0], steps: [1, -1], masks: [0, 0, 0, 0, 0], expected: [5, 4]),
    .init(
      begins: [0, 2], ends: [2, 0], steps: [1, -2], masks: [0, 2, 0, 0, 0], expected: [2, 0, 5, 3]),
    .init(
      begins: [-1, 0], ends: [0, 3], steps: [1, 1], masks: [0, 0, 0, 0, 1], expected: [3, 4, 5]),
    .init(
      begins: [0, -2], ends: [0, -1], steps: [1, 1], masks: [0, 0, 1, 0, 2], expected: [1, 4]),
    .init(
      begins: [0, 1], ends: [0, 2], steps: [1, 1], masks: [0, 0, 0, 1, 0], expected: [3, 4, 5]),
    .init(begins: [1], ends: [2], steps: [1], masks: [0, 0, 0, 0, 0], expected: [3, 4, 5]),
  ]

  @Test func slicesFollowTheirMasks() throws {
    for slice in Self.slices {
      let count = Int32(slice.begins.count)
      let options = slice.masks.enumerated().map { ($0.offset, FlatValue.int($0.element)) }
      let file = TensorFlowLiteWriter.one(
        [2, 3], to: [Int32(slice.expected.count)], .stridedSlice,
        Dictionary(uniqueKeysWithValues: options)
      ) {
        [
          $0.constant("begins", [count], slice.begins), $0.constant("ends", [count], slice.ends),
          $0.constant("steps", [count], slice.steps),
        ]
      }
      #expect(try file.run(["x": [0, 1, 2, 3, 4, 5]]) == slice.expected, "\(slice)")
    }
  }

  // MARK: Orders

  /// The order of the file comes back wherever it shows.
  @Test func imagesAreReadInTheOrderOfTheFile() throws {
    let image = ChannelsLastImage(3, 4, 5)
    var file = TensorFlowLiteWriter()
    let x = file.input("x", image.shape)
    let pooled = file.tensor("pooled", image.shape)
    file.add(.maxPool, [x], [pooled], [1: .int(1), 2: .int(1), 3: .int(1), 4: .int(1)])
    let row = file.constant("row", [5], [0, 10, 20, 30, 40] as [Float])
    let sum = file.tensor("sum", image.shape)
    file.add(.add, [pooled, row], [sum])
    let shape = file.constant("shape", [2], [12, -1] as [Int32])
    let flat = file.tensor("flat", [12, 5])
    file.add(.reshape, [sum, shape], [flat])
    file.outputs = [flat]
    let expected = image.numbers.enumerated().map { $0.element + Float($0.offset % 5 * 10) }
    #expect(try file.run(["x": image.numbers]) == expected)
  }

  /// A constant row beside planes is also read as it is, and a computed number meets planes.
  @Test func rowsAndNumbersMeetPlanes() throws {
    let image = ChannelsLastImage(2, 3, 5)
    var file = TensorFlowLiteWriter()
    let x = file.input("x", image.shape)
    let pooled = file.tensor("pooled", image.shape)
    file.add(.maxPool, [x], [pooled], [1: .int(1), 2: .int(1), 3: .int(1), 4: .int(1)])
    let row = file.constant("row", [5], [1, 2, 3, 4, 5] as [Float])
    let first = file.tensor("first", image.shape)
    file.add(.add, [pooled, row], [first])
    let shape = file.constant("shape", [2], [5, 1] as [Int32])
    let column = file.tensor("column", [5, 1])
    file.add(.reshape, [row, shape], [column])
    let given = file.input("number", [1])
    let none = file.constant("none", [0], [] as [Int32])
    let number = file.tensor("number alone", [])
    file.add(.reshape, [given, none], [number])
    let second = file.tensor("second", image.shape)
    file.add(.add, [first, number], [second])
    let begin = file.constant("begin", [2], [4, 0] as [Int32])
    let size = file.constant("size", [2], [1, 1] as [Int32])
    let last = file.tensor("last", [1, 1])
    file.add(.slice, [column, begin, size], [last])
    let result = file.tensor("result", image.shape)
    file.add(.add, [second, last], [result])
    file.outputs = [result]
    let expected = image.numbers.enumerated().map {
      $0.element + Float($0.offset % 5 + 1) + 100 + 5
    }
    #expect(try file.run(["x": image.numbers, "number": [100]]) == expected)
  }

  /// Channels of two images in turn, as TensorFlow and as PyTorch write it.
  @Test(arguments: [false, true])
  func channelsAreShuffledInOneStep(_ isTurned: Bool) throws {
    var file = TensorFlowLiteWriter()
    let images = [ChannelsLastImage(2, 3, 5, seed: 1), ChannelsLastImage(2, 3, 5, seed: 2)]
    let pooled = ["x", "z"].map { name in
      let given = file.input(name, images[0].shape)
      let pooled = file.tensor("pooled \(name)", images[0].shape)
      file.add(.maxPool, [given], [pooled], [1: .int(1), 2: .int(1), 3: .int(1), 4: .int(1)])
      return pooled
    }
    var last = file.tensor("both", [1, 2, 3, 10])
    file.add(.concatenation, pooled, [last], [0: .int(3)])
    func add(_ kind: TensorFlowLiteKind, _ shape: [Int32], _ parameter: [Int32]) {
      let list = file.constant("", [Int32(parameter.count)], parameter)
      let next = file.tensor("", shape)
      file.add(kind, [last, list], [next])
      last = next
    }
    if isTurned {
      add(.transpose, [1, 10, 2, 3], [0, 3, 1, 2])
      add(.reshape, [1, 2, 5, 2, 3], [1, 2, 5, 2, 3])
      add(.transpose, [1, 5, 2, 2, 3], [0, 2, 1, 3, 4])
      add(.reshape, [1, 10, 2, 3], [1, 10, 2, 3])
      add(.transpose, [1, 2, 3, 10], [0, 2, 3, 1])
    } else {
      add(.reshape, [1, 2, 3, 2, 5], [1, 2, 3, 2, 5])
      add(.transpose, [1, 2, 3, 5, 2], [0, 1, 2, 4, 3])
      add(.reshape, [1, 2, 3, 10], [1, 2, 3, 10])
    }
    file.outputs = [last]
    let expected = (0..<60).map { images[$0 % 2].numbers[$0 / 10 * 5 + $0 % 10 / 2] }
    for backend in [BackendOptions.reference, .float] {
      let found = try file.run(["x": images[0].numbers, "z": images[1].numbers], backend)
      #expect(found == expected)
    }
    // Two inputs become planes, and one output comes back.
    let model = try Model(bytes: file.bytes(), name: "test", options: .init(backend: .blas))
    #expect(model.nodes.count { $0.operation == "transpose" } == 3)
  }

  @Test func shapesExampleRunsAlikeOnAllBackends() throws {
    let image = ChannelsLastImage(5, 6, 2)
    let reference = try TensorFlowLiteExamples.shapes.run(["x": image.numbers])
    for backend in [BackendOptions.blas, .float] {
      let found = try TensorFlowLiteExamples.shapes.run(["x": image.numbers], backend)
      #expect(zip(found, reference).allSatisfy { abs($0 - $1) < 1e-3 })
    }
    #expect(reference.contains { $0 > 1 })
  }

  // MARK: What is refused

  @Test func operationsWithoutARuleAreNamedWithTheirPlaceAndResult() {
    var file = TensorFlowLiteExamples.convolution
    let found = file.tensor("places", [1, 4])
    file.add(.where, [3], [found])
    file.outputs = [found]
    let words = file.refusal()
    #expect(words.contains("operation 3 (WHERE, which gives \"places\")"), "\(words)")
    #expect(words.contains("cannot be run"))
  }

  @Test func sizesThatDependOnTheInputAreRefused() {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [2, 3])
    let shape = file.input("shape", [2], .int32)
    let y = file.tensor("y", [3, 2])
    file.add(.reshape, [x, shape], [y])
    file.outputs = [y]
    #expect(file.refusal().contains("\"shape\" depends on what the model is given"))
  }
}
