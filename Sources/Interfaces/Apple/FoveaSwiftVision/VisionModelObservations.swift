// Fovea - what models find, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision
public import FoveaCoreML

/// Something in a rectangle.
public struct DetectedObjectObservation: VisionObservation, BoundingBoxProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public var boundingBox: NormalizedRect

  public init(boundingBox: NormalizedRect) {
    (uuid, confidence, originatingRequestDescriptor) = (UUID(), 1, nil)
    self.boundingBox = boundingBox
  }

  public init(_ observation: VNDetectedObjectObservation) { self.init(observation, nil) }

  init(_ observation: VNDetectedObjectObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
  }
}

/// An object with its classes, the most likely first.
public struct RecognizedObjectObservation: VisionObservation, BoundingBoxProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let boundingBox: NormalizedRect
  public let labels: [ClassificationObservation]

  public init(_ observation: VNRecognizedObjectObservation) { self.init(observation, nil) }

  init(_ observation: VNRecognizedObjectObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    labels = observation.labels.map { ClassificationObservation($0, descriptor) }
  }
}

/// A class that an object or a picture may belong to.
public struct ClassificationObservation: VisionObservation {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let identifier: String

  public init(_ observation: VNClassificationObservation) { self.init(observation, nil) }

  init(_ observation: VNClassificationObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    (originatingRequestDescriptor, identifier) = (descriptor, observation.identifier)
  }

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
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let featureName: String
  public let featureValue: MLSendableFeatureValue

  public init?(_ observation: VNCoreMLFeatureValueObservation) { self.init(observation, nil) }

  init(_ observation: VNCoreMLFeatureValueObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    (originatingRequestDescriptor, featureName) = (descriptor, observation.featureName)
    featureValue = MLSendableFeatureValue(value: observation.featureValue)
  }
}

/// A picture that a model made.
public struct PixelBufferObservation: VisionObservation {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let featureName: String?
  private let pixels: StoredPixels

  public init(_ observation: VNPixelBufferObservation) { self.init(observation, nil) }

  init(_ observation: VNPixelBufferObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    (originatingRequestDescriptor, featureName) = (descriptor, observation.featureName)
    pixels = StoredPixels(observation.pixelBuffer)
  }

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

/// Pixels of one plane in rows without gaps.
private struct StoredPixels: Hashable, Codable, Sendable {
  let width, height: Int
  let format: OSType
  let bytes: Data

  init(_ buffer: CVPixelBuffer) {
    (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    format = CVPixelBufferGetPixelFormatType(buffer)
    var bytes = Data()
    let row = width * Self.pixelBytes(format)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    if let base = CVPixelBufferGetBaseAddress(buffer) {
      for y in 0..<height {
        bytes.append(
          Data(bytes: base + y * CVPixelBufferGetBytesPerRow(buffer), count: row))
      }
    }
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    self.bytes = bytes
  }

  private static func pixelBytes(_ format: OSType) -> Int {
    switch format {
    case kCVPixelFormatType_OneComponent8: 1
    case kCVPixelFormatType_OneComponent16Half: 2
    default: 4
    }
  }

  func buffer() throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    let code = CVPixelBufferCreate(nil, width, height, format, nil, &made)
    guard let made, let base = CVPixelBufferGetBaseAddress(made) else {
      throw VisionError.pixelBufferCreationFailed(code)
    }
    let row = width * Self.pixelBytes(format)
    bytes.withUnsafeBytes { bytes in
      for y in 0..<height {
        (base + y * CVPixelBufferGetBytesPerRow(made)).copyMemory(
          from: bytes.baseAddress! + y * row, byteCount: row)
      }
    }
    return made
  }

  func value(at point: NormalizedPoint) -> Float {
    let x = min(max(Int(point.x * CGFloat(width)), 0), width - 1)
    let y = min(max(Int((1 - point.y) * CGFloat(height)), 0), height - 1)
    let place = (y * width + x) * Self.pixelBytes(format)
    return bytes.withUnsafeBytes { bytes in
      switch format {
      case kCVPixelFormatType_OneComponent16Half:
        Float(bytes.loadUnaligned(fromByteOffset: place, as: Float16.self))
      case kCVPixelFormatType_OneComponent32Float:
        bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
      default: Float(bytes[place]) / 255
      }
    }
  }
}
