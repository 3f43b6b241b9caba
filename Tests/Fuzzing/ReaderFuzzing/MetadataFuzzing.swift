// Fovea - fuzzing: what the metadata of a file say of its outputs.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaMaps
import FoveaRuntime
import FoveaTestSupport
import FoveaVision

/// Small networks whose outputs never change, with metadata of any text: tasks, names of classes and
/// key points, shapes, sizes, thresholds, and the parameters of previews.
enum MetadataFuzzing {
  /// The outputs that the first byte chooses: name and shape.
  private static let outputs: [[(name: String, shape: [Int])]] = [
    [("output0", [1, 13, 21])],
    [("output0", [1, 11, 21]), ("output1", [1, 4, 8, 8])],
    [("output0", [1, 20, 8])],
    [("output0", [1, 3, 8, 8])],
    [("output0", [1, 1, 8, 8])],
    [("output0", [1, 5])],
    [("output0", [1, 1, 17, 3])],
  ]

  /// Lines of a key, a sign of equality and a value.
  static var seeds: [[UInt8]] {
    let names = "names={0: 'person', 1: 'dog', 2: 'a, b'}"
    return [
      [0] + Array("task=pose\n\(names)\nkpt_shape=[2, 3]\nkpt_names={0: ['nose', 'tail']}".utf8),
      [0] + Array("task=pose\nnames={0: 'x'}\nkpt_shape=(4, 2)\nimgsz=[32, 32]\nstride=32".utf8),
      [1] + Array("task=segment\n\(names)\nimgsz=[32, 32]\nend2end=False".utf8),
      [2] + Array("task=obb\n\(names)\nend2end=True\nhead=OBB26\nconfidence_threshold=0.2".utf8),
      [2] + Array("task=detect\n\(names)\niou_threshold=0.5\nmaximum_objects=7".utf8),
      [3] + Array("task=semantic\n\(names)".utf8),
      [3]
        + Array(
          """
          com.apple.coreml.model.preview.type=imageSegmenter
          com.apple.coreml.model.preview.params={"labels": ["a", "b"], "colors": ["#ff0000", "0f0"]}
          """.utf8),
      [4] + Array("task=depth\nfovea.picture.scale=0.5\nfovea.picture.bias=1,2,3".utf8),
      [5] + Array("task=classify\nnames={0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e'}".utf8),
      [5] + Array("task=embedding\nfovea.picture.color=bgr".utf8),
      [6] + Array("args={'nms': True}\nclass_agnostic=true\nfovea.head=none".utf8),
    ]
  }

  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var writer = network(outputs[Int(first) % outputs.count])
    for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(16) {
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      writer.metadata(
        String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }
    do throws(FoveaError) {
      look(
        with: try Model(
          bytes: writer.bytes, name: "fuzzed",
          options: Model.Options(backend: .reference(keepsAllLayers: false))))
    } catch {
      promise(!error.message.isEmpty, "an error without words")
    }
  }

  /// A network that reads pictures of 32 x 32 pixels.
  private static func network(_ outputs: [(name: String, shape: [Int])]) -> ONNXWriter {
    var writer = ONNXWriter(operationSet: 13)
    writer.input("images", [1, 3, 32, 32])
    writer.floats("zero", [0])
    writer.add(
      "ReduceMean", ["images"], ["mean"], ["axes": .ints([0, 1, 2, 3]), "keepdims": .int(0)])
    writer.add("Mul", ["mean", "zero"], ["nothing"])
    var random = SplitMix(seed: 11)
    for output in outputs {
      let values = (0..<output.shape.reduce(1, *)).map { _ in
        Float.random(in: 0...1, using: &random)
      }
      writer.floats(output.name + " values", values, output.shape)
      writer.add("Add", [output.name + " values", "nothing"], [output.name])
      writer.output(output.name, output.shape)
    }
    return writer
  }

  private static let picture = Image(
    uprightRGB: (0..<24 * 16 * 3).map { UInt8(truncatingIfNeeded: $0 * 7) }, width: 24, height: 16)

  /// Each request finds what its network has, or is refused with words.
  private static func look(with model: Model) {
    worded { () throws(DetectionError) in
      let request = try DetectObjectsRequest(model: model)
      for object in try request.perform(on: picture) {
        promise(
          (0...1).contains(object.topConfidence), "a confidence of \(object.topConfidence)")
        promise(
          object.keypoints.count == request.keypointCount,
          "\(object.keypoints.count) key points of \(request.keypointCount)")
        promise(
          object.labels.allSatisfy { request.classLabels.contains($0.identifier) },
          "a label that the model does not have")
      }
    }
    worded { () throws(DetectionError) in
      let classes = try ClassifyImageRequest(model: model).perform(on: picture)
      promise(classes.allSatisfy { $0.confidence.isFinite }, "a confidence that is no number")
    }
    worded { () throws(DetectionError) in
      let map = try SegmentImageRequest(model: model).perform(on: picture)
      promise(map.width == 24 && map.height == 16, "a map of another size")
      promise(map.labels.count == map.colors.count, "classes without a color")
    }
    worded { () throws(DetectionError) in
      let map = try EstimateDepthRequest(model: model).perform(on: picture)
      promise(map.width == 24 && map.height == 16, "depths of another size")
    }
    worded { () throws(DetectionError) in
      promise(
        !(try ImageEmbeddingRequest(model: model).perform(on: picture).values.isEmpty),
        "an embedding without numbers")
    }
  }

  private static func worded(_ look: () throws(DetectionError) -> Void) {
    do throws(DetectionError) { try look() } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
  }
}
