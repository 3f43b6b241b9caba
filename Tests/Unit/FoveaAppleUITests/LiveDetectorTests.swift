// Fovea - tests of a live detector whose layers are drawn into pictures.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaImaging
import FoveaTestSupport
import Foundation
import Testing
import UIKit

@Suite("A live detector") struct LiveDetectorTests {
  private static let side = 40

  /// Where the red square of a frame lies.
  private static func corner(_ index: Int) -> (x: Int, y: Int) { (15 + 24 * index, 60) }

  private func film(frames: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<frames {
      let (left, top) = Self.corner(index)
      let ground = [UInt8](repeating: 110, count: 3 * 240)
      var crossing = ground
      for x in left..<left + Self.side {
        crossing.replaceSubrange(3 * x..<3 * x + 3, with: [217, 33, 31])
      }
      var rgb: [UInt8] = []
      for y in 0..<180 { rgb += (top..<top + Self.side).contains(y) ? crossing : ground }
      bytes += try Image(width: 240, height: 180, rgb: rgb).jpegBytes(quality: 95)
    }
    return bytes
  }

  @Test(
    "Boxes of every analyzed frame stand around the object; late frames are counted",
    arguments: [true, false])
  func overlay(takesEvery: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let model = try folder.write("Shapes.mlmodel", ShapesDetector.modelBytes())
    let film = try folder.write("squares.mjpeg", try film(frames: 6))
    let process = Process()
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = (bundle ?? executable).deletingLastPathComponent()
      .appendingPathComponent("LiveDetectorSample")
    process.arguments = [model, folder.url.path] + (takesEvery ? ["every"] : [])
    process.environment = ProcessInfo.processInfo.environment.merging(["FOVEA_CAMERA": film]) {
      $1
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let counts = try #require(lines.last)
    let (analyzed, dropped) = (try #require(Int(counts[1])), try #require(Int(counts[3])))
    #expect(analyzed + dropped == 6 && analyzed >= (takesEvery ? 6 : 1))
    let boxes = lines.filter { $0.count == 7 && $0[1] == "red" }
    #expect(boxes.count == analyzed)
    for (index, box) in boxes.enumerated() {
      let frame = Int((try #require(Double(box[0])) / 0.04).rounded())
      let numbers = box[3...].compactMap { Int($0) }
      let (left, top) = Self.corner(frame)
      let expected = [left, top, Self.side, Self.side]
      #expect(zip(numbers, expected).allSatisfy { abs($0 - $1) <= 5 }, "\(box)")
      let path = folder.path("frame-\(index).png")
      let picture = try #require(UIImage(contentsOfFile: path)?.cgImage)
      let data = try #require(picture.dataProvider?.data) as Data
      let pixel = (numbers[1] + numbers[3] / 2) * picture.bytesPerRow + (numbers[0] + 1) * 4
      #expect(data[pixel] == 255 && abs(Int(data[pixel + 1]) - 204) <= 1 && data[pixel + 2] == 0)
    }
  }
}
