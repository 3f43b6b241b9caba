// Fovea - the numbers of a network as levels of a picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaNetworkTasks
internal import FoveaVision

/// The numbers of a network as levels of a picture: level = number * scale + bias, rounded and kept in
/// 0...255.
struct OutputLevels: Sendable {
  var scale: Float
  var bias: Float

  init(scale: Float, bias: Float) { (self.scale, self.bias) = (scale, bias) }

  /// What the range of an output says; `nil` for one that is no usual range of pictures.
  init?(_ reading: TaskReading) {
    guard case .picture(_, let range?, _) = reading.form else { return nil }
    let (low, high) = (range.lowerBound, range.upperBound)
    func near(_ value: Double, _ other: Double) -> Bool { abs(value - other) <= 0.02 * abs(other) }
    if abs(low) < 0.02, near(high, 1) {
      self.init(scale: 255, bias: 0)
    } else if abs(low) < 1, near(high, 255) {
      self.init(scale: 1, bias: 0)
    } else if near(low, -1), near(high, 1) {
      self.init(scale: 127.5, bias: 127.5)
    } else {
      return nil
    }
  }

  /// The picture.
  ///
  /// - Parameter geometry: That of the image that it is brought back onto; `nil` for the picture as
  ///   the network writes it.
  func picture(
    _ values: Span<Float>, _ reading: TaskReading, on geometry: ImageGeometry?
  ) throws(DetectionError) -> Image {
    guard case .picture(let planes, _, let isBlueFirst) = reading.form else {
      preconditionFailure("no picture")
    }
    let order = planes.channels == 1 ? [0, 0, 0] : isBlueFirst ? [2, 1, 0] : [0, 1, 2]
    guard let geometry else { return try picture(values, planes, order) }
    let grid = PlaneGrid(geometry, planes)
    let width = grid.seenColumns.count
    var rgb = [UInt8](repeating: 0, count: grid.size.width * grid.size.height * 3)
    grid.eachRow(of: values, channels: planes.channels) { row, mixed in
      var place = (row * grid.size.width + grid.seenColumns.lowerBound) * 3
      for column in 0..<width {
        for channel in order {
          rgb[place] = level(mixed[channel * width + column])
          place += 1
        }
      }
    }
    return try image(grid.size.width, grid.size.height, rgb)
  }

  private func picture(
    _ values: Span<Float>, _ planes: PlaneLayout, _ order: [Int]
  ) throws(DetectionError) -> Image {
    let count = planes.width * planes.height
    var rgb: [UInt8] = []
    rgb.reserveCapacity(count * 3)
    for pixel in 0..<count {
      for channel in order {
        let place =
          planes.isChannelsLast ? pixel * planes.channels + channel : channel * count + pixel
        rgb.append(level(values[place]))
      }
    }
    return try image(planes.width, planes.height, rgb)
  }

  private func level(_ value: Float) -> UInt8 {
    let level = (value * scale + bias + 0.5).rounded(.down)
    // Infinities that are mixed have no level.
    return level.isNaN ? 0 : UInt8(min(max(level, 0), 255))
  }

  private func image(
    _ width: Int, _ height: Int, _ rgb: [UInt8]
  ) throws(DetectionError) -> Image {
    do throws(ImageError) {
      return try Image(width: width, height: height, rgb: rgb)
    } catch {
      throw .image(error)
    }
  }
}
