// Fovea - where a model puts masks, key points and turned boxes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaShapes

/// Where a model puts what it says of objects beside classes and boxes.
struct ObjectPartsLayout: Sendable, Hashable {
  /// Planes of a mask.
  struct Planes: Sendable, Hashable {
    var rows: Int
    var columns: Int
    /// The number of prototypes; `nil` where each box has a plane of its own.
    var prototypes: Int?
  }

  var masks: Planes?
  /// The names of the key points.
  var pointNames: [String] = []
  /// The numbers of each point: x, y and maybe a confidence.
  var pointNumbers = 0
  var hasTurnedBoxes = false

  /// The outputs that are read.
  var outputs: [ObjectOutput] {
    var outputs: [ObjectOutput] = []
    if let masks {
      outputs += masks.prototypes == nil ? [.maskPlanes] : [.maskFactors, .maskPrototypes]
    }
    if pointNumbers > 0 { outputs.append(.points) }
    if hasTurnedBoxes { outputs.append(.turnedBoxes) }
    return outputs
  }

  /// Finds the outputs by their names. Those that do not fit the number of boxes do not count.
  init(_ model: DetectorInterface, boxCount: Int) {
    func shape(_ output: ObjectOutput) -> [Int]? {
      model.outputs.first { $0.name == output.rawValue }?.shape
    }
    if let factors = shape(.maskFactors), let prototypes = shape(.maskPrototypes),
      prototypes.count == 3, factors == [boxCount, prototypes[0]]
    {
      masks = Planes(rows: prototypes[1], columns: prototypes[2], prototypes: prototypes[0])
    } else if let planes = shape(.maskPlanes), planes.count == 3, planes[0] == boxCount {
      masks = Planes(rows: planes[1], columns: planes[2])
    }
    if let points = shape(.points), points.count == 3, points[0] == boxCount,
      (2...3).contains(points[2])
    {
      pointNumbers = points[2]
      pointNames = Self.names(of: points[1], metadata: model.metadata)
    }
    hasTurnedBoxes = shape(.turnedBoxes) == [boxCount, 5]
  }

  /// The names of the file (`kpt_names`: those of the first class); else COCO's for 17 points.
  private static func names(of count: Int, metadata: [String: String]) -> [String] {
    if let text = metadata["kpt_names"] {
      let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
      let names = quoted.indices.filter { $0 % 2 == 1 && $0 + 1 < quoted.count }
        .map { String(quoted[$0]) }
      if names.count >= count { return Array(names.prefix(count)) }
    }
    return count == BodyPoints.names.count
      ? BodyPoints.names : (0..<count).map { "point \($0)" }
  }
}
