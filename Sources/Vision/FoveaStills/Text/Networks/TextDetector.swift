// Fovea - a network that finds lines of text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// A network that finds lines of text, from a file: a detector of PP-OCR, or one like it.
///
/// It reads an array of 1 x 3 x rows x columns, levels from -1 to 1, and gives for each pixel how likely
/// text is there. Lines are where that is above 0.3; they are grown, as such networks are trained with
/// lines that have shrunk.
public final class TextDetector: Sendable {
  /// The longer side of what the network sees is at most this, in pixels.
  private static let longestSide = 960.0

  private let model: Model
  private let input: String
  private let output: String
  private let sessions = ModelVariants<SIMD2<Int>, SessionCache>()

  /// Loads a network.
  ///
  /// - Parameter path: An ONNX file, or a Core ML one.
  /// - Throws: `.detection` for a file that cannot be read; `.unsuitableModel` for a network of another
  ///   kind.
  public init(contentsOf path: String) throws(StillError) {
    let model = try StillError.translating { () throws(FoveaError) in try Model(contentsOf: path) }
    guard model.inputs.count == 1, let input = model.inputs.first, input.image == nil,
      input.shape.count == 4, input.shape[1] == 3, model.isFlexible, model.outputs.count == 1,
      let output = model.outputs.first, output.shape.count == 4,
      output.shape[1] == 1
    else {
      throw .unsuitableModel(
        "\(model.name) is no detector of text; expected an array of 1 x 3 x any height x any width, and"
          + " one of 1 x 1 x height x width that it makes of it")
    }
    (self.model, self.input, self.output) = (model, input.name, output.name)
  }

  /// The lines of text in a picture, in the order in which they are read.
  ///
  /// - Throws: `.detection`, `.libraryFailed` without memory.
  func lines(
    in picture: StillPicture, minimumHeight: Double
  ) throws(StillError) -> [TextLine] {
    let scale = min(1, Self.longestSide / Double(max(picture.width, picture.height)))
    let size = SIMD2(picture.width, picture.height)
    let columns = max(1, Int((Double(size.x) * scale / 32).rounded())) * 32
    let rows = max(1, Int((Double(size.y) * scale / 32).rounded())) * 32
    let map = try probabilities(in: picture, columns: columns, rows: rows)
    let stretch = SIMD2(Double(size.x) / Double(columns), Double(size.y) / Double(rows))
    let quads = try TextRegions.quads(in: map).map { quad in
      let corners = quad.corners.map { $0 * stretch }
      return PixelQuad(corners[0], corners[1], corners[2], corners[3])
    }
    let lines = quads.filter { $0.meanHeight >= max(minimumHeight, 3) }.map { quad in
      TextLine(quad: quad, xHeightShare: 0.5, isLight: picture.hasLightInk(quad))
    }
    return TextLineFinder.inReadingOrder(lines, angle: TextRegions.angle(of: quads))
  }

  /// How likely text is at each pixel, 0...255.
  private func probabilities(
    in picture: StillPicture, columns: Int, rows: Int
  ) throws(StillError) -> GrayImage {
    let whole = PixelQuad(
      x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    guard let image = picture.rectified(whole, width: columns, height: rows) else {
      throw .libraryFailed("no memory to look for lines of text")
    }
    let count = columns * rows
    var planes = [Float](repeating: 0, count: 3 * count)
    for index in 0..<count {
      // Blue, green, red: these networks are trained so.
      for channel in 0..<3 {
        planes[channel * count + index] = Float(image.rgb[3 * index + 2 - channel]) / 127.5 - 1
      }
    }
    let cache = try sessions(columns: columns, rows: rows)
    do throws(DetectionError) {
      let levels = try cache.withSession { session, _ throws(DetectionError) in
        do throws(FoveaError) {
          try session.setInput(
            input, to: try Tensor(shape: [1, 3, rows, columns], floats: planes))
          session.run()
          return try session.withOutput(output) { scores throws(FoveaError) in
            (0..<scores.count).map { UInt8(min(max(scores[$0], 0), 1) * 255) }
          }
        } catch {
          throw .runtime(error)
        }
      }
      guard levels.count == count else {
        throw .unsuitableModel("\(model.name) gives \(levels.count) numbers for \(count) pixels")
      }
      return GrayImage(width: columns, height: rows, pixels: levels)
    } catch {
      throw .detection(error)
    }
  }

  private func sessions(columns: Int, rows: Int) throws(StillError) -> SessionCache {
    try sessions.variant(for: SIMD2(columns, rows)) { () throws(StillError) in
      try StillError.translating { () throws(FoveaError) in
        let sized = try model.reshaped(images: [:], arrays: [input: [1, 3, rows, columns]])
        return try SessionCache(model: sized, pool: nil)
      }
    }
  }
}

extension StillPicture {
  /// Whether a line has fewer light pixels than dark ones.
  fileprivate func hasLightInk(_ quad: PixelQuad) -> Bool {
    guard let strip = rectifiedGray(quad, width: 96, height: 16) else { return false }
    let sorted = strip.pixels.sorted()
    let (dark, light) = (Int(sorted[sorted.count / 20]), Int(sorted[sorted.count * 19 / 20]))
    return Int(sorted[sorted.count / 2]) < (dark + light) / 2
  }
}
