// Fovea - a picture that requests look at, and what they share of it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
package import FoveaFollowing
package import FoveaGeometry
package import FoveaImaging
package import FoveaRuntime
package import FoveaStills
package import FoveaVision

/// A picture that requests look at. Files are decoded once; pixels are looked at where they lie.
package final class VisionImage {
  package enum Source {
    case buffer(CVPixelBuffer)
    case image(CGImage)
    case file(ImageFile)
  }

  package let source: Source
  package let orientation: ImageOrientation
  /// What follows objects through the pictures of a sequence; `nil` for a picture alone.
  package var sequence: SequenceRequestHandler?
  /// When the picture was taken; `nil` where nobody says.
  package private(set) var time: CMTimeRange?
  private var shared: ImageRequestHandler?
  private var decoded: Image?

  package init(_ source: Source, _ orientation: ImageOrientation?) {
    self.source = source
    if let orientation {
      self.orientation = orientation
    } else if case .file(let file) = source {
      self.orientation = ImageOrientation(exif: file.header.orientation)
    } else {
      self.orientation = .up
    }
  }

  /// A picture of a recipe, which is followed unless it is pixels already.
  package convenience init(_ image: CIImage, _ orientation: ImageOrientation?) throws(VisionFailure)
  {
    if let buffer = image.pixelBuffer {
      self.init(.buffer(buffer), orientation)
      return
    }
    guard let picture = image.cgImage ?? CIContext().createCGImage(image, from: image.extent) else {
      throw VisionFailure(
        .invalidImage, "the image has the extent \(image.extent), which cannot be rendered")
    }
    self.init(.image(picture), orientation)
  }

  /// The picture of a frame, with its time.
  package convenience init(
    _ frame: CMSampleBuffer, _ orientation: ImageOrientation?
  ) throws(VisionFailure) {
    guard let buffer = frame.imageBuffer else {
      throw VisionFailure(.invalidImage, "the sample buffer has no picture")
    }
    self.init(.buffer(buffer), orientation)
    guard frame.presentationTimeStamp.isNumeric else { return }
    let duration = frame.duration.isNumeric ? frame.duration : .zero
    time = CMTimeRange(start: frame.presentationTimeStamp, duration: duration)
  }

  package convenience init(bytes: [UInt8], _ orientation: ImageOrientation?) throws(VisionFailure) {
    do throws(ImageError) {
      self.init(.file(try ImageFile(bytes: bytes)), orientation)
    } catch {
      throw VisionFailure(.invalidImage, error.description)
    }
  }

  package convenience init(path: String, _ orientation: ImageOrientation?) throws(VisionFailure) {
    do throws(ImageError) {
      self.init(.file(try ImageFile(contentsOf: path)), orientation)
    } catch {
      throw VisionFailure(.invalidImage, error.description)
    }
  }

  /// What a request of Fovea's finds in a part of the picture, which it needs decoded and upright.
  package func found<Request: StillRequest>(
    _ request: Request, in region: CGRect
  ) throws -> Request.Result {
    var request = request
    request.regionOfInterest = try NormalizedRect(regionOfInterest: region)
    return try handler().perform(request)
  }

  /// Where an object is that is followed through a sequence, whose next picture this one is.
  package func followed(
    _ request: TrackObjectRequest, by handler: SequenceRequestHandler
  ) throws -> TrackedObjectObservation {
    try withPlanes { try handler.perform([request], onPlanes: $0, orientation: orientation)[0] }
  }

  /// The picture for requests that need it decoded and upright.
  package func handler() throws -> ImageRequestHandler {
    if let shared { return shared }
    let made: ImageRequestHandler
    if case .file(let file) = source {
      made = ImageRequestHandler(file, orientation: orientation)
    } else {
      made = ImageRequestHandler(try rgb(), orientation: orientation)
    }
    shared = made
    return made
  }

  /// What was found in the picture, with the picture's time.
  package func dated<Observation: VNObservation>(_ found: [Observation]) -> [Observation] {
    if let time {
      for observation in found { observation.frameTime = time }
    }
    return found
  }

  /// Lends the pixels as they are stored. A file is decoded at its full size.
  package func withPlanes<Result>(_ body: (PixelPlanes) throws -> Result) throws -> Result {
    switch source {
    case .buffer(let buffer):
      defer { withExtendedLifetime(buffer) {} }
      guard let planes = buffer.pixelPlanes else {
        throw VisionFailure(
          .invalidFormat,
          "pixel buffers of the format \(buffer.format) are not looked at; "
            + "8-bit colors, gray, and luma with chroma are")
      }
      return try body(planes)
    case .image(let image):
      let outcome = image.withPlanes { planes in Swift.Result { try body(planes) } }
      return try outcome.get()
    case .file:
      let image = try rgb()
      let outcome = image.rgb.withUnsafeBufferPointer { bytes in
        Swift.Result {
          guard let base = bytes.baseAddress else {
            throw VisionFailure(.invalidImage, "the image has no pixels")
          }
          let planes = PixelArrangement.rgb.image(
            at: base, count: bytes.count, width: image.width, height: image.height,
            rowBytes: image.width * 3)
          return try body(PixelPlanes(planes))
        }
      }
      return try outcome.get()
    }
  }

  /// The picture for requests that take an image and its orientation.
  package func image() throws -> any ImageConvertible {
    if case .file(let file) = source { return file }
    return try rgb()
  }

  /// All pixels as red, green and blue, as they are stored.
  private func rgb() throws -> Image {
    if let decoded { return decoded }
    let image: Image
    if case .file(let file) = source {
      do {
        image = try file.decoded()
      } catch {
        throw VisionFailure(.invalidImage, error.description)
      }
    } else {
      image = try withPlanes { planes in
        let (width, height) = (planes.size.width, planes.size.height)
        guard
          let rgb = PixelResampler.rgb(planes, .identity, width: width, height: height)
        else { throw VisionFailure(.invalidImage, "the image has no pixels") }
        return Image(uprightRGB: rgb, width: width, height: height)
      }
    }
    decoded = image
    return image
  }
}
