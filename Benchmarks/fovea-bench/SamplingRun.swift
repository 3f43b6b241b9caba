// Fovea - one way of sampling one image, timed turn by turn.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaRuntime

/// One way of sampling one image, timed turn by turn.
final class SamplingRun {
  private let session: Session
  private let layout: PixelLayout
  private let filter: ResamplingFilter
  private let isTurned: Bool
  private let side: Int
  private let pixels: [UInt8]
  private(set) var milliseconds: [Double] = []

  /// One way of sampling `pixels` into the input of a session.
  init(
    _ session: Session, side: Int, pixels: [UInt8], layout: PixelLayout, filter: ResamplingFilter,
    isTurned: Bool
  ) {
    self.session = session
    self.side = side
    self.pixels = pixels
    self.layout = layout
    self.filter = filter
    self.isTurned = isTurned
  }

  /// A network whose input is a square of `side`.
  static func session(side: Int, instructionSet: InstructionSet) throws -> Session {
    let shapes = try LayerShape.parse("input 3 1 1 1 \(side) \(side) 1 no", file: "sampling")
    return try Session(
      model: Model(
        file: shapes[0].network(), name: "sampling",
        options: .init(backend: .float, instructionSet: instructionSet)))
  }

  /// Noise in place of an image.
  static func noise(_ layout: PixelLayout) -> [UInt8] {
    var noise = NoiseGenerator()
    let chroma = layout.format == .nv12 ? layout.chromaRowBytes * ((layout.height + 1) / 2) : 0
    return (0..<layout.rowBytes * layout.height + chroma).map { _ in noise.byte() }
  }

  /// The first cells of a row.
  var cells: [ResultTable.Cell] {
    [
      .text("\(layout.width)x\(layout.height)"), .count(side), .text(filter.rawValue),
      .count(isTurned ? 90 : 0),
    ]
  }

  /// All of the image on its side: rows of the input are its columns.
  private var turned: ImageSampling {
    ImageSampling(
      map: AffineMap(
        a: 0, b: Double(layout.width) / Double(side), c: -Double(layout.height) / Double(side),
        d: 0, tx: 0, ty: Double(layout.height)),
      sourceColumns: 0..<layout.width, sourceRows: 0..<layout.height, contentColumns: 0..<side,
      contentRows: 0..<side)
  }

  /// The second of two runs: others used the caches before.
  func takeTurn() throws {
    let (pixels, sampling) = (pixels, isTurned ? turned : nil)
    var last = 0.0
    for _ in 0..<2 {
      let start = ContinuousClock.now
      try session.fillImageInput(
        "input", from: pixels.span.bytes, layout: layout, sampling: sampling, filter: filter)
      last = (ContinuousClock.now - start).milliseconds
    }
    milliseconds.append(last)
  }
}
