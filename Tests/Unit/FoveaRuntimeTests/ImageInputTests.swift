// Fovea - tests of filling an input from pixels of any layout.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ImageInputTests {
  static func session(width: Int, height: Int, gray: Bool = false) throws -> Session {
    let image = ImageFeature(width: width, height: height, colorSpace: gray ? .grayscale : .rgb)
    return try Session(model: Model(file: ImageLoweringTests.model(image, []), name: "test"))
  }

  static func bytes(_ session: Session) throws -> [UInt8] {
    try session.withInputBytes("image") { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test func everyFormatFillsAnInput() throws {
    let session = try Self.session(width: 2, height: 1)
    func fill(_ format: PixelFormat, _ pixels: [UInt8]) throws -> [UInt8] {
      try session.fillImageInput(
        "image", from: pixels.span.bytes, layout: PixelLayout(format: format, width: 2, height: 1))
      return try Self.bytes(session)
    }
    #expect(try fill(.rgb, [1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6])
    #expect(try fill(.bgr, [1, 2, 3, 4, 5, 6]) == [3, 2, 1, 6, 5, 4])
    #expect(try fill(.rgba, [1, 2, 3, 9, 4, 5, 6, 9]) == [1, 2, 3, 4, 5, 6])
    #expect(try fill(.bgra, [1, 2, 3, 9, 4, 5, 6, 9]) == [3, 2, 1, 6, 5, 4])
    #expect(try fill(.gray, [7, 8]) == [7, 7, 7, 8, 8, 8])
    #expect(try fill(.nv12, [16, 235, 128, 128]) == [0, 0, 0, 255, 255, 255])
    #expect(try fill(.yuyv, [16, 128, 235, 128]) == [0, 0, 0, 255, 255, 255])
  }

  @Test func alphaAndEncodingAreFollowed() throws {
    let session = try Self.session(width: 1, height: 1)
    func fill(_ layout: PixelLayout, _ pixels: [UInt8]) throws -> [UInt8] {
      try session.fillImageInput("image", from: pixels.span.bytes, layout: layout)
      return try Self.bytes(session)
    }
    var layout = PixelLayout(
      format: .rgba, width: 1, height: 1, alpha: .composed(red: 255, green: 0, blue: 100))
    #expect(try fill(layout, [255, 255, 100, 51]) == [255, 51, 100])
    layout = PixelLayout(format: .yuyv, width: 1, height: 1, yuvEncoding: .bt709Full)
    // 100 + 1.5748 * 72 = 213.4 and 100 - 0.4681 * 72 = 66.3
    #expect(try fill(layout, [100, 128, 0, 200]) == [213, 66, 100])
  }

  @Test func layoutsHaveNoGapsUnlessStated() {
    let layout = PixelLayout(format: .nv12, width: 5, height: 3)
    #expect(layout.rowBytes == 5)
    #expect(layout.chromaOffset == 15)
    #expect(layout.chromaRowBytes == 6)
    #expect(PixelLayout(format: .yuyv, width: 5, height: 3).rowBytes == 12)
    #expect(PixelLayout(format: .bgra, width: 5, height: 3).rowBytes == 20)
    #expect(PixelLayout(format: .rgb, width: .max, height: 3).rowBytes == .max)
  }

  /// An image of 4 x 2 on its side: its columns, from the right, are rows of the output, in the
  /// middle of 4 x 4; the rest is black.
  @Test func partsAreTurnedAndPadded() throws {
    let session = try Self.session(width: 4, height: 4)
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let sampling = ImageSampling(
      map: AffineMap(a: 0, b: -1, c: 1, d: 0, tx: 4, ty: -1), sourceColumns: 0..<4,
      sourceRows: 0..<2,
      contentColumns: 1..<3, contentRows: 0..<4)
    try session.fillImageInput(
      "image", from: pixels.span.bytes, layout: PixelLayout(format: .gray, width: 4, height: 2),
      sampling: sampling)
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 4, height: 2), orientation: .left,
      cropAndScaleAction: .scaleToFit, modelSize: ImageSize(width: 4, height: 4))
    #expect(try geometry.sampling() == sampling)
    let gray = try Self.bytes(session).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    #expect(gray == [0, 4, 8, 0, 0, 3, 7, 0, 0, 2, 6, 0, 0, 1, 5, 0])
  }

  @Test func areaTakesAllPixels() throws {
    let session = try Self.session(width: 1, height: 1, gray: true)
    let pixels: [UInt8] = [0, 90, 0, 90, 0, 90, 0, 90]
    let layout = PixelLayout(format: .gray, width: 8, height: 1)
    try session.fillImageInput("image", from: pixels.span.bytes, layout: layout, filter: .area)
    #expect(try Self.bytes(session) == [45])
  }

  @Test func layoutsThatMakeNoSenseAreRefused() throws {
    let session = try Self.session(width: 2, height: 2)
    let pixels = [UInt8](repeating: 0, count: 48)
    func code(_ layout: PixelLayout, _ sampling: ImageSampling? = nil) -> FoveaError.Code? {
      #expect(throws: FoveaError.self) {
        try session.fillImageInput(
          "image", from: pixels.span.bytes, layout: layout, sampling: sampling)
      }?.code
    }
    #expect(code(PixelLayout(format: .rgb, width: 0, height: 4)) == .invalidArgument)
    #expect(code(PixelLayout(format: .rgb, width: -4, height: 4)) == .overflow)
    #expect(code(PixelLayout(format: .rgb, width: 4, height: 5)) == .bufferTooSmall)
    #expect(
      code(PixelLayout(format: .rgb, width: 4, height: 4, rowBytes: 11)) == .invalidArgument)
    #expect(code(PixelLayout(format: .rgb, width: .max, height: .max)) == .overflow)
    let mixed = ImageSampling(
      map: AffineMap(a: 1, b: 1, c: 0, d: 1, tx: 0, ty: 0), sourceColumns: 0..<4, sourceRows: 0..<4,
      contentColumns: 0..<2, contentRows: 0..<2)
    #expect(code(PixelLayout(format: .rgb, width: 4, height: 4), mixed) == .invalidArgument)
    let none: [UInt8] = []
    #expect(throws: FoveaError.self) {
      try session.fillImageInput(
        "image", from: none.span.bytes, layout: PixelLayout(format: .rgb, width: 1, height: 1))
    }
  }
}
