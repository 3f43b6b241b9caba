// Fovea - tests of frames: buffers, their times, and pictures as recipes.
// SPDX-License-Identifier: Apache-2.0
import FoveaApple
import FoveaImaging
import Foundation
import Testing

@Suite("Frames and recipes") struct FrameTests {
  static func buffer(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    try #require(CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == kCVReturnSuccess)
    return try #require(buffer)
  }

  @Test("Orientations turn recipes as files are turned", arguments: 1...8)
  func orientations(exif: Int) throws {
    let image = try PictureTests.example()
    let rgb = PictureTests.rgb(image)
    let upright = try Image(width: 3, height: 2, rgb: rgb, storedOrientation: exif).upright()
    let turned = CIImage(cgImage: image).oriented(forExifOrientation: Int32(exif))
    #expect(turned.extent == CGRect(x: 0, y: 0, width: upright.width, height: upright.height))
    #expect(PictureTests.rgb(CIContext().createCGImage(turned, from: turned.extent)) == upright.rgb)
  }

  @Test("A part of a picture lands at the lower left of a buffer") func parts() throws {
    let image = CIImage(cgImage: try PictureTests.example())
    let part = image.cropped(to: CGRect(x: 1, y: 0, width: 2, height: 1))
    #expect(part.extent == CGRect(x: 1, y: 0, width: 2, height: 1))
    let moved = part.transformed(by: CGAffineTransform(translationX: -1, y: 0))
    let buffer = try Self.buffer(3, 2, kCVPixelFormatType_32BGRA)
    CIContext().render(moved, to: buffer)
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    let row = base + CVPixelBufferGetBytesPerRow(buffer)
    #expect(
      Array(UnsafeRawBufferPointer(start: row, count: 12))
        == [7, 60, 40, 255, 7, 60, 80, 255, 0, 0, 0, 0])
    #expect(Array(UnsafeRawBufferPointer(start: base, count: 12)).allSatisfy { $0 == 0 })
    let green = CIImage(color: .green).cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))
    let both = green.composited(over: image)
    #expect(
      PictureTests.rgb(CIContext().createCGImage(both, from: image.extent))[9..<15]
        == [0, 255, 0, 40, 60, 7])
    #expect(CIImage(color: .red).extent.isInfinite)
    #expect(CIContext().createCGImage(CIImage(color: .red), from: .infinite) == nil)
  }

  @Test("A picture without changes is its buffer") func wrapping() throws {
    let buffer = try Self.buffer(5, 4, kCVPixelFormatType_32BGRA)
    #expect(CIImage(cvPixelBuffer: buffer).pixelBuffer == buffer)
    #expect(CIImage(cvPixelBuffer: buffer).oriented(.up).pixelBuffer == buffer)
    #expect(CIImage(cvPixelBuffer: buffer).oriented(.left).pixelBuffer == nil)
  }

  @Test("Rows are padded and planes have their sizes") func planes() throws {
    let buffer = try Self.buffer(17, 5, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 9)
    #expect(CVPixelBufferGetHeightOfPlane(buffer, 1) == 3)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) % 16 == 0)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil)
    let plain = try Self.buffer(17, 5, kCVPixelFormatType_32BGRA)
    #expect(CVPixelBufferGetBytesPerRow(plain) >= 68 && !CVPixelBufferIsPlanar(plain))
    var none: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 0, 5, 32, nil, &none) == kCVReturnInvalidSize)
    #expect(CVPixelBufferCreate(nil, 5, 5, 1, nil, &none) == kCVReturnInvalidPixelFormat)
  }

  @Test(
    "Every format of pixels gives its colors",
    arguments: [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA,
      kCVPixelFormatType_32ABGR, kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR,
    ])
  func formats(format: OSType) throws {
    let image = try PictureTests.example()
    let buffer = try Self.buffer(3, 2, format)
    CIContext().render(CIImage(cgImage: image), to: buffer)
    let recipe = CIImage(cvPixelBuffer: buffer)
    #expect(
      PictureTests.rgb(CIContext().createCGImage(recipe, from: recipe.extent))
        == PictureTests.rgb(image))
  }

  @Test(
    "Gray luma is gray, whatever the planes",
    arguments: [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
    ])
  func luma(format: OSType) throws {
    let buffer = try Self.buffer(4, 2, format)
    for plane in 0..<CVPixelBufferGetPlaneCount(buffer) {
      let count =
        CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
        * CVPixelBufferGetHeightOfPlane(buffer, plane)
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
      memset(base, plane == 0 ? 77 : 128, count)
    }
    let recipe = CIImage(cvPixelBuffer: buffer)
    #expect(
      PictureTests.rgb(CIContext().createCGImage(recipe, from: recipe.extent))
        == [UInt8](repeating: 77, count: 24))
  }

  @Test("A pool uses memory again") func pool() throws {
    let attributes =
      [
        kCVPixelBufferWidthKey: 8, kCVPixelBufferHeightKey: 4,
        kCVPixelBufferPixelFormatTypeKey: Int(kCVPixelFormatType_32BGRA),
      ] as CFDictionary
    var pool: CVPixelBufferPool?
    #expect(CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool) == 0)
    func address() throws -> UnsafeMutableRawPointer? {
      var buffer: CVPixelBuffer?
      CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, try #require(pool), &buffer)
      return CVPixelBufferGetBaseAddress(try #require(buffer))
    }
    #expect(try address() == address())
    #expect(CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPixelBufferAttributes)
  }

  @Test("Times add, compare and turn into seconds") func times() {
    let third = CMTime(value: 1, timescale: 3), half = CMTime(value: 1, timescale: 2)
    #expect((third + half).value == 5 && (third + half).timescale == 6)
    #expect(half - third == CMTime(value: 1, timescale: 6) && third < half)
    #expect(CMTime(value: 2, timescale: 4) == half)
    #expect(CMTimeMakeWithSeconds(1.5, preferredTimescale: 600).value == 900)
    #expect(CMTimeGetSeconds(half) == 0.5 && CMTime.invalid.seconds.isNaN)
    #expect(!CMTime.indefinite.isNumeric && CMTime.positiveInfinity > half)
    #expect(CMTimeRange(start: third, duration: half).containsTime(half))
  }
}
