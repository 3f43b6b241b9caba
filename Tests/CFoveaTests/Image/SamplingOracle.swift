// Fovea - sampling written down without regard to speed.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport

/// An upright image of converted pixels: red, green and blue, or gray.
struct UprightSamples {
  var width: Int
  var height: Int
  var channels: Int
  var samples: [UInt8]

  func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    Double(samples[(y * width + x) * channels + channel])
  }
}

/// A part of a stored image, turned and mirrored, that fills a part of an output.
struct SamplingCase {
  var columns: Range<Int>
  var rows: Range<Int>
  /// Rows of the output run along columns of the stored image.
  var isExchanged = false
  /// Columns, or rows, of the output run against the stored image.
  var isMirrored = (columns: false, rows: false)
  var output: (width: Int, height: Int, channels: Int)
  var content: (columns: Range<Int>, rows: Range<Int>)
  var fill: (UInt8, UInt8, UInt8) = (0, 0, 0)
  var filter = fov_image_filter.bilinear

  /// All of the image in all of the output.
  init(_ image: ImageBytes, width: Int, height: Int, channels: Int) {
    columns = 0..<image.width
    rows = 0..<image.height
    output = (width, height, channels)
    content = (0..<width, 0..<height)
  }

  /// Any part, orientation, padding.
  init(randomPartOf image: ImageBytes, using random: inout SplitMix) {
    func part(_ count: Int) -> Range<Int> {
      let begin = Int.random(in: 0..<count, using: &random)
      return begin..<Int.random(in: (begin + 1)...count, using: &random)
    }
    columns = part(image.width)
    rows = part(image.height)
    isExchanged = Bool.random(using: &random)
    isMirrored = (Bool.random(using: &random), Bool.random(using: &random))
    output = (
      Int.random(in: 1...60, using: &random), Int.random(in: 1...60, using: &random),
      Bool.random(using: &random) ? 3 : 1
    )
    content = (part(output.width), part(output.height))
    fill = (
      UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random),
      UInt8.random(in: 0...255, using: &random)
    )
  }

  /// The part of the image, upright.
  func upright(_ image: ImageBytes) -> UprightSamples {
    let (across, down) = isExchanged ? (rows.count, columns.count) : (columns.count, rows.count)
    var samples: [UInt8] = []
    for y in 0..<down {
      for x in 0..<across {
        let along = isMirrored.columns ? across - 1 - x : x
        let downward = isMirrored.rows ? down - 1 - y : y
        let (column, row) = isExchanged ? (downward, along) : (along, downward)
        samples += image.pixel(columns.lowerBound + column, rows.lowerBound + row)
      }
    }
    return UprightSamples(
      width: across, height: down, channels: image.channels, samples: samples)
  }

  /// What the core is asked for.
  func sampling(on set: fov_instruction_set = .automatic) -> fov_image_sampling {
    var sampling = fov_image_sampling()
    let (x, y) = isExchanged ? (rows, columns) : (columns, rows)
    let across = line(x, isMirrored.columns, content.columns)
    let down = line(y, isMirrored.rows, content.rows)
    if isExchanged {
      (sampling.map.c, sampling.map.ty) = across
      (sampling.map.b, sampling.map.tx) = down
    } else {
      (sampling.map.a, sampling.map.tx) = across
      (sampling.map.d, sampling.map.ty) = down
    }
    sampling.source_columns = fov_pixel_range(begin: columns.lowerBound, end: columns.upperBound)
    sampling.source_rows = fov_pixel_range(begin: rows.lowerBound, end: rows.upperBound)
    (sampling.width, sampling.height, sampling.channels) = output
    sampling.content_columns = fov_pixel_range(
      begin: content.columns.lowerBound, end: content.columns.upperBound)
    sampling.content_rows = fov_pixel_range(
      begin: content.rows.lowerBound, end: content.rows.upperBound)
    sampling.fill = fill
    sampling.filter = filter
    sampling.instruction_set = set
    return sampling
  }

  /// The line that takes the ends of `content` to the ends of `source`, or the other way round.
  private func line(
    _ source: Range<Int>, _ isMirrored: Bool, _ content: Range<Int>
  ) -> (factor: Double, offset: Double) {
    let scale = Double(source.count) / Double(content.count)
    return isMirrored
      ? (-scale, Double(source.upperBound) + scale * Double(content.lowerBound))
      : (scale, Double(source.lowerBound) - scale * Double(content.lowerBound))
  }

  // MARK: Answers

  /// What the core has to write.
  func expected(of image: ImageBytes) -> [UInt8] {
    let upright = upright(image)
    let isArea =
      filter == .area
      && (upright.width > content.columns.count || upright.height > content.rows.count)
    var result: [UInt8] = []
    for y in 0..<output.height {
      for x in 0..<output.width {
        guard content.columns.contains(x), content.rows.contains(y) else {
          result += output.channels == 1 ? [fill.0] : [fill.0, fill.1, fill.2]
          continue
        }
        let (i, j) = (x - content.columns.lowerBound, y - content.rows.lowerBound)
        let means = isArea ? area(upright, i, j) : bilinear(upright, i, j)
        result += rounded(means)
      }
    }
    return result
  }

  private func rounded(_ means: [Double]) -> [UInt8] {
    let values: [Double]
    switch (means.count, output.channels) {
    case (3, 1): values = [0.299 * means[0] + 0.587 * means[1] + 0.114 * means[2]]
    case (1, 3): values = [means[0], means[0], means[0]]
    default: values = means
    }
    return values.map { UInt8(($0 + 0.5).rounded(.down)) }
  }

  private func bilinear(_ image: UprightSamples, _ i: Int, _ j: Int) -> [Double] {
    func axis(_ index: Int, _ source: Int, _ count: Int) -> (low: Int, high: Int, weight: Double) {
      let position = (Double(index) + 0.5) * Double(source) / Double(count) - 0.5
      let clamped = min(max(position, 0), Double(source - 1))
      let low = Int(clamped.rounded(.down))
      return (low, min(low + 1, source - 1), clamped - Double(low))
    }
    let x = axis(i, image.width, content.columns.count)
    let y = axis(j, image.height, content.rows.count)
    return (0..<image.channels).map { channel in
      let top =
        image.value(x.low, y.low, channel) * (1 - x.weight)
        + image.value(x.high, y.low, channel) * x.weight
      let bottom =
        image.value(x.low, y.high, channel) * (1 - x.weight)
        + image.value(x.high, y.high, channel) * x.weight
      return top * (1 - y.weight) + bottom * y.weight
    }
  }

  private func area(_ image: UprightSamples, _ i: Int, _ j: Int) -> [Double] {
    func weights(_ index: Int, _ source: Int, _ count: Int) -> [(pixel: Int, weight: Double)] {
      let scale = Double(source) / Double(count)
      let reach = max(scale, 1)
      let center = min(max((Double(index) + 0.5) * scale, 0.5), Double(source) - 0.5)
      let first = max(Int((center - reach).rounded(.down)) - 1, 0)
      let last = min(Int((center + reach).rounded(.up)) + 1, source - 1)
      return (first...last).map { ($0, max(0, 1 - abs(Double($0) + 0.5 - center) / reach)) }
    }
    let columns = weights(i, image.width, content.columns.count)
    let rows = weights(j, image.height, content.rows.count)
    let total = columns.reduce(0) { $0 + $1.weight } * rows.reduce(0) { $0 + $1.weight }
    return (0..<image.channels).map { channel in
      rows.reduce(0) { sum, row in
        sum + row.weight
          * columns.reduce(0) { $0 + $1.weight * image.value($1.pixel, row.pixel, channel) }
      } / total
    }
  }
}
