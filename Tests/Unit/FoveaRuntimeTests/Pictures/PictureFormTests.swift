// Fovea - a picture in the place of an array.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// A model given a picture finds what it finds in the array that the picture stands for.
@Suite struct PictureFormTests {
  static let backends: [BackendOptions] = [.reference, .float, .blas]
  static let (rows, columns) = (PictureNetworks.rows, PictureNetworks.columns)

  /// An input's shape, and how pixels become its elements.
  struct Case: Sendable, CustomTestStringConvertible {
    var shape: [Int]
    var wish: PictureInput
    /// For each channel in the order of the array: its place in a pixel, factor and summand.
    var channels: [(place: Int, scale: Double, bias: Double)]

    var testDescription: String { "\(shape) \(wish)" }
  }

  static let cases: [Case] = {
    let plain = [0, 1, 2].map { (place: $0, scale: 1.0 / 255, bias: 0.0) }
    let named: [Float] = [0.02, 0.03, 0.05]
    let shifts: [Float] = [-1, 0.5, -2]
    let byColor = PictureInput(scale: named, bias: shifts)
    let byColorBlueFirst = PictureInput(scale: named, bias: shifts, color: .bgr)
    func channel(_ place: Int) -> (place: Int, scale: Double, bias: Double) {
      (place, Double(named[place]), Double(shifts[place]))
    }
    let all = [channel(0), channel(1), channel(2)]
    return [
      Case(shape: [1, 3, rows, columns], wish: PictureInput(), channels: plain),
      Case(shape: [1, rows, columns, 3], wish: PictureInput(), channels: plain),
      Case(shape: [3, rows, columns], wish: byColor, channels: all),
      Case(shape: [rows, columns, 3], wish: byColor, channels: all),
      Case(shape: [1, 3, rows, columns], wish: byColor, channels: all),
      Case(shape: [1, 3, rows, columns], wish: byColorBlueFirst, channels: all.reversed()),
      Case(shape: [1, rows, columns, 3], wish: byColorBlueFirst, channels: all.reversed()),
      Case(
        shape: [1, 3, rows, columns], wish: PictureInput(scale: [1], color: .bgr),
        channels: [2, 1, 0].map { ($0, 1, 0) }),
      Case(
        shape: [1, 1, rows, columns], wish: PictureInput(scale: [0.5], bias: [-3]),
        channels: [(0, 0.5, -3)]),
      Case(
        shape: [1, rows, columns, 1], wish: PictureInput(color: .gray),
        channels: [(0, 1.0 / 255, 0)]),
    ]
  }()

  @Test(arguments: cases) func pictureGivesWhatItsArrayGives(_ example: Case) throws {
    let count = example.channels.count
    let bytes = (0..<Self.rows * Self.columns * count).map { UInt8(truncatingIfNeeded: $0 * 89) }
    let array = Self.array(bytes, example)
    let file = PictureNetworks.convolution(example.shape)
    for backend in Self.backends {
      var options = Model.Options(backend: backend)
      let expected = try Self.run(
        Model(bytes: file, name: "test", options: options),
        Tensor(shape: example.shape, floats: array))
      options.pictures = example.wish
      let model = try Model(bytes: file, name: "test", options: options)
      let shape = [Self.rows, Self.columns] + (count == 1 ? [] : [3])
      #expect(model.inputs.map(\.shape) == [shape])
      let found = try Self.run(model, Tensor(shape: shape, uint8s: bytes))
      let largest = expected.map { abs($0) }.max() ?? 0
      #expect(largest > 0.1)
      for (found, expected) in zip(found, expected) {
        #expect(abs(found - expected) <= 2e-6 * largest, "\(backend)")
      }
    }
  }

  /// The elements of an array whose picture has these bytes, red first.
  private static func array(_ bytes: [UInt8], _ example: Case) -> [Float] {
    let count = example.channels.count
    let isLast = example.shape.last == count
    var array = [Float](repeating: 0, count: bytes.count)
    for pixel in 0..<rows * columns {
      for (index, channel) in example.channels.enumerated() {
        let place = isLast ? pixel * count + index : index * rows * columns + pixel
        array[place] = Float(
          Double(bytes[pixel * count + channel.place]) * channel.scale + channel.bias)
      }
    }
    return array
  }

  private static func run(_ model: Model, _ input: Tensor) throws -> [Float] {
    let session = try Session(model: model)
    try session.setInput(model.inputs[0].name, to: input)
    session.run()
    return try session.output("y").floats()
  }

  /// Networks with channels last turn the picture back, which costs nothing either.
  @Test(arguments: [[1, 3, rows, columns], [1, rows, columns, 3]])
  func factorsOfChannelsMoveIntoTheConvolution(_ shape: [Int]) throws {
    var options = Model.Options(backend: .float)
    options.pictures = PictureInput(scale: [0.02, 0.03, 0.05], bias: [-1, 0.5, -2])
    let model = try Model(
      bytes: PictureNetworks.convolution(shape), name: "test", options: options)
    #expect(model.nodes.map(\.operation).filter { $0 != "to_planes" } == ["pixels", "convolution"])
  }

  // MARK: What is no picture

  @Test(arguments: [
    [1, 4, 12, 16], [2, 3, 12, 16], [1, 3, 4, 4], [12, 16], [1, 12, 16, 2], [1, 3, 1, 12, 16],
  ])
  func otherArraysStayArrays(_ shape: [Int]) throws {
    var writer = ProgramWriter(inputs: [("x", shape)])
    writer.add("relu", ["x": .value("x")])
    var options = Model.Options()
    options.pictures = PictureInput()
    let model = try Model(bytes: writer.model(), name: "test", options: options)
    #expect(model.inputs.map(\.shape) == [shape] && model.inputs[0].image == nil)
    #expect(model.picture == nil)
    options.pictures = PictureInput(scale: [1])
    let error = #expect(throws: FoveaError.self) {
      try Model(bytes: writer.model(), name: "test", options: options)
    }
    #expect(error?.code == .invalidArgument)
    let message = try #require(error).message
    #expect(message.contains("an array of 1 or 3 channels"), "\(message)")
  }

  @Test func twoArraysThatCouldBePicturesStayArrays() throws {
    var writer = ProgramWriter(inputs: [("a", [1, 3, 12, 16]), ("b", [1, 3, 12, 16])])
    writer.add("add", ["x": .value("a"), "y": .value("b")])
    var options = Model.Options()
    options.pictures = PictureInput()
    let model = try Model(bytes: writer.model(), name: "test", options: options)
    #expect(model.inputs.allSatisfy { $0.image == nil })
  }

  @Test func picturesOfAnotherNumberOfChannelsAreRefused() throws {
    for (shape, wish, words) in [
      ([1, 3, 12, 16], PictureInput(color: .gray), "three channels"),
      ([1, 1, 12, 16], PictureInput(color: .bgr), "one channel"),
      ([1, 1, 12, 16], PictureInput(scale: [1, 2, 3]), "3 numbers for the scale"),
      ([1, 1, 12, 16], PictureInput(bias: [1, 2, 3]), "3 numbers for the bias"),
    ] {
      var options = Model.Options()
      options.pictures = wish
      let error = #expect(throws: FoveaError.self) {
        try Model(bytes: PictureNetworks.convolution(shape), name: "test", options: options)
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test func imagesSayThemselvesWhatTheirPixelsAre() throws {
    var writer = ProgramWriter(inputs: [("x", [1, 3, 12, 16])])
    writer.add("relu", ["x": .value("x")])
    var options = Model.Options()
    options.pictures = PictureInput()
    let bytes = writer.model(images: ["x": 20])
    #expect(try Model(bytes: bytes, name: "test", options: options).picture == nil)
    options.pictures = PictureInput(bias: [1])
    let error = #expect(throws: FoveaError.self) {
      try Model(bytes: bytes, name: "test", options: options)
    }
    #expect(error?.message.contains("reads images") == true, "\(error?.message ?? "")")
  }
}
