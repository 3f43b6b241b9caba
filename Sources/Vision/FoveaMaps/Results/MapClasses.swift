// Fovea - the classes of maps, and maps of them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaModelValues
internal import FoveaNetworkTasks
internal import FoveaRuntime
internal import FoveaVision

/// The names and colors of a network's classes.
struct MapClasses: Sendable {
  private(set) var labels: [String]
  private(set) var colors: [DrawingColor]
  /// Whether the file names the classes.
  private let isNamed: Bool

  /// Those that a file states, as many as its output has.
  init(_ network: MapNetwork) {
    let metadata = network.model.metadata.userDefined
    let stated = PreviewClasses(metadata[PreviewClasses.key])
    var names = stated.labels.isEmpty ? network.model.classLabels ?? [] : stated.labels
    isNamed = !names.isEmpty
    switch network.reading.form {
    case .scores(let planes): names = Self.names(names, count: planes.channels)
    case .plane:
      // The name of the only class is that of what stands out.
      if names.count != 2 { names = ["background", names.count == 1 ? names[0] : "foreground"] }
    case .map, .picture, .row: break
    }
    labels = names
    colors = names.indices.map { index in
      index < stated.colors.count ? stated.colors[index] : ClassPalette.color(index)
    }
  }

  private static func names(_ names: [String], count: Int) -> [String] {
    (0..<count).map { $0 < names.count ? names[$0] : "class \($0)" }
  }

  /// The map of a picture.
  ///
  /// - Throws: `.invalidOutput` for what is no number of a class.
  func map(
    _ values: Span<Float>, _ geometry: ImageGeometry, _ reading: TaskReading
  ) throws(DetectionError) -> ClassMap {
    switch reading.form {
    case .scores(let planes): return scores(values, PlaneGrid(geometry, planes), planes.channels)
    case .map(let planes):
      return try numbers(values, PlaneGrid(geometry, planes), reading.output)
    case .plane(let planes, let range):
      let threshold = range.map { Float($0.lowerBound + $0.upperBound) / 2 } ?? 0
      return plane(values, PlaneGrid(geometry, planes), above: threshold)
    case .picture, .row: preconditionFailure("no map of classes")
    }
  }

  private func scores(_ values: Span<Float>, _ grid: PlaneGrid, _ channels: Int) -> ClassMap {
    var classes = empty(grid)
    var greatest = GreatestChannel()
    grid.eachRow(of: values, channels: channels) { row, mixed in
      greatest.find(in: mixed, channels: channels, width: grid.seenColumns.count)
      let start = row * grid.size.width + grid.seenColumns.lowerBound
      for column in greatest.classes.indices {
        classes[start + column] = greatest.classes[column]
      }
    }
    return made(classes, grid)
  }

  private func plane(
    _ values: Span<Float>, _ grid: PlaneGrid, above threshold: Float
  ) -> ClassMap {
    var classes = empty(grid)
    grid.eachRow(of: values, channels: 1) { row, mixed in
      let start = row * grid.size.width + grid.seenColumns.lowerBound
      for column in mixed.indices { classes[start + column] = mixed[column] > threshold ? 1 : 0 }
    }
    return made(classes, grid)
  }

  private func numbers(
    _ values: Span<Float>, _ grid: PlaneGrid, _ output: String
  ) throws(DetectionError) -> ClassMap {
    var greatest = labels.count - 1
    for index in values.indices {
      let value = values[index]
      guard value >= 0, value < Float(UInt16.max), value == value.rounded() else {
        throw .invalidOutput(
          "the output '\(output)' has \(value) at \(index), which is no number of a class; expected "
            + "whole numbers of at least 0. Read the output with 'fovea run' or Session")
      }
      // 255 means that a pixel is ignored, unless there are that many classes.
      if value != 255 || labels.count > 255 { greatest = max(greatest, Int(value)) }
    }
    var all = self
    all.extend(to: greatest + 1)
    var classes = all.empty(grid)
    grid.eachNearest(of: values) { classes[$0] = UInt16($1) }
    return all.made(classes, grid)
  }

  /// Adds names for classes that have none.
  private mutating func extend(to count: Int) {
    labels += (labels.count..<max(count, labels.count)).map { "class \($0)" }
    colors += (colors.count..<labels.count).map { ClassPalette.color($0) }
  }

  private func empty(_ grid: PlaneGrid) -> [UInt16] {
    Array(
      repeating: ClassMap.unassigned(for: labels.count), count: grid.size.width * grid.size.height)
  }

  private func made(_ classes: [UInt16], _ grid: PlaneGrid) -> ClassMap {
    ClassMap(
      width: grid.size.width, height: grid.size.height, classes: classes, labels: labels,
      colors: colors)
  }
}
