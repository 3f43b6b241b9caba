// Fovea - tests of the EXIF orientation tag on handmade bytes.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Testing

@Suite struct ExifOrientationTests {
  private func find(_ bytes: [UInt8]) -> Int? { ExifOrientation.find(in: bytes, bytes.indices) }

  @Test(arguments: [false, true])
  func everyOrientationInBothByteOrders(bigEndian: Bool) {
    for value in 1...8 {
      #expect(find(HandmadeTIFF.orientation(UInt16(value), bigEndian: bigEndian)) == value)
    }
    for value in [0, 9, 255, 256, 65535] {
      #expect(find(HandmadeTIFF.orientation(UInt16(value), bigEndian: bigEndian)) == nil)
    }
  }

  @Test(arguments: [false, true])
  func cutAtEveryByte(bigEndian: Bool) {
    let whole = HandmadeTIFF.orientation(6, bigEndian: bigEndian)
    let needed = 8 + 2 + 12 + 10  // header, count, first entry, second entry's value
    for count in 0...whole.count {
      #expect(find(Array(whole.prefix(count))) == (count >= needed ? 6 : nil), "\(count)")
      // The same bytes are there, but outside the range that may be read.
      #expect(ExifOrientation.find(in: whole, 0..<count) == (count >= needed ? 6 : nil))
    }
    let shifted = [1, 2, 3] + whole + [4]
    #expect(ExifOrientation.find(in: shifted, 3..<shifted.count) == 6)
    #expect(ExifOrientation.find(in: whole, 0..<whole.count + 100) == 6)
  }

  @Test func brokenFieldsGiveNothing() {
    let whole = HandmadeTIFF.orientation(6, bigEndian: false)
    func changed(_ position: Int, _ bytes: [UInt8]) -> Int? {
      var copy = whole
      copy.replaceSubrange(position..<position + bytes.count, with: bytes)
      return find(copy)
    }
    #expect(changed(0, [0x58]) == nil, "byte order")
    #expect(changed(2, [43]) == nil, "magic number")
    #expect(changed(4, [255, 255, 255, 255]) == nil, "directory at the end of the world")
    #expect(changed(4, [0, 0, 0, 0]) == nil, "directory in the header")
    #expect(changed(24, [1]) == nil, "type byte")
    #expect(changed(26, [2]) == nil, "two values")
    #expect(changed(24, [4]) == 6, "32-bit value")
    #expect(changed(8, [255, 255]) == 6, "count too large, but the tag is there")
    #expect(changed(8, [1, 0]) == nil, "count ends before the tag")
  }
}
