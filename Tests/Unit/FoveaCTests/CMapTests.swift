// Fovea - tests of maps through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Networks of one operation give C programs maps that are known without running them.
@Suite struct CMapTests {
  private static let (rows, columns) = (8, 12)

  private func open(
    _ shape: [Int], _ task: String, _ add: (inout ONNXWriter) -> Void
  ) throws -> OpaquePointer {
    var writer = ONNXWriter()
    writer.input("x", [1, 3, Self.rows, Self.columns])
    add(&writer)
    writer.output("y", shape)
    writer.metadata("fovea.picture.scale", "1")
    writer.metadata("task", task)
    let bytes = writer.bytes
    return try made { fovea_model_open_bytes(bytes, bytes.count, nil, $0, $1) }
  }

  /// The map of a picture whose left half is red and whose right half is green.
  private func map(
    _ model: OpaquePointer, _ kind: fovea_map,
    _ change: (inout fovea_detect_options) -> Void = { _ in }
  ) throws -> (shape: [Int64], floats: [Float]) {
    var options = fovea_detect_options()
    fovea_detect_options_init(&options, MemoryLayout<fovea_detect_options>.size)
    change(&options)
    var pixels = fovea_pixels()
    fovea_pixels_init(&pixels, MemoryLayout<fovea_pixels>.size)
    (pixels.width, pixels.height) = (Int64(Self.columns), Int64(Self.rows))
    let row = (0..<Self.columns).flatMap { $0 < 6 ? [200, 10, 20] : [30, 180, 5] as [UInt8] }
    var bytes = (0..<Self.rows).flatMap { _ in row }
    let result = try bytes.withUnsafeMutableBytes { memory in
      pixels.data = UnsafeRawPointer(memory.baseAddress)
      pixels.byte_count = memory.count
      return try made { fovea_map_pixels(model, &pixels, Int32(kind.rawValue), &options, $0, $1) }
    }
    defer { fovea_result_free(result) }
    let array = try #require(fovea_result_array(result, 0)?.pointee)
    let floats = try #require(array.data).assumingMemoryBound(to: Float.self)
    return (
      (0..<Int(array.rank)).map { array.shape[$0] },
      (0..<array.byte_count / 4).map { floats[$0] }
    )
  }

  @Test func classesOfThePicture() throws {
    let model = try open([1, 3, 8, 12], "semantic") { $0.add("Identity", ["x"]) }
    defer { fovea_model_close(model) }
    let (shape, floats) = try map(model, fovea_map_classes)
    #expect(shape == [8, 12])
    #expect(floats == (0..<96).map { $0 % 12 < 6 ? 0 : 1 })
    // The right half alone.
    let half = try map(model, fovea_map_classes) {
      ($0.region_x, $0.region_width) = (0.5, 0.5)
    }
    #expect(half.floats == (0..<96).map { $0 % 12 < 6 ? 255 : 1 })
    let wrong = failure { fovea_map_file(model, "none.png", 4, nil, $0, $1) }
    #expect(wrong.status == fovea_status_invalid_argument)
    let other = failure {
      fovea_map_file(model, "none.png", Int32(fovea_map_depth.rawValue), nil, $0, $1)
    }
    #expect(other.status == fovea_status_unsuitable_model)
    #expect(other.message?.contains("SegmentImageRequest") == true, "\(other)")
  }

  @Test func picturesAndEmbeddings() throws {
    let image = try open([1, 3, 8, 12], "image") { writer in
      writer.floats("low", [0], [])
      writer.floats("white", [255], [])
      writer.add("Clip", ["x", "low", "white"])
    }
    defer { fovea_model_close(image) }
    let picture = try map(image, fovea_map_picture)
    #expect(picture.shape == [8, 12, 3] && picture.floats[0..<3] == [200, 10, 20])
    let embedding = try open([1, 3], "embedding") { writer in
      writer.integers("axes", [2, 3])
      writer.add("ReduceMean", ["x", "axes"], ["y"], ["keepdims": .int(0)])
    }
    defer { fovea_model_close(embedding) }
    let row = try map(embedding, fovea_map_embedding)
    #expect(row.shape == [3])
    #expect(zip(row.floats, [115, 95, 12.5]).allSatisfy { abs($0 - $1) < 1e-3 })
  }
}
