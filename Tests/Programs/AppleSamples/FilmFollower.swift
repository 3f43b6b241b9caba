// Fovea - a program as people write it: several objects followed through a film.
// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreImage
import Vision

/// Reads the frames of a film, in the order and position in which they are shown.
public final class VideoReader {
  private let assetReader: AVAssetReader
  private let output: AVAssetReaderTrackOutput
  private let track: AVAssetTrack

  public init?(url: URL) {
    let asset = AVAsset(url: url)
    guard let track = asset.tracks(withMediaType: AVMediaType.video).first else { return nil }
    self.track = track
    do {
      assetReader = try AVAssetReader(asset: asset)
    } catch let error as NSError {
      print("Failed to read: \(error.domain) \(error.code)")
      return nil
    }
    output = AVAssetReaderTrackOutput(
      track: track,
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ])
    guard assetReader.canAdd(output) else { return nil }
    assetReader.add(output)
    guard assetReader.startReading() else { return nil }
  }

  public func nextFrame() -> CVPixelBuffer? {
    guard let sampleBuffer = output.copyNextSampleBuffer() else { return nil }
    return CMSampleBufferGetImageBuffer(sampleBuffer)
  }

  public var orientation: CGImagePropertyOrientation {
    let affineTransform = track.preferredTransform
    let angleInDegrees = atan2(affineTransform.b, affineTransform.a) * CGFloat(180) / CGFloat.pi
    switch Int(angleInDegrees.rounded()) {
    case 0: return .up
    case 180, -180: return .down
    case 90: return .right
    case -90: return .left
    default: return .up
    }
  }
}

public protocol FilmFollowerDelegate: AnyObject {
  func follower(_ follower: FilmFollower, didFind boxes: [UUID: CGRect], lost: Int)
}

public final class FilmFollower {
  public weak var delegate: FilmFollowerDelegate?
  public var trackingLevel = VNRequestTrackingLevel.accurate
  private let videoURL: URL
  private var cancelRequested = false

  public init(videoURL: URL) { self.videoURL = videoURL }

  public func cancel() { cancelRequested = true }

  /// Follows what lies in boxes of the first frame until the last one.
  public func performTracking(objectsToTrack: [CGRect]) throws {
    guard let reader = VideoReader(url: videoURL), let firstFrame = reader.nextFrame() else {
      throw CocoaError(.fileReadCorruptFile)
    }
    var inputObservations = [UUID: VNDetectedObjectObservation]()
    for rect in objectsToTrack {
      let observation = VNDetectedObjectObservation(boundingBox: rect)
      inputObservations[observation.uuid] = observation
    }
    let requestHandler = VNSequenceRequestHandler()
    var trackingRequests: [VNTrackObjectRequest] = inputObservations.values.map { observation in
      let request = VNTrackObjectRequest(detectedObjectObservation: observation)
      request.trackingLevel = trackingLevel
      return request
    }
    var frame: CVPixelBuffer? = firstFrame
    while let current = frame {
      if cancelRequested { break }
      let next = reader.nextFrame()
      for request in trackingRequests { request.isLastFrame = next == nil }
      try requestHandler.perform(
        trackingRequests as [VNRequest], on: current, orientation: reader.orientation)
      var boxes = [UUID: CGRect]()
      var lost = 0
      for processedRequest in trackingRequests {
        guard let results = processedRequest.results,
          let observation = results.first as? VNDetectedObjectObservation
        else { continue }
        if observation.confidence < 0.3 { lost += 1 }
        inputObservations[observation.uuid] = observation
        boxes[observation.uuid] = observation.boundingBox
        processedRequest.inputObservation = observation
      }
      delegate?.follower(self, didFind: boxes, lost: lost)
      frame = next
    }
    trackingRequests.removeAll()
  }
}
