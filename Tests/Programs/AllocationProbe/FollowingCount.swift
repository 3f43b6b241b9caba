// Fovea - what following an object takes from the heap, counted.
// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import FoveaFollowing
import FoveaGeometry

/// Calls of the allocator for creating a follower, and for starting it and for thirty pictures, in
/// which the object is seen, gone and searched for.
func countFollowing() throws -> (creation: Int, later: Int) {
  let pictures = (0..<31).map { stripes(index: $0) }
  // What Swift itself allocates at the first use of a type is none of the follower's.
  _ = try follow(pictures)
  return try follow(pictures)
}

private let (width, height) = (160, 120)

/// The ground is a slope; the object has stripes, and is there in every picture but 10 to 20.
private func stripes(index: Int) -> [UInt8] {
  (0..<width * height).map { place -> UInt8 in
    let (x, y) = (place % width - 40 - index, place / width - 40)
    let isObject = (0..<30).contains(x) && (0..<24).contains(y) && !(10...20).contains(index)
    return isObject ? UInt8(90 + x * 37 % 120 + y % 5) : UInt8(place % width)
  }
}

private func follow(_ pictures: [[UInt8]]) throws -> (creation: Int, later: Int) {
  let plane = FollowedImage.Plane(width: width, height: height, rowBytes: width)
  let box = ImageRect(x: 40, y: 40, width: 30, height: 24, origin: .upperLeft)
  let before = allocation_counter_read().calls
  var follower = try ObjectFollower(level: .accurate)
  let created = allocation_counter_read().calls
  // By numbers: a debug build allocates for iterators of arrays.
  for index in 0..<pictures.count {
    let levels = pictures[index]
    let luma = levels.span.bytes
    try FollowedImage.withPlanes(luma: luma, plane, blue: luma, nil, red: luma, nil) {
      picture throws(FollowingError) in
      if index == 0 { return try follower.start(in: picture, box: box) }
      _ = try follower.step(in: picture, seconds: 0.04)
    }
  }
  return (Int(created - before), Int(allocation_counter_read().calls - created))
}
