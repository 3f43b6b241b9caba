// Fovea - performing requests on a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaFollowing
internal import FoveaGeometry

/// Choices for looking at a picture. None changes what is found.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let properties = VNImageOption(rawValue: "properties")
  public static let cameraIntrinsics = VNImageOption(rawValue: "cameraIntrinsics")
  public static let ciContext = VNImageOption(rawValue: "ciContext")
}

/// Performs requests on one picture.
public final class VNImageRequestHandler: NSObject {
  /// The picture, or why there is none. Initializers cannot fail; `perform(_:)` says it.
  private let picture: Result<VisionImage, VisionFailure>

  private init(_ make: () throws(VisionFailure) -> VisionImage) {
    picture = Result { () throws(VisionFailure) in try make() }
    super.init()
  }

  public convenience init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]
  ) {
    self.init { VisionImage(.buffer(pixelBuffer), .up) }
  }

  public convenience init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { VisionImage(.buffer(pixelBuffer), orientation.imageOrientation) }
  }

  public convenience init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) {
    self.init { VisionImage(.image(image), .up) }
  }

  public convenience init(
    cgImage image: CGImage, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { VisionImage(.image(image), orientation.imageOrientation) }
  }

  public convenience init(ciImage image: CIImage, options: [VNImageOption: Any] = [:]) {
    self.init { () throws(VisionFailure) in try VisionImage(image, .up) }
  }

  public convenience init(
    ciImage image: CIImage, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { () throws(VisionFailure) in
      try VisionImage(image, orientation.imageOrientation)
    }
  }

  /// The picture of a file, turned as the file says.
  public convenience init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
    self.init { () throws(VisionFailure) in try VisionImage(path: imageURL.path, nil) }
  }

  public convenience init(
    url imageURL: URL, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { () throws(VisionFailure) in
      try VisionImage(path: imageURL.path, orientation.imageOrientation)
    }
  }

  /// The picture in the bytes of a file, turned as these say.
  public convenience init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
    self.init { () throws(VisionFailure) in try VisionImage(bytes: [UInt8](imageData), nil) }
  }

  public convenience init(
    data imageData: Data, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { () throws(VisionFailure) in
      try VisionImage(bytes: [UInt8](imageData), orientation.imageOrientation)
    }
  }

  public convenience init(
    cmSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:]
  ) {
    self.init(cmSampleBuffer: sampleBuffer, orientation: .up, options: options)
  }

  public convenience init(
    cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    self.init { () throws(VisionFailure) in
      try VisionImage(sampleBuffer, orientation.imageOrientation)
    }
  }

  /// The picture, for observations that need its pixels again.
  func visionImage() throws(VisionFailure) -> VisionImage { try picture.get() }

  /// Performs requests one after another, and calls their handlers on this thread before it
  /// returns.
  ///
  /// - Throws: The first error, of `VNErrorDomain`. Other requests are performed all the same.
  public func perform(_ requests: [VNRequest]) throws {
    try Self.perform(requests, picture)
  }

  static func perform(
    _ requests: [VNRequest], _ picture: Result<VisionImage, VisionFailure>
  ) throws {
    var first: NSError?
    for request in requests {
      let failure: NSError?
      switch picture {
      case .success(let picture): failure = request.perform(in: picture)
      case .failure(let error):
        request.found = nil
        failure = error.nsError
        request.completionHandler?(request, failure)
      }
      first = first ?? failure
    }
    if let first { throw first }
  }
}

/// Performs requests on the pictures of a sequence, through which objects are followed.
public final class VNSequenceRequestHandler: NSObject {
  private let tracking = SequenceRequestHandler()

  public override init() { super.init() }

  public func perform(_ requests: [VNRequest], on pixelBuffer: CVPixelBuffer) throws {
    try perform(requests, on: pixelBuffer, orientation: .up)
  }

  public func perform(
    _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer,
    orientation: CGImagePropertyOrientation
  ) throws {
    try perform(requests) { VisionImage(.buffer(pixelBuffer), orientation.imageOrientation) }
  }

  public func perform(_ requests: [VNRequest], on image: CGImage) throws {
    try perform(requests, on: image, orientation: .up)
  }

  public func perform(
    _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation
  ) throws { try perform(requests) { VisionImage(.image(image), orientation.imageOrientation) } }

  public func perform(_ requests: [VNRequest], on image: CIImage) throws {
    try perform(requests, on: image, orientation: .up)
  }

  public func perform(
    _ requests: [VNRequest], on image: CIImage, orientation: CGImagePropertyOrientation
  ) throws {
    try perform(requests) { () throws(VisionFailure) in
      try VisionImage(image, orientation.imageOrientation)
    }
  }

  public func perform(_ requests: [VNRequest], on sampleBuffer: CMSampleBuffer) throws {
    try perform(requests, on: sampleBuffer, orientation: .up)
  }

  public func perform(
    _ requests: [VNRequest], on sampleBuffer: CMSampleBuffer,
    orientation: CGImagePropertyOrientation
  ) throws {
    try perform(requests) { () throws(VisionFailure) in
      try VisionImage(sampleBuffer, orientation.imageOrientation)
    }
  }

  public func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
    try perform(requests) { () throws(VisionFailure) in try VisionImage(path: imageURL.path, nil)
    }
  }

  public func perform(
    _ requests: [VNRequest], onImageURL imageURL: URL, orientation: CGImagePropertyOrientation
  ) throws {
    try perform(requests) { () throws(VisionFailure) in
      try VisionImage(path: imageURL.path, orientation.imageOrientation)
    }
  }

  public func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
    try perform(requests) { () throws(VisionFailure) in
      try VisionImage(bytes: [UInt8](imageData), nil)
    }
  }

  public func perform(
    _ requests: [VNRequest], onImageData imageData: Data, orientation: CGImagePropertyOrientation
  ) throws {
    try perform(requests) { () throws(VisionFailure) in
      try VisionImage(bytes: [UInt8](imageData), orientation.imageOrientation)
    }
  }

  private func perform(
    _ requests: [VNRequest], _ make: () throws(VisionFailure) -> VisionImage
  ) throws {
    let picture = Result { () throws(VisionFailure) in
      let picture = try make()
      picture.sequence = tracking
      return picture
    }
    try VNImageRequestHandler.perform(requests, picture)
  }
}
