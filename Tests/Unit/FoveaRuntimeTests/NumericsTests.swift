// Fovea - tests: numbers at the ends of what numbers can be, on every backend.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// What SECURITY.md says of numbers.
struct NumericsTests {
  private static let backends: [Backend] = [.reference, .blas, .float, .int8]

  private static func network(_ name: String) throws -> [UInt8] {
    try #require(LayerNetworks.all.first { $0.name == name }).bytes
  }

  private static func session(_ bytes: [UInt8], _ backend: Backend) throws -> Session {
    try Session(
      model: Model(bytes: bytes, name: "numerics", options: Model.Options(backend: .init(backend))))
  }

  private static func run(_ session: Session, _ input: Tensor) throws -> [Float] {
    try session.setInput("x", to: input)
    session.run()
    return try session.output("y").floats()
  }

  private static func filled(_ value: Float) throws -> Tensor {
    try Tensor(shape: [4, 6, 8], floats: Array(repeating: value, count: 192))
  }

  static let finiteNumbers: [Float] = [
    0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude / 100, .leastNormalMagnitude, 1, 1e6,
    -1e6,
  ]

  @Test(arguments: finiteNumbers)
  func finiteNumbersGiveTheReferencesAnswer(_ value: Float) throws {
    let bytes = try Self.network("chain")
    let expected = try Self.run(Self.session(bytes, .reference), Self.filled(value))
    #expect(expected.allSatisfy { $0.isFinite })
    for backend in [Backend.blas, .float] {
      expectClose(
        try Self.run(Self.session(bytes, backend), Self.filled(value)), expected, tolerance: 1e-4)
    }
    // Scores lie in 0...1; a quarter of that is more than codes of 8 bits lose in eight layers.
    let coded = try Self.run(Self.session(bytes, .int8), Self.filled(value))
    #expect(zip(coded, expected).allSatisfy { abs($0 - $1) < 0.25 })
  }

  /// Whatever a frame has put out, the next one is as if it had not been.
  @Test(arguments: backends)
  func whatIsNoNumberDoesNotStay(_ backend: Backend) throws {
    let session = try Self.session(try Self.network("chain"), backend)
    let sound = try tensor([4, 6, 8])
    let before = try Self.run(session, sound)
    for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      let found = try Self.run(session, Self.filled(value))
      #expect(found.count == before.count)
      #expect(try Self.run(session, sound) == before, "after \(value)")
    }
  }

  /// Codes have no place for what is no number.
  @Test func codesAreNumbers() throws {
    let session = try Self.session(try Self.network("chain"), .int8)
    for value in [Float.nan, .infinity, -.infinity] {
      let found = try Self.run(session, Self.filled(value))
      #expect(found.allSatisfy { $0.isFinite }, "\(value)")
    }
  }

  @Test(arguments: [UInt8(0), 255])
  func imagesOfOneColor(_ level: UInt8) throws {
    let bytes = try Self.network("images")
    let image = try Tensor(
      shape: [10, 12, 3], uint8s: Array(repeating: level, count: 360))
    let expected = try Self.run(Self.session(bytes, .reference), image)
    let largest = expected.reduce(1) { max($0, abs($1)) }
    for backend in Self.backends {
      let found = try Self.run(Self.session(bytes, backend), image)
      let allowed: Float = backend == .int8 ? 0.02 : 1e-5
      #expect(
        zip(found, expected).allSatisfy { abs($0 - $1) <= allowed * largest },
        "\(backend.rawValue)")
    }
  }

  /// 255 * 127 * 66000 is just below 2^31; a layer of more inputs would leave int32 and stays in floats.
  @Test(arguments: [66_000, 66_400, 140_000])
  func sumsAtTheEndsOfInt32(_ inputs: Int) throws {
    for sign in [Float(1), -1] {
      let layer = ConvolutionLayer(
        outputChannels: 1, kernelChannels: inputs, groups: 1,
        kernelSize: SpatialSize(height: 1, width: 1), stride: SpatialSize(height: 1, width: 1),
        dilation: SpatialSize(height: 1, width: 1), padding: .valid(BorderAmounts()),
        weights: weights(Array(repeating: sign, count: inputs)))
      let file = LayerRunner.model(.convolution(layer), shapes: [[inputs, 1, 1]])
      let ones = try Tensor(shape: [inputs, 1, 1], floats: Array(repeating: 1, count: inputs))
      for backend in Self.backends {
        let session = try Session(
          model: Model(file: file, name: "sums", options: Model.Options(backend: .init(backend))))
        try session.setInput("in0", to: ones)
        session.run()
        let sum = try session.output("out0").floats()[0]
        #expect(abs(sum - sign * Float(inputs)) <= 0.01 * Float(inputs), "\(backend.rawValue)")
      }
    }
  }
}
