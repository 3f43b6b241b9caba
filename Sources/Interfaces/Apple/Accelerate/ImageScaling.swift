// Fovea - pictures of four samples, scaled.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation

public typealias vImagePixelCount = UInt
public typealias vImage_Error = Int
public typealias vImage_Flags = UInt32

public let kvImageNoError: vImage_Error = 0
public let kvImageRoiLargerThanInputBuffer: vImage_Error = -21766
public let kvImageNullPointerArgument: vImage_Error = -21772
public let kvImageInvalidParameter: vImage_Error = -21773
public let kvImageNoFlags = 0
public let kvImageHighQualityResampling = 32
public let kvImageDoNotTile = 16
public let kvImageEdgeExtend = 8

/// Rows of pixels in memory.
public struct vImage_Buffer {
  public var data: UnsafeMutableRawPointer!
  public var height: vImagePixelCount
  public var width: vImagePixelCount
  public var rowBytes: Int

  public init() { (data, height, width, rowBytes) = (nil, 0, 0, 0) }

  public init(
    data: UnsafeMutableRawPointer!, height: vImagePixelCount, width: vImagePixelCount,
    rowBytes: Int
  ) { (self.data, self.height, self.width, self.rowBytes) = (data, height, width, rowBytes) }
}

/// The shares of source samples in one sample of the result.
private struct SampleShares {
  var first: Int
  var shares: [Float]

  /// A triangle around the middle of each sample, as wide as two samples of the coarser side.
  static func all(from source: Int, to target: Int) -> [SampleShares] {
    let step = Float(source) / Float(target)
    let reach = max(1, step)
    return (0..<target).map { index in
      let middle = (Float(index) + 0.5) * step - 0.5
      let first = max(0, Int((middle - reach).rounded(.up)))
      let last = min(source - 1, Int((middle + reach).rounded(.down)))
      var shares = (first...max(first, last)).map { max(0, 1 - abs(Float($0) - middle) / reach) }
      let sum = shares.reduce(0, +)
      shares = shares.map { $0 / sum }
      return SampleShares(first: first, shares: shares)
    }
  }
}

/// Scales a picture of four 8-bit samples to the size of another. Samples are mixed by a triangle,
/// without regard to alpha.
@discardableResult
public func vImageScale_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error {
  let (source, target) = (src.pointee, dest.pointee)
  guard let from = source.data, let to = target.data else { return kvImageNullPointerArgument }
  let (width, height) = (Int(clamping: source.width), Int(clamping: source.height))
  let (columns, rows) = (Int(clamping: target.width), Int(clamping: target.height))
  let sides = [width, height, columns, rows]
  guard sides.allSatisfy({ $0 > 0 && $0 <= 1 << 20 }), source.rowBytes >= 4 * width,
    target.rowBytes >= 4 * columns
  else { return kvImageInvalidParameter }
  let across = SampleShares.all(from: width, to: columns)
  var narrow = [Float](repeating: 0, count: 4 * columns * height)
  for row in 0..<height {
    let line = (from + row * source.rowBytes).assumingMemoryBound(to: UInt8.self)
    for (column, mix) in across.enumerated() {
      let place = 4 * (row * columns + column)
      for (offset, share) in mix.shares.enumerated() {
        let pixel = line + 4 * (mix.first + offset)
        for sample in 0..<4 { narrow[place + sample] += share * Float(pixel[sample]) }
      }
    }
  }
  for (row, mix) in SampleShares.all(from: height, to: rows).enumerated() {
    let line = (to + row * target.rowBytes).assumingMemoryBound(to: UInt8.self)
    for place in 0..<4 * columns {
      var sum: Float = 0
      for (offset, share) in mix.shares.enumerated() {
        sum += share * narrow[(mix.first + offset) * 4 * columns + place]
      }
      line[place] = UInt8(min(255, max(0, sum.rounded())))
    }
  }
  return kvImageNoError
}
