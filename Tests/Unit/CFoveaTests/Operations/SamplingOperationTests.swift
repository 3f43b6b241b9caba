// Fovea - tests of samples at computed coordinates and of cropped boxes.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

private func resample(_ parameters: fov_resample) -> AddOperation {
  var parameters = parameters
  return { fov_graph_add_resample($0, &parameters, $1[0], $1[1], $2, $3) }
}

extension fov_resample: @retroactive CustomTestStringConvertible {
  /// The case in words.
  public var testDescription: String {
    "\(filter.rawValue) \(coordinates.rawValue) \(padding.rawValue) \(align_corners)"
  }
}

private let resamplings: [fov_resample] = (0..<2).flatMap { filter in
  (0..<3).flatMap { coordinates in
    (0..<4).flatMap { padding in
      [false, true].map {
        fov_resample(
          filter: fov_resample_filter(rawValue: UInt32(filter))!,
          coordinates: fov_resample_coordinates(rawValue: UInt32(coordinates))!,
          padding: fov_resample_padding(rawValue: UInt32(padding))!, value: 7, align_corners: $0)
      }
    }
  }
}

/// The pixel at any whole position, as padding continues the image.
private func pixel(_ resample: fov_resample, _ at: Int, _ size: Int) -> Int? {
  guard !(0..<size).contains(at) else { return at }
  switch resample.padding {
  case .constant: return nil
  case .border: return min(max(at, 0), size - 1)
  case .reflection where resample.align_corners:
    guard size > 1 else { return 0 }
    let rest = abs(at) % (2 * size - 2)
    return rest < size ? rest : 2 * size - 2 - rest
  default:
    let rest = ((at % (2 * size)) + 2 * size) % (2 * size)
    return rest < size ? rest : 2 * size - 1 - rest
  }
}

@Suite struct ResampleTests {
  /// From the pixels around a position on an image that padding continues without end.
  private func oracle(_ r: fov_resample, _ x: DenseArray, _ at: DenseArray) -> DenseArray {
    let rows = x.shape[2], columns = x.shape[3]
    func position(_ v: Float, _ size: Int) -> Double {
      var v = Double(v)
      if r.coordinates == .normalized_zero_to_one { v = 2 * v - 1 }
      if r.coordinates == .unnormalized { return v }
      return r.align_corners
        ? (v + 1) / 2 * Double(size - 1) : ((v + 1) * Double(size) - 1) / 2
    }
    return DenseArray([x.shape[0], x.shape[1], at.shape[1], at.shape[2]]) { index in
      let (n, c, i, j) = (index[0], index[1], index[2], index[3])
      let px = position(at[[n, i, j, 0]], columns), py = position(at[[n, i, j, 1]], rows)
      func element(_ row: Int, _ column: Int) -> Double {
        guard let y = pixel(r, row, rows), let x_ = pixel(r, column, columns) else {
          return Double(r.value)
        }
        return Double(x[[n, c, y, x_]])
      }
      if r.filter == .nearest {
        return Float(
          element(Int(py.rounded(.toNearestOrEven)), Int(px.rounded(.toNearestOrEven))))
      }
      let top = Int(py.rounded(.down)), left = Int(px.rounded(.down))
      let down = py - Double(top), right = px - Double(left)
      let upper = element(top, left) * (1 - right) + element(top, left + 1) * right
      let lower = element(top + 1, left) * (1 - right) + element(top + 1, left + 1) * right
      return Float(upper * (1 - down) + lower * down)
    }
  }

  /// Coordinates in a range, none near where the nearest pixel changes.
  private func coordinates(
    _ generator: inout SplitMix, _ r: fov_resample, _ shape: [Int], size: [Int]
  ) -> DenseArray {
    DenseArray(shape + [2]) { index in
      let n = Float(size[1 - index[shape.count]])
      // A position in pixels, then what means it.
      let whole = Float(Int.random(in: -9...12, using: &generator))
      let p = whole + Float.random(in: -0.4...0.4, using: &generator)
      if r.coordinates == .unnormalized { return p }
      let v = r.align_corners ? (n > 1 ? p / (n - 1) * 2 - 1 : p) : (2 * p + 1) / n - 1
      return r.coordinates == .normalized_zero_to_one ? (v + 1) / 2 : v
    }
  }

  @Test(arguments: resamplings) func samplesWhatPaddingContinues(_ r: fov_resample) throws {
    var generator = SplitMix(seed: 11)
    for (image, grid) in [
      ([2, 3, 5, 6], [2, 3, 7]), ([1, 2, 1, 4], [1, 2, 5]), ([1, 1, 3, 1], [1, 9, 1]),
      // Many channels and short rows: pixel by pixel, but for two threads and one image.
      ([2, 9, 5, 6], [2, 5, 4]), ([1, 70, 3, 4], [1, 9, 3]),
    ] {
      let x = generator.array(image)
      let at = coordinates(&generator, r, grid, size: Array(image[2...]))
      try expectEverywhere(
        [x, at], oracle(r, x, at), absolute: 2e-5, "\(image)", add: resample(r))
    }
  }

  @Test(arguments: resamplings) func wildCoordinatesStayInside(_ r: fov_resample) throws {
    let wild: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -3e38, 1e20, -1e10, 4294967296, 3e9,
      -2147483904, .leastNonzeroMagnitude, -0.0,
    ]
    let x = DenseArray([1, 1, 3, 4], (0..<12).map(Float.init))
    let at = DenseArray([1, wild.count, wild.count, 2]) { wild[$0[3] == 0 ? $0[2] : $0[1]] }
    for backend in GraphRunner.backends {
      let found = try GraphRunner.run(
        [x, at], options: RunOptions(backend: backend), add: resample(r))
      #expect(found.values.allSatisfy { (0...11).contains($0) })
    }
  }

  @Test func constantPaddingCountsAsItsValue() throws {
    let r = fov_resample(
      filter: .bilinear, coordinates: .unnormalized, padding: .constant, value: -2,
      align_corners: false)
    let x = DenseArray([1, 1, 2, 2], [1, 2, 3, 4])
    let at = DenseArray([1, 1, 4, 2], [-0.5, 0, 0.5, -0.5, 9, 9, .nan, 0])
    let expected = DenseArray([1, 1, 1, 4], [-0.5, -0.25, -2, -2])
    try expectEverywhere([x, at], expected, add: resample(r))
  }

  /// A pixel that takes no part does not spread.
  @Test func notANumberBesideThePosition() throws {
    let r = fov_resample(
      filter: .bilinear, coordinates: .unnormalized, padding: .border, value: 0,
      align_corners: false)
    let x = DenseArray([1, 1, 1, 3], [1, .nan, 3])
    let at = DenseArray([1, 1, 3, 2], [0, 0, 0.5, 0, 2, 0])
    try expectEverywhere([x, at], DenseArray([1, 1, 1, 3], [1, .nan, 3]), add: resample(r))
  }

  @Test func refusals() throws {
    let good = resamplings[0]
    for shapes in [[[3, 4, 5], [1, 2, 2, 2]], [[1, 3, 4, 5], [1, 2, 2]]] {
      try expectRefusal(.shape_mismatch, "rank 4", shapes: shapes, add: resample(good))
    }
    try expectRefusal(
      .shape_mismatch, "do not fit", shapes: [[1, 3, 4, 5], [2, 2, 2, 2]], add: resample(good))
    try expectRefusal(
      .shape_mismatch, "x and y", shapes: [[1, 3, 4, 5], [1, 2, 2, 3]], add: resample(good))
    var bad = [good, good, good]
    bad[0].filter = fov_resample_filter(rawValue: 2)!
    bad[1].coordinates = fov_resample_coordinates(rawValue: 3)!
    bad[2].padding = fov_resample_padding(rawValue: 4)!
    for parameters in bad {
      try expectRefusal(
        .invalid_argument, "does not exist", shapes: [[1, 3, 4, 5], [1, 2, 2, 2]],
        add: resample(parameters))
    }
  }
}

private func crop(_ parameters: fov_crop_resize) -> AddOperation {
  var parameters = parameters
  return { fov_graph_add_crop_resize($0, &parameters, $1[0], $1[1], $1[2], $2, $3) }
}

extension fov_crop_resize: @retroactive CustomTestStringConvertible {
  /// The case in words.
  public var testDescription: String {
    "\(output) \(normalized) \(spatial_scale) \(box.rawValue) \(grid.rawValue)"
  }
}

private let crops: [fov_crop_resize] = (0..<4).flatMap { box in
  (0..<5).flatMap { grid in
    [(3, 4, false, 1), (1, 1, true, 1), (5, 2, false, 0.5)].map {
      (rows: Int, columns: Int, normalized: Bool, scale: Float) in
      fov_crop_resize(
        output: (rows, columns), normalized: normalized, spatial_scale: scale,
        box: fov_crop_box(rawValue: UInt32(box))!, grid: fov_crop_grid(rawValue: UInt32(grid))!,
        pad_value: -5)
    }
  }
}

@Suite struct CropResizeTests {
  private func offset(_ grid: fov_crop_grid, _ e: Double, _ i: Int, _ n: Int) -> Double {
    let i = Double(i), count = Double(n)
    switch grid {
    case .default: return n > 1 ? i * (e + 1 - (e + 1) / count) / (count - 1) : 0
    case .strict_align_corners: return n > 1 ? i * e / (count - 1) : 0
    case .align_corners: return n > 1 ? i * e / (count - 1) : e / 2
    case .offset_corners: return (i + 0.5) * max(1, e) / count
    case .unalign_corners: return (i + 0.5) * (e + 1) / count - 0.5
    }
  }

  private func oracle(
    _ c: fov_crop_resize, _ x: DenseArray, _ boxes: DenseArray, _ images: [Int]
  ) -> DenseArray {
    let size = [x.shape[2], x.shape[3]]
    return DenseArray([boxes.shape[0], x.shape[1], c.output.0, c.output.1]) { index in
      let box = (0..<4).map { Double(boxes[[index[0], $0]]) * Double(c.spatial_scale) }
      let widthFirst = c.box == .corners_width_first || c.box == .center_width_first
      let centered = c.box == .center_height_first || c.box == .center_width_first
      let positions = (0..<2).map { axis -> Double in
        let place = widthFirst ? 1 - axis : axis
        let (a, b) = (box[place], box[place + 2])
        let unit = c.normalized ? Double(size[axis] - 1) : 1
        let first = (centered ? a - b / 2 : a) * unit, last = (centered ? a + b / 2 : b) * unit
        let count = axis == 0 ? c.output.0 : c.output.1
        return first + offset(c.grid, last - first, index[2 + axis], count)
      }
      for axis in 0..<2 where !(0...Double(size[axis] - 1)).contains(positions[axis]) {
        return c.pad_value
      }
      let (top, left) = (Int(positions[0]), Int(positions[1]))
      let (down, right) = (positions[0] - Double(top), positions[1] - Double(left))
      func element(_ row: Int, _ column: Int) -> Double {
        Double(x[[images[index[0]], index[1], min(row, size[0] - 1), min(column, size[1] - 1)]])
      }
      return Float(
        (element(top, left) * (1 - right) + element(top, left + 1) * right) * (1 - down)
          + (element(top + 1, left) * (1 - right) + element(top + 1, left + 1) * right) * down)
    }
  }

  @Test(arguments: crops) func samplesTheGrid(_ c: fov_crop_resize) throws {
    var generator = SplitMix(seed: 12)
    let x = generator.array([3, 2, 7, 9])
    let limit: Float = c.normalized ? 1.1 : 9
    let boxes = generator.array([6, 4], in: -0.3...limit)
    let images = [0, 2, 1, 0, 2, 2]
    // What is no image becomes the nearest one.
    let indices = DenseArray([6], [-4, 2, 1, .nan, 7, .infinity])
    try expectEverywhere(
      [x, boxes, indices], oracle(c, x, boxes, images), absolute: 1e-5, add: crop(c))
  }

  @Test(arguments: crops) func wildBoxesStayInside(_ c: fov_crop_resize) throws {
    let wild: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, 1e10, 0]
    let x = DenseArray([1, 1, 2, 3], (0..<6).map(Float.init))
    let boxes = DenseArray([49, 4]) { wild[$0[1] % 2 == 0 ? $0[0] / 7 : $0[0] % 7] }
    let indices = DenseArray([49], [Float](repeating: -.infinity, count: 49))
    for backend in GraphRunner.backends {
      let found = try GraphRunner.run(
        [x, boxes, indices], options: RunOptions(backend: backend), add: crop(c))
      #expect(found.values.allSatisfy { $0 == -5 || (0...5).contains($0) })
    }
  }

  @Test func refusals() throws {
    let good = crops[0], shapes = [[1, 2, 4, 5], [3, 4], [3]]
    for shapes in [
      [[2, 4, 5], [3, 4], [3]], [[1, 2, 4, 5], [3], [3]], [[1, 2, 4, 5], [3, 4], [3, 1]],
    ] {
      try expectRefusal(.shape_mismatch, "expected rank", shapes: shapes, add: crop(good))
    }
    try expectRefusal(
      .shape_mismatch, "do not fit", shapes: [[1, 2, 4, 5], [3, 4], [2]], add: crop(good))
    try expectRefusal(
      .shape_mismatch, "expected 4", shapes: [[1, 2, 4, 5], [3, 5], [3]], add: crop(good))
    var bad = [good, good, good, good]
    bad[0].box = fov_crop_box(rawValue: 4)!
    bad[1].grid = fov_crop_grid(rawValue: 5)!
    bad[2].output = (3, 0)
    bad[3].spatial_scale = .nan
    for (parameters, text) in zip(bad, ["does not exist", "does not exist", "columns", "scale"]) {
      try expectRefusal(.invalid_argument, text, shapes: shapes, add: crop(parameters))
    }
  }
}
