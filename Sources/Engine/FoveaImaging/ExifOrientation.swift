// Fovea - the orientation tag of EXIF data.
// SPDX-License-Identifier: Apache-2.0

/// The orientation in a block of EXIF data, which are TIFF data. Only tag 0x0112 is read. (Exif 2.3,
/// sections 4.5 and 4.6.)
package enum ExifOrientation {
  /// The orientation 1...8 in the TIFF data that fill `range` of `bytes`; `nil` where there is
  /// none, an invalid one, or the data are broken. Nothing outside `range` is read.
  ///
  /// Some writers begin the data with "Exif", as in JPEG, where nothing belongs before them. Some
  /// use a number of 32 bits.
  package static func find(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let range = range.clamped(to: bytes.indices)
    let prefix = bytes[range].starts(with: "Exif\0\0".utf8) ? 6 : 0
    let directory = TIFFDirectory(bytes, range.lowerBound + prefix..<range.upperBound)
    return valid(directory?.integer(0x0112))
  }

  /// The number where it is an orientation.
  static func valid(_ number: Int?) -> Int? {
    number.flatMap { (1...8).contains($0) ? $0 : nil }
  }
}
