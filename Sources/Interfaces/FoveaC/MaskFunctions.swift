// Fovea - the functions of fovea_detect.h about masks.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaGeometry
internal import FoveaShapes
public import CFovea.Detect

private func mask(_ result: OpaquePointer?, _ index: Int) -> InstanceMask? {
  guard let masks = found(result)?.masks, masks.indices.contains(index) else { return nil }
  return masks[index]
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_mask_pixels(
  _ result: OpaquePointer!, _ index: Int, _ pixels: UnsafeMutablePointer<UInt8>!,
  _ byte_count: Int, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    guard let pixels else { throw .invalid("no room for pixels was given (NULL)") }
    guard let mask = mask(result, index) else {
      throw .invalid("object \(index) of the result has no mask")
    }
    let (width, count) = (mask.columns.count, mask.columns.count * mask.rows.count)
    guard byte_count >= count else {
      throw CallFailure(
        fovea_status_buffer_too_small,
        "there is room for \(byte_count) bytes; the mask of object \(index) has \(count)")
    }
    pixels.update(repeating: 0, count: count)
    for (line, row) in mask.rows.enumerated() {
      for stretch in mask.stretches(inRow: row) {
        let start = line * width + stretch.lowerBound - mask.columns.lowerBound
        (pixels + start).update(repeating: 1, count: stretch.count)
      }
    }
  }
}

/// See fovea_detect.h.
@c @implementation public func fovea_result_mask_outlines(
  _ result: OpaquePointer!, _ index: Int, _ numbers: UnsafeMutablePointer<Double>!, _ capacity: Int
) -> Int {
  guard let mask = mask(result, index) else { return 0 }
  let all = mask.polygons.flatMap { ring in
    [Double(ring.count)] + ring.flatMap { [$0.x, $0.y] }
  }
  if let numbers {
    for (place, number) in all.prefix(max(capacity, 0)).enumerated() { numbers[place] = number }
  }
  return all.count
}
