// Fovea - pictures made into the values that models take.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaGeometry
internal import FoveaImaging

extension MLFeatureValue {
  /// What is done with a picture of another size.
  public struct ImageOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The number of a `VNImageCropAndScaleOption`.
    public static let cropAndScale = ImageOption(rawValue: "cropAndScale")
    /// A rectangle in fractions of the picture, from the lower left.
    public static let cropRect = ImageOption(rawValue: "cropRect")
  }

  public convenience init(
    cgImage: CGImage, pixelsWide: Int, pixelsHigh: Int, pixelFormatType: OSType,
    options: [ImageOption: Any]? = nil
  ) throws {
    try self.init(
      cgImage: cgImage, orientation: .up, pixelsWide: pixelsWide, pixelsHigh: pixelsHigh,
      pixelFormatType: pixelFormatType, options: options)
  }

  public convenience init(
    cgImage: CGImage, orientation: CGImagePropertyOrientation, pixelsWide: Int, pixelsHigh: Int,
    pixelFormatType: OSType, options: [ImageOption: Any]? = nil
  ) throws {
    self.init(
      pixelBuffer: try Self.buffer(
        cgImage, orientation, pixelsWide, pixelsHigh, pixelFormatType, options))
  }

  public convenience init(
    cgImage: CGImage, constraint: MLImageConstraint, options: [ImageOption: Any]? = nil
  ) throws {
    try self.init(cgImage: cgImage, orientation: .up, constraint: constraint, options: options)
  }

  public convenience init(
    cgImage: CGImage, orientation: CGImagePropertyOrientation, constraint: MLImageConstraint,
    options: [ImageOption: Any]? = nil
  ) throws {
    try self.init(
      cgImage: cgImage, orientation: orientation, pixelsWide: constraint.pixelsWide,
      pixelsHigh: constraint.pixelsHigh, pixelFormatType: constraint.pixelFormatType,
      options: options)
  }

  public convenience init(
    imageAt url: URL, pixelsWide: Int, pixelsHigh: Int, pixelFormatType: OSType,
    options: [ImageOption: Any]? = nil
  ) throws {
    let (image, orientation) = try Self.picture(at: url)
    try self.init(
      cgImage: image, orientation: orientation, pixelsWide: pixelsWide, pixelsHigh: pixelsHigh,
      pixelFormatType: pixelFormatType, options: options)
  }

  public convenience init(
    imageAt url: URL, orientation: CGImagePropertyOrientation, pixelsWide: Int, pixelsHigh: Int,
    pixelFormatType: OSType, options: [ImageOption: Any]? = nil
  ) throws {
    try self.init(
      cgImage: Self.picture(at: url).0, orientation: orientation, pixelsWide: pixelsWide,
      pixelsHigh: pixelsHigh, pixelFormatType: pixelFormatType, options: options)
  }

  public convenience init(
    imageAt url: URL, constraint: MLImageConstraint, options: [ImageOption: Any]? = nil
  ) throws {
    let (image, orientation) = try Self.picture(at: url)
    try self.init(
      cgImage: image, orientation: orientation, constraint: constraint, options: options)
  }

  public convenience init(
    imageAt url: URL, orientation: CGImagePropertyOrientation, constraint: MLImageConstraint,
    options: [ImageOption: Any]? = nil
  ) throws {
    try self.init(
      cgImage: Self.picture(at: url).0, orientation: orientation, constraint: constraint,
      options: options)
  }

  private static func picture(at url: URL) throws -> (CGImage, CGImagePropertyOrientation) {
    do throws(ImageError) {
      let image = try Image(contentsOf: url.path)
      guard let picture = CGImage(image) else {
        throw ImageError(.noPixels(width: image.width, height: image.height))
      }
      return (
        picture, CGImagePropertyOrientation(rawValue: UInt32(image.storedOrientation)) ?? .up
      )
    } catch {
      throw MLModelError(.io, error.description)
    }
  }

  private static func buffer(
    _ image: CGImage, _ orientation: CGImagePropertyOrientation, _ width: Int, _ height: Int,
    _ format: OSType, _ options: [ImageOption: Any]?
  ) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    let status = CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
    guard status == kCVReturnSuccess, let buffer, let canvas = buffer.canvas else {
      throw MLModelError(
        .generic, "no pictures of \(width) x \(height) pixels in the format \(format) can be made")
    }
    let number = (options?[.cropAndScale] as? NSNumber)?.uintValue ?? 2
    let rect = options?[.cropRect] as? CGRect ?? CGRect(x: 0, y: 0, width: 1, height: 1)
    do throws(GeometryError) {
      let geometry = try ImageGeometry(
        storedSize: ImageSize(width: image.width, height: image.height),
        orientation: orientation.imageOrientation,
        regionOfInterest: NormalizedRect(
          x: rect.minX, y: rect.minY, width: rect.width, height: rect.height),
        cropAndScaleAction: ImageCropAndScaleAction(visionOption: number) ?? .scaleToFill,
        modelSize: ImageSize(width: width, height: height))
      let map = geometry.map(from: .stored, to: .model)
      var clip = PixelClip(columns: 0..<width, rows: 0..<height)
      let content = geometry.contentRect
      clip.intersect(
        CGRect(x: content.x, y: content.y, width: content.width, height: content.height))
      image.withPlanes { planes in
        canvas.draw(
          DrawnImage(planes: planes, arrangement: image.arrangement),
          CGAffineTransform(map.a, map.c, map.b, map.d, map.tx, map.ty), clip,
          ImageDrawingStyle())
      }
    } catch {
      throw MLModelError(.generic, error.description)
    }
    return buffer
  }
}

extension ImageCropAndScaleAction {
  /// The action with the number of a `VNImageCropAndScaleOption`.
  package init?(visionOption: UInt) {
    switch visionOption {
    case 0: self = .centerCrop
    case 1: self = .scaleToFit
    case 2: self = .scaleToFill
    case 0x101: self = .scaleToFitPlus90CCWRotation
    case 0x102: self = .scaleToFillPlus90CCWRotation
    default: return nil
    }
  }
}
