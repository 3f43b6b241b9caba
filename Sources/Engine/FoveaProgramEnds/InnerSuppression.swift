// Fovea - suppression inside a program, which is cut off.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// What lies in front of the suppression inside a program, and the numbers of that suppression.
///
/// How many boxes a suppression keeps depends on the picture, and sizes are fixed here. So a program
/// ends in front of it:
///
///     image -> network -> boxes, scores -> suppression -> rows of the boxes that stay
///                         '-- new outputs   '-- thresholds of the model
///
/// `HeadRule.suppressed` reads the new outputs; the boxes are suppressed as those of other detectors.
package struct InnerSuppression: Equatable {
  /// The names of the values in front of it.
  package internal(set) var boxes: String
  package internal(set) var scores: String
  /// The kind of the operation that suppresses.
  package internal(set) var kind: String
  /// Whether boxes are corners, or else centers and sizes.
  package internal(set) var hasCorners = true
  /// Whether scores are logits, of which the suppression makes probabilities.
  package internal(set) var hasLogits = false
  /// Whether the overlaps are those of turned boxes, whose angles are in `rows`.
  package internal(set) var isTurned = false
  /// The column of "no object".
  package internal(set) var background: Int?
  package internal(set) var iouThreshold: Double?
  package internal(set) var confidenceThreshold: Double?
  package internal(set) var isClassAgnostic = false
  /// The greatest number of boxes of all classes.
  package internal(set) var maximumCount: Double?
  /// Whether scores may be those of the best class, with classes lost.
  package internal(set) var mayLackClasses = false
  /// The value whose rows have boxes and scores side by side, and maybe more numbers.
  package internal(set) var rows: String?
  /// Outputs that do not come from the suppression.
  package internal(set) var others: [String] = []

  /// The model in front of its suppression; as it is where none is found.
  ///
  /// - Parameter numbers: The numbers of a constant.
  /// - Complexity: O(operations).
  package static func cut(
    _ file: ModelDescription, numbers: @escaping (TensorConstant) -> [Float]?
  ) -> (file: ModelDescription, found: InnerSuppression?) {
    guard case .program(var program) = file.body,
      var function = program.functions[file.functionName],
      let found = SuppressionSearch(function, numbers).find(),
      !found.isTurned || file.metadata.userDefined["task"] == "obb"
    else { return (file, nil) }
    var file = file
    function.outputs = [found.boxes, found.scores]
    // Rows of masks, key points and turned boxes have more numbers, and masks more outputs.
    if let task = file.metadata.userDefined["task"], task != "detect", let rows = found.rows {
      function.outputs += [rows] + found.others
    }
    function.operations = function.operations.read(by: function.outputs)
    // What only the suppression reads, such as thresholds, nobody has to give.
    var read: Set<String> = []
    for case .value(let name) in function.operations.lazy.flatMap({ $0.arguments.values.joined() })
    {
      read.insert(name)
    }
    function.inputs.removeAll { !read.contains($0.name) }
    file.inputs.removeAll { !read.contains($0.name) }
    file.outputs = function.outputs.map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    }
    file.metadata.add(found)
    program.functions[file.functionName] = function
    file.body = .program(program)
    return (file, found)
  }
}

extension ModelMetadata {
  /// Keeps the thresholds of a suppression that is cut off, where the author names no others.
  fileprivate mutating func add(_ suppression: InnerSuppression) {
    func add(_ key: String, _ value: Double?) {
      guard let value, value > 0, value <= 1, userDefined[key] == nil else { return }
      userDefined[key] = "\(Float(value))"
    }
    add("confidence_threshold", suppression.confidenceThreshold)
    add("iou_threshold", suppression.iouThreshold)
    if let count = suppression.maximumCount.flatMap({ Int(exactly: $0) }), count < 1 << 20 {
      userDefined["maximum_objects"] = "\(count)"
    }
    if suppression.isClassAgnostic { userDefined["class_agnostic"] = "true" }
  }
}
