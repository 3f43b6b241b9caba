// Fovea - tests of pictures in memory.
// SPDX-License-Identifier: Apache-2.0
import FoveaApple
import FoveaImaging
import Foundation
import Testing

@Suite("Pictures in memory") struct PictureTests {
  /// Columns and rows of different colors: pixel (x, y) is (40 x, 60 y, 7).
  static func example(width: Int = 3, height: Int = 2) throws -> CGImage {
    let pixels = (0..<width * height).map { ($0 % width, $0 / width) }
    let rgb: [UInt8] = pixels.flatMap { x, y in
      [UInt8(truncatingIfNeeded: 40 * x), UInt8(truncatingIfNeeded: 60 * y), 7]
    }
    return try #require(CGImage(Image(width: width, height: height, rgb: rgb)))
  }

  static func rgb(_ image: CGImage?) -> [UInt8] { image?.rgbImage?.rgb ?? [] }

  @Test(
    "All arrangements of bytes show the same picture",
    arguments: [
      (CGImageAlphaInfo.premultipliedLast, CGBitmapInfo.byteOrderDefault),
      (.premultipliedFirst, .byteOrder32Little), (.noneSkipFirst, .byteOrder32Big),
      (.noneSkipLast, .byteOrder32Little),
    ])
  func arrangements(alpha: CGImageAlphaInfo, order: CGBitmapInfo) throws {
    let source = try Self.example()
    let context = try #require(
      CGContext(
        data: nil, width: 3, height: 2, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: alpha.rawValue | order.rawValue))
    context.draw(source, in: CGRect(x: 0, y: 0, width: 3, height: 2))
    #expect(Self.rgb(context.makeImage()) == Self.rgb(source))
    let first = try #require(context.data).load(as: UInt32.self)
    // Red of pixel (0, 0) is 0, blue is 7: where blue lies tells the order of the bytes.
    let blue: UInt32 =
      switch (alpha, order) {
      case (.premultipliedLast, _): 7 << 16
      case (.premultipliedFirst, _): 7
      case (.noneSkipFirst, _): 7 << 24
      default: 7 << 8
      }
    #expect(first & (0xFF << UInt32(blue.trailingZeroBitCount & ~7)) == blue)
  }

  @Test("A rectangle at the origin is filled at the lower left") func fill() throws {
    var pixels = [UInt8](repeating: 9, count: 4 * 4 * 4)
    try pixels.withUnsafeMutableBytes { memory in
      let context = try #require(
        CGContext(
          data: memory.baseAddress, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 16,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
      context.clear(CGRect(x: 0, y: 0, width: 4, height: 4))
      context.setFillColor(red: 1, green: 0, blue: 0, alpha: 0.5)
      context.fill(CGRect(x: 0, y: 0, width: 2, height: 1))
      context.setFillColor(CGColor(gray: 1, alpha: 1))
      context.fill(CGRect(x: 2.5, y: 3, width: 1, height: 1))
    }
    #expect(Array(pixels[48..<60]) == [128, 0, 0, 128, 128, 0, 0, 128, 0, 0, 0, 0])
    #expect(Array(pixels[8..<16]) == [128, 128, 128, 128, 128, 128, 128, 128])
    #expect(pixels[16..<48].allSatisfy { $0 == 0 })
  }

  @Test("A stroke lies half on each side, and corners are square") func stroke() throws {
    let context = try gray(9, 9)
    context.setStrokeColor(gray: 1, alpha: 1)
    context.setLineWidth(2)
    context.stroke(CGRect(x: 2, y: 2, width: 5, height: 5))
    let expected = (0..<9).map { y in
      (0..<9).map { x in
        let isOuter = (1..<8).contains(x) && (1..<8).contains(y)
        return isOuter && !((3..<6).contains(x) && (3..<6).contains(y)) ? UInt8(255) : 0
      }
    }
    #expect(levels(context) == expected)
  }

  @Test("The area of an ellipse is right, and what is clipped stays") func ellipse() throws {
    let context = try gray(40, 40)
    context.setFillColor(gray: 1, alpha: 1)
    context.fillEllipse(in: CGRect(x: 5, y: 10, width: 30, height: 20))
    let sum = levels(context).joined().reduce(0.0) { $0 + Double($1) / 255 }
    #expect(abs(sum - .pi * 15 * 10) < 2)
    let other = try gray(40, 40)
    other.addEllipse(in: CGRect(x: 5, y: 10, width: 30, height: 20))
    other.clip()
    other.setFillColor(gray: 1, alpha: 1)
    other.fill(CGRect(x: 0, y: 0, width: 40, height: 40))
    #expect(levels(other) == levels(context))
  }

  @Test("Maps move, turn and mirror what is drawn") func maps() throws {
    let context = try gray(4, 4)
    context.translateBy(x: 4, y: 4)
    context.scaleBy(x: -1, y: -1)
    context.setFillColor(gray: 1, alpha: 1)
    context.fill(CGRect(x: 0, y: 0, width: 1, height: 2))
    #expect(levels(context)[0] == [0, 0, 0, 255])
    #expect(levels(context)[1] == [0, 0, 0, 255])
    #expect(levels(context)[2] == [0, 0, 0, 0])
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let turned = CGRect(x: 1, y: 0, width: 2, height: 1).applying(turn)
    #expect(abs(turned.minX + 1) < 1e-12 && abs(turned.maxY - 3) < 1e-12)
    let both = turn.concatenating(CGAffineTransform(translationX: 3, y: 1))
    let back = CGPoint(x: 5, y: 6).applying(both).applying(both.inverted())
    #expect(abs(back.x - 5) < 1e-9 && abs(back.y - 6) < 1e-9)
  }

  @Test("Files keep pictures, and say their size") func files() throws {
    let image = try Self.example(width: 17, height: 9)
    let data = NSMutableData()
    let target = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    CGImageDestinationAddImage(target, image, nil)
    #expect(CGImageDestinationFinalize(target))
    let source = try #require(CGImageSourceCreateWithData(data, nil))
    let read = CGImageSourceCreateImageAtIndex(source, 0, nil)
    #expect(Self.rgb(read) == Self.rgb(image))
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    #expect(properties?[kCGImagePropertyPixelWidth] as? Int == 17)
    let options =
      [
        kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 8,
      ] as CFDictionary
    let small = CGImageSourceCreateThumbnailAtIndex(source, 0, options)
    #expect(small?.width == 8 && small?.height == 4)
    #expect(CGImageSourceGetCount(try #require(CGImageSourceCreateWithData(NSData(), nil))) == 0)
    #expect(CGImageSourceCreateWithURL(NSURL(fileURLWithPath: "/nowhere"), nil) == nil)
  }

  @Test("Numbers that do not fit are refused") func refusals() throws {
    let provider = try #require(CGDataProvider(data: NSData(data: Data(count: 24))))
    func image(_ width: Int, _ height: Int, _ row: Int) -> CGImage? {
      CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: row,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: 5),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }
    #expect(image(3, 2, 12) != nil)
    #expect(image(3, 2, 13) == nil)
    #expect(image(3, 3, 12) == nil)
    #expect(image(Int.max, 2, 12) == nil && image(3, Int.max, 12) == nil && image(0, 1, 4) == nil)
    let part = image(3, 2, 12)?.cropping(to: CGRect(x: 1, y: 1, width: 9, height: 9))
    #expect(part?.width == 2 && part?.height == 1)
  }

  private func gray(_ width: Int, _ height: Int) throws -> CGContext {
    try #require(
      CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width,
        space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
  }

  private func levels(_ context: CGContext) -> [[UInt8]] {
    let bytes = UnsafeRawBufferPointer(
      start: context.data, count: context.bytesPerRow * context.height)
    return (0..<context.height).map { row in
      Array(bytes[row * context.bytesPerRow..<row * context.bytesPerRow + context.width])
    }
  }
}
