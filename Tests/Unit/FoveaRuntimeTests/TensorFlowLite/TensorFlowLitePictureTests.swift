// Fovea - tests: pictures that TensorFlow Lite files turn themselves.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLitePictureTests {
  private static let (rows, columns) = (8, 9)

  /// A file that turns planes into an image with channels last, or leaves an image of three dimensions
  /// as it is.
  private static func file(_ shape: [Int32], turned: Bool) -> TensorFlowLiteWriter {
    let result: [Int32] = [1, Int32(rows), Int32(columns), 3]
    return .one(shape, to: result, turned ? .transpose : .reshape) { file in
      let list: [Int32] = turned ? [0, 2, 3, 1] : result
      return [file.constant("list", [4], list)]
    }
  }

  /// Pixels come out as they went in, divided by 255, with their channels last.
  @Test(arguments: [([1, 3, 8, 9], true), ([8, 9, 3], false)] as [([Int32], Bool)])
  func picturesAreTurnedByTheFile(shape: [Int32], turned: Bool) throws {
    let count = Self.rows * Self.columns * 3
    let pixels = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89) }
    for backend in [BackendOptions.reference, .float, .blas] {
      var options = Model.Options(backend: backend)
      options.pictures = PictureInput()
      let model = try Model(
        bytes: Self.file(shape, turned: turned).bytes(), name: "test", options: options)
      #expect(model.inputs[0].image != nil)
      let session = try Session(model: model)
      try session.setInput("x", to: Tensor(shape: [Self.rows, Self.columns, 3], uint8s: pixels))
      session.run()
      let found = try session.output("y")
      #expect(found.shape == [1, Self.rows, Self.columns, 3])
      for (value, pixel) in zip(found.floats(), pixels) {
        #expect(abs(value - Float(pixel) / 255) < 1e-6)
      }
    }
  }

  /// What LiteRT computes.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [
      ("cls-first", [0.158436, 0.076353, 0.11119, 0.245605, 0.108164, 0.176656, 0.123596]),
      ("cls-first-sub", [0.148449, 0.120759, 0.133461, 0.219193, 0.119515, 0.132378, 0.126246]),
      ("sub-then-turn", [0.148449, 0.120759, 0.133461, 0.219193, 0.119515, 0.132378, 0.126246]),
      ("det-first", [0.593469, 0.137229, 0.813052, 0.298841, 0.596752, 0.438911, 0.564954]),
    ] as [(String, [Float])])
  func genuineFilesAgreeWithLiteRT(name: String, expected: [Float]) throws {
    let folder = "reports/a5-litert-genuine"
    var options = Model.Options()
    options.pictures = PictureInput(scale: [1], bias: [0])
    let path = SharedData.url("\(folder)/\(name).tflite").path
    #expect(try Model(contentsOf: path, options: options).inputs[0].shape == [96, 160, 3])
    let session = try Session(model: Model(contentsOf: path))
    try session.setInput("x", to: ReferenceOutputTests.npy("\(folder)/x.npy"))
    session.run()
    let found = try session.output("Identity").floats()
    let step = found.count / expected.count
    for (place, number) in expected.enumerated() {
      #expect(abs(found[place * step] - number) < 2e-6, "\(name)[\(place * step)]")
    }
  }
}
