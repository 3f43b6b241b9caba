// Fovea - depths of pixels from those of a network's places.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaNetworkTasks

extension DepthMap {
  /// The depths at the pixels of a picture.
  init(
    _ values: Span<Float>, _ geometry: ImageGeometry, _ reading: TaskReading, _ unit: Unit
  ) {
    guard case .plane(let planes, _) = reading.form else { preconditionFailure("no plane") }
    let grid = PlaneGrid(geometry, planes)
    var depths = [Float](repeating: .nan, count: grid.size.width * grid.size.height)
    grid.eachRow(of: values, channels: 1) { row, mixed in
      let start = row * grid.size.width + grid.seenColumns.lowerBound
      for column in mixed.indices { depths[start + column] = mixed[column] }
    }
    self.init(width: grid.size.width, height: grid.size.height, values: depths, unit: unit)
  }
}
