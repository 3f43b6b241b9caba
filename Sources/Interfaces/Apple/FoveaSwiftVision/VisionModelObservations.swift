// Fovea - what models find, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import CoreML
public import FoveaApple
public import FoveaAppleVision
internal import FoveaVision

/// Something in a rectangle.
public struct DetectedObjectObservation: VisionObservation, BoundingBoxProviding {
  var sighting: Sighting<NormalizedRect>

  public init(boundingBox: NormalizedRect) { self.init(sighting: Sighting(boundingBox)) }

  public init(_ observation: VNDetectedObjectObservation) {
    let box = NormalizedRect(normalizedRect: observation.boundingBox)
    self.init(sighting: Sighting(box, of: observation))
  }

  init(sighting: Sighting<NormalizedRect>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var boundingBox: NormalizedRect {
    get { sighting.value }
    set { sighting.value = newValue }
  }
}

/// An object with its classes, the most likely first.
public struct RecognizedObjectObservation: VisionObservation, BoundingBoxProviding {
  let sighting: Sighting<NormalizedRect>
  public let labels: [ClassificationObservation]

  public init(_ observation: VNRecognizedObjectObservation) {
    let box = NormalizedRect(normalizedRect: observation.boundingBox)
    sighting = Sighting(box, of: observation)
    labels = observation.labels.map { ClassificationObservation($0) }
  }

  init(
    _ object: FoveaVision.RecognizedObjectObservation, by descriptor: RequestDescriptor,
    at time: CMTimeRange?
  ) {
    sighting = Sighting(
      NormalizedRect(object.boundingBox), confidence: object.confidence, by: descriptor, at: time)
    labels = object.labels.map {
      ClassificationObservation(
        sighting: Sighting($0.identifier, confidence: $0.confidence, by: descriptor))
    }
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var boundingBox: NormalizedRect { sighting.value }
}

/// A class that an object or a picture may belong to.
public struct ClassificationObservation: VisionObservation {
  let sighting: Sighting<String>

  public init(_ observation: VNClassificationObservation) {
    self.init(sighting: Sighting(observation.identifier, of: observation))
  }

  init(sighting: Sighting<String>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var identifier: String { sighting.value }

  /// Models do not tell how precise they are.
  public var hasPrecisionRecallCurve: Bool { false }

  public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool {
    false
  }

  public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool {
    false
  }
}

/// An output of a model.
public struct CoreMLFeatureValueObservation: VisionObservation {
  let sighting: Sighting<MLSendableFeatureValue>
  public let featureName: String

  public init?(_ observation: VNCoreMLFeatureValueObservation) {
    featureName = observation.featureName
    sighting = Sighting(MLSendableFeatureValue(value: observation.featureValue), of: observation)
  }

  init(
    _ name: String, _ value: MLFeatureValue, by descriptor: RequestDescriptor,
    at time: CMTimeRange?
  ) {
    featureName = name
    sighting = Sighting(MLSendableFeatureValue(value: value), by: descriptor, at: time)
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var featureValue: MLSendableFeatureValue { sighting.value }
}

/// A picture that a model made.
public struct PixelBufferObservation: VisionObservation {
  let sighting: Sighting<StoredPixels>
  public let featureName: String?

  public init(_ observation: VNPixelBufferObservation) {
    featureName = observation.featureName
    sighting = Sighting(StoredPixels(observation.pixelBuffer), of: observation)
  }

  init(
    _ name: String?, _ buffer: CVPixelBuffer, by descriptor: RequestDescriptor?,
    at time: CMTimeRange? = nil
  ) {
    self.init(name, StoredPixels(buffer), by: descriptor, at: time)
  }

  init(
    _ name: String?, _ pixels: StoredPixels, by descriptor: RequestDescriptor?,
    at time: CMTimeRange?
  ) {
    featureName = name
    sighting = Sighting(pixels, by: descriptor, at: time)
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  private var pixels: StoredPixels { sighting.value }
  public var size: CGSize { CGSize(width: pixels.width, height: pixels.height) }
  public var pixelFormat: OSType { pixels.format }

  /// The picture with 8 bits a channel.
  public var cgImage: CGImage {
    get throws {
      let buffer = try pixels.buffer()
      let image = CIImage(cvPixelBuffer: buffer)
      guard let made = CIContext().createCGImage(image, from: image.extent) else {
        throw VisionError.invalidFormat("pixels of the format \(pixelFormat) are no picture")
      }
      return made
    }
  }

  /// Lends the bytes, row by row.
  public func withUnsafePointer<Result>(
    _ body: (UnsafeRawPointer) throws -> Result
  ) throws -> Result {
    try pixels.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { throw VisionError.invalidImage("no pixels") }
      return try body(base)
    }
  }

  /// The value of the first channel at a point: 0...1 for bytes, else as it is.
  public func pixel(at point: NormalizedPoint) -> Float { pixels.value(at: point) }
}
