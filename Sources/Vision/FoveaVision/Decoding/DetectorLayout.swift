// Fovea - where a model takes the image and where it puts scores and boxes.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaModelValues
package import FoveaRuntime

/// What a model shows of itself, as far as a detector is concerned.
package struct DetectorInterface: Sendable {
  /// The model's name, for messages.
  package var name: String
  /// What the network reads.
  package var inputs: [Model.Port]
  /// What the network writes.
  package var outputs: [Model.Port]
  /// The suppression stage, if there is one.
  package var suppression: NonMaximumSuppression?
  /// The labels, if the file has any.
  package var classLabels: [String]?
  /// Whether outputs of other names count if their shapes fit: boxes of networks of layers are
  /// fractions of the image, those of programs may be anything.
  package var trustsShapes: Bool
  /// Why outputs are not read as those of a head, in words. Only a refusal asks.
  var doubts: @Sendable () -> [String] = { [] }
  /// The author's keys and values.
  var metadata: [String: String] = [:]

  /// Creates an interface.
  package init(
    name: String, inputs: [Model.Port], outputs: [Model.Port],
    suppression: NonMaximumSuppression? = nil, classLabels: [String]? = nil,
    trustsShapes: Bool = true
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.suppression = suppression
    self.classLabels = classLabels
    self.trustsShapes = trustsShapes
  }

  /// What a model shows.
  init(_ model: Model) {
    self.init(
      name: model.name, inputs: model.inputs, outputs: model.outputs,
      suppression: model.suppression, classLabels: model.classLabels,
      trustsShapes: !model.specification.isProgram)
    metadata = model.metadata.userDefined
    doubts = { model.headDoubts + model.otherTask }
  }
}

/// Where a model takes the image and where it puts scores and boxes.
package struct DetectorLayout: Sendable, Hashable {
  /// The image input.
  package let imageInput: String
  /// Its size in pixels.
  package let inputSize: ImageSize
  /// Its shape as an array: rows, columns, and channels unless gray.
  package let inputShape: [Int]
  /// The output of scores, boxes x classes.
  package let confidenceOutput: String
  /// The output of boxes, boxes x 4.
  package let coordinatesOutput: String
  /// The number of boxes before suppression.
  package let boxCount: Int
  /// The names of the classes, in the order of the scores.
  package let classLabels: [String]
  /// What it says of objects besides.
  let parts: ObjectPartsLayout

  /// Finds the features of a detector.
  ///
  /// - Throws: `.unsuitableModel`, which lists what the model has instead.
  package init(model: Model) throws(DetectionError) {
    try self.init(DetectorInterface(model))
  }

  /// Finds the features of a detector. Throws as `init(model:)`.
  package init(_ model: DetectorInterface) throws(DetectionError) {
    let input = try Self.onlyImageInput(of: model)
    imageInput = input.name
    inputSize = input.imageSize
    inputShape = input.shape
    let pair = try ScoresAndBoxes(model: model)
    confidenceOutput = pair.confidence.name
    coordinatesOutput = pair.coordinates.name
    boxCount = pair.rows
    classLabels = try Self.labels(of: model, classCount: pair.classes)
    parts = ObjectPartsLayout(model, boxCount: pair.rows)
  }

  private static func onlyImageInput(
    of model: DetectorInterface
  ) throws(DetectionError) -> Model.Port {
    let images = model.inputs.filter { $0.image != nil }
    guard images.count == 1, model.inputs.count == 1 else {
      throw .unsuitableModel(
        "\(model.name) is no detector of objects in an image: it reads "
          + "\(list(model.inputs)); expected exactly one image, or an array of 1 or 3 channels, "
          + "rows and columns. Run it with 'fovea run' or Session instead.")
    }
    return images[0]
  }

  /// The model's labels, or "class 0", "class 1", ... for a model that names none.
  private static func labels(
    of model: DetectorInterface, classCount: Int
  ) throws(DetectionError) -> [String] {
    guard let labels = model.classLabels else { return (0..<classCount).map { "class \($0)" } }
    guard labels.count == classCount else {
      throw .unsuitableModel(
        "\(model.name) has \(labels.count) class label\(labels.count == 1 ? "" : "s") for "
          + "\(classCount) classes in its scores; expected one label per class. "
          + "Export the model again with all its labels.")
    }
    return labels
  }

  package static func list(_ ports: [Model.Port]) -> String {
    ports.isEmpty
      ? "nothing" : ports.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
  }
}

/// The two outputs of a detector.
struct ScoresAndBoxes {
  /// The output of scores, boxes x classes.
  let confidence: Model.Port
  /// The output of boxes, boxes x 4.
  let coordinates: Model.Port
  /// The number of boxes.
  let rows: Int
  /// The number of classes, at least 1.
  let classes: Int

  /// Finds them. Throws `.unsuitableModel`, which lists what the model has instead.
  init(model: DetectorInterface) throws(DetectionError) {
    guard let (confidence, coordinates) = Self.find(in: model) else {
      throw .unsuitableModel(
        "\(model.name) is no detector that can be decoded: its outputs are "
          + "\(DetectorLayout.list(model.outputs)); expected 'confidence' [boxes, classes] and "
          + "'coordinates' [boxes, 4]. "
          + model.doubts().map { "Here \($0). " }.joined()
          + "Export the model with these outputs, name its head if you "
          + "know it (--head), or get the arrays with 'fovea run'.")
    }
    guard let scores = matrix(confidence), let boxes = matrix(coordinates),
      scores.rows == boxes.rows, boxes.columns == 4, scores.columns > 0
    else {
      throw .unsuitableModel(
        "\(model.name) has scores '\(confidence.name)' of shape \(confidence.shape) and boxes "
          + "'\(coordinates.name)' of shape \(coordinates.shape); expected [boxes, classes] and "
          + "[boxes, 4] with as many boxes. Export the model again.")
    }
    (self.confidence, self.coordinates) = (confidence, coordinates)
    (rows, classes) = (scores.rows, scores.columns)
  }

  /// By the names that the suppression stage reads, else by the usual names, else by shape.
  private static func find(in model: DetectorInterface) -> (Model.Port, Model.Port)? {
    if let stage = model.suppression {
      return named(stage.confidenceInputName, stage.coordinatesInputName, in: model.outputs) {
        $0 == $1
      }
    }
    return named("confidence", "coordinates", in: model.outputs) {
      $0.lowercased() == $1
    } ?? (model.trustsShapes ? byShape(model.outputs) : nil)
  }

  private static func named(
    _ confidence: String, _ coordinates: String, in ports: [Model.Port],
    by matches: (String, String) -> Bool
  ) -> (Model.Port, Model.Port)? {
    guard let scores = ports.first(where: { matches($0.name, confidence) }),
      let boxes = ports.first(where: { matches($0.name, coordinates) })
    else { return nil }
    return (scores, boxes)
  }

  /// The only pair of [boxes, classes] and [boxes, 4], if there is exactly one.
  private static func byShape(_ ports: [Model.Port]) -> (Model.Port, Model.Port)? {
    var pairs: [(Model.Port, Model.Port)] = []
    for boxes in ports {
      guard let box = matrix(boxes), box.columns == 4 else { continue }
      for scores in ports where scores.name != boxes.name {
        if let score = matrix(scores), score.rows == box.rows { pairs.append((scores, boxes)) }
      }
    }
    return pairs.count == 1 ? pairs[0] : nil
  }
}

/// Rows and columns of a port whose other, leading dimensions are 1.
private func matrix(_ port: Model.Port) -> (rows: Int, columns: Int)? {
  guard port.type == .float32, port.shape.count >= 2,
    port.shape.dropLast(2).allSatisfy({ $0 == 1 })
  else { return nil }
  return (port.shape[port.shape.count - 2], port.shape[port.shape.count - 1])
}

extension Model.Port {
  /// The size of an image's port in pixels: its shape is [rows, columns, ...].
  package var imageSize: ImageSize { ImageSize(width: shape[1], height: shape[0]) }
}
