// Fovea - what networks do with a picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What a network does with a picture. Raw values are those of `task` in Ultralytics' metadata, where
/// these have one.
package enum NetworkTask: String, Sendable, Hashable, CaseIterable {
  /// Boxes alone.
  case detect
  /// Boxes with masks.
  case segment
  /// Boxes with key points.
  case pose
  /// Turned boxes.
  case obb
  /// The probability of each class.
  case classify
  /// A class for each pixel.
  case semantic
  /// A distance, or something that follows from it, for each pixel.
  case depth
  /// Another picture.
  case image
  /// A row of numbers by which pictures are compared.
  case embedding

  /// What it writes, in words.
  package var text: String {
    switch self {
    case .detect: "objects"
    case .segment: "objects with masks"
    case .pose: "objects with key points"
    case .obb: "turned boxes"
    case .classify: "probabilities of classes"
    case .semantic: "a map of classes"
    case .depth: "a map of depth"
    case .image: "a picture"
    case .embedding: "an embedding"
    }
  }

  /// What does it, for people who tried something else.
  package var remedy: String {
    switch self {
    case .detect, .segment, .pose, .obb: "'fovea detect' or DetectObjectsRequest"
    case .classify: "'fovea classify' or ClassifyImageRequest"
    case .semantic: "'fovea segment' or SegmentImageRequest"
    case .depth: "'fovea depth' or EstimateDepthRequest"
    case .image: "'fovea transform' or TransformImageRequest"
    case .embedding: "'fovea embed' or ImageEmbeddingRequest"
    }
  }
}

/// A task that a file states.
package struct StatedTask: Sendable, Hashable {
  /// The task.
  package var task: NetworkTask
  /// Where it is stated, behind "because".
  package var reason: String

  /// The task that metadata state; `nil` where they state none that is known.
  package init?(_ metadata: [String: String]) {
    if let text = metadata["task"], let task = NetworkTask(rawValue: text) {
      self.task = task
      reason = "its metadata have task = \(text)"
    } else if let text = metadata["head"], let task = Self.heads[text] {
      self.task = task
      reason = "its metadata have head = \(text)"
    } else if let text = metadata[Self.previewKey], let task = Self.previews[text] {
      self.task = task
      reason = "its metadata have the preview type \(text)"
    } else {
      return nil
    }
  }

  /// The key of Core ML's metadata that says how Xcode shows what a network writes.
  private static let previewKey = "com.apple.coreml.model.preview.type"

  private static let previews: [String: NetworkTask] = [
    "imageClassifier": .classify, "imageSegmenter": .semantic, "depthEstimation": .depth,
    "poseEstimation": .pose,
  ]

  /// The names that Ultralytics' exporter writes.
  private static let heads: [String: NetworkTask] = [
    "Detect": .detect, "Segment": .segment, "Segment26": .segment, "Pose": .pose,
    "Pose26": .pose, "OBB": .obb, "OBB26": .obb, "Classify": .classify,
    "SemanticSegment": .semantic, "Depth": .depth, "RTDETRDecoder": .detect,
  ]
}
