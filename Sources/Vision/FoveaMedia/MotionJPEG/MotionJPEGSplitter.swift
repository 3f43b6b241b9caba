// Fovea - the pictures in the bytes of a Motion JPEG.
// SPDX-License-Identifier: Apache-2.0

/// Finds the pictures in the bytes of a Motion JPEG, as they come.
///
/// Pictures follow one another directly, or stand in the parts of a multipart answer. Lengths and
/// boundaries that a server states are not believed: a picture goes from its start to its end
/// marker. Its segments are passed over by their lengths, so that the thumbnail in one is no picture.
package struct MotionJPEGSplitter: ~Copyable {
  private enum Place {
    /// Before a picture.
    case outside
    /// At a marker of a picture.
    case markers
    /// In the coded samples of a picture.
    case samples
  }

  private let maximumPictureBytes: Int
  private let maximumGapBytes: Int
  /// Bytes that came; `used` of them are in use.
  private let capacity: Int
  private var bytes: UnsafeMutablePointer<UInt8>
  private var room: Int
  private var used = 0
  /// Where the picture begins, and how far it was looked at.
  private var start = 0
  private var position = 0
  private var place = Place.outside
  /// Bytes since the last picture.
  private var gap = 0
  /// Pictures that were cut, too long, or broken in their segments.
  package private(set) var lostPictures = 0

  /// Creates a splitter.
  ///
  /// - Parameters:
  ///   - maximumPictureBytes: The longest picture; longer ones count as lost.
  ///   - maximumGapBytes: How many bytes without a picture are endured.
  package init(maximumPictureBytes: Int, maximumGapBytes: Int = 1 << 20) {
    self.maximumPictureBytes = min(max(maximumPictureBytes, 1024), 1 << 40)
    self.maximumGapBytes = maximumGapBytes
    capacity = self.maximumPictureBytes + 65_536
    room = min(capacity, 1 << 18)
    bytes = .allocate(capacity: room)
  }

  deinit { bytes.deallocate() }

  /// Lends memory for the next bytes to `read`, which returns how many it wrote; 0 at the end.
  ///
  /// Every picture that was there has been taken before.
  package mutating func append<Failure: Error>(
    _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    dropTaken()
    if room - used < 16_384, room < capacity { grow() }
    let free = UnsafeMutableRawBufferPointer(start: bytes + used, count: room - used)
    let count = min(max(try read(free), 0), free.count)
    used += count
    return count
  }

  /// Moves what is still needed to the front.
  private mutating func dropTaken() {
    let kept = place == .outside ? position : start
    guard kept > 0 else { return }
    bytes.update(from: bytes + kept, count: used - kept)
    used -= kept
    position -= kept
    start = 0
  }

  private mutating func grow() {
    let larger = min(capacity, 2 * room)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    new.update(from: bytes, count: used)
    bytes.deallocate()
    (bytes, room) = (new, larger)
  }

  /// Lends the next whole picture; `nil` where more bytes are needed.
  ///
  /// - Throws: What `body` throws.
  package mutating func withNextPicture<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let range = nextPicture() else { return nil }
    return try body(UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
  }

  /// Whether so many bytes came without a picture that there will be none.
  package var hasTooLongGap: Bool { gap > maximumGapBytes }

  /// Says that no more bytes come. A picture that was begun is lost.
  package mutating func finish() {
    if place != .outside { lostPictures += 1 }
    (place, position) = (.outside, used)
  }

  // MARK: Walking

  private mutating func nextPicture() -> Range<Int>? {
    while true {
      switch place {
      case .outside:
        guard findStart() else { return nil }
      case .markers:
        guard let isWhole = passMarker() else { return endTooLong() }
        if isWhole {
          if position - start <= maximumPictureBytes { return takePicture() }
          lose(goOnAt: position)
        }
      case .samples:
        guard passSamples() else { return endTooLong() }
      }
    }
  }

  private mutating func takePicture() -> Range<Int> {
    let range = start..<position
    place = .outside
    gap = 0
    return range
  }

  /// Gives up a picture that has more bytes than allowed.
  private mutating func endTooLong() -> Range<Int>? {
    guard used - start > maximumPictureBytes else { return nil }
    lose(goOnAt: used)
    return nil
  }

  private mutating func lose(goOnAt next: Int) {
    lostPictures += 1
    place = .outside
    position = next
  }

  /// Moves to the start marker FF D8 FF.
  private mutating func findStart() -> Bool {
    var at = position
    while at + 2 < used {
      if bytes[at] == 0xFF, bytes[at + 1] == 0xD8, bytes[at + 2] == 0xFF {
        (start, position, place) = (at, at + 2, .markers)
        return true
      }
      at += 1
    }
    gap += at - position
    position = at
    return false
  }

  /// Passes one marker and its segment.
  ///
  /// - Returns: Whether the picture ended with it; `nil` where more bytes are needed.
  private mutating func passMarker() -> Bool? {
    guard position + 1 < used else { return nil }
    guard bytes[position] == 0xFF else {
      lose(goOnAt: position)
      return false
    }
    let marker = bytes[position + 1]
    switch marker {
    case 0xFF: position += 1
    case 0xD9:
      position += 2
      return true
    case 0xD8:
      // Another picture begins before this one has ended.
      lose(goOnAt: position)
    case 0x01, 0xD0...0xD7: position += 2
    case 0x00: lose(goOnAt: position + 1)
    default:
      guard position + 3 < used else { return nil }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      if length < 2 {
        lose(goOnAt: position + 2)
        return false
      }
      guard position + 2 + length <= used else { return nil }
      position += 2 + length
      if marker == 0xDA { place = .samples }
    }
    return false
  }

  /// Moves to the marker behind coded samples.
  private mutating func passSamples() -> Bool {
    var at = position
    while at + 1 < used {
      if bytes[at] == 0xFF {
        let next = bytes[at + 1]
        if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
          (position, place) = (at, .markers)
          return true
        }
        // Of fill bytes the last may begin a marker.
        at += next == 0xFF ? 1 : 2
      } else {
        at += 1
      }
    }
    position = at
    return false
  }
}
