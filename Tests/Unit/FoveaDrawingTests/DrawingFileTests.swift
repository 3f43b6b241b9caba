// Fovea - tests of drawings as files.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import Testing

@Suite struct DrawingFileTests {
  private let box = LabeledBox(
    label: "dog", confidence: 0.9,
    boundingBox: NormalizedRect(x: 0.2, y: 0.2, width: 0.5, height: 0.5))

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-drawing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func endingsChooseFormats() throws {
    #expect(try DrawingFormat(forFile: "a/b.png") == .png)
    #expect(try DrawingFormat(forFile: "B.PNG") == .png)
    #expect(try DrawingFormat(forFile: "/a.b/c.d.Svg") == .svg)
    #expect(try DrawingFormat(forFile: "a.jpg") == .jpeg)
    #expect(try DrawingFormat(forFile: "a.JPEG") == .jpeg)
  }

  @Test(arguments: [
    ("out.bmp", "bmp"), ("out", ""), ("out.png/", ""), ("folder.png/out", ""), ("out.", ""),
    ("", ""),
  ])
  func otherEndingsAreRefused(path: String, ending: String) throws {
    let error = #expect(throws: DrawingError.self) { try DrawingFormat(forFile: path) }
    #expect(error?.reason == .unknownFormat(extension: ending))
    #expect(error?.file == path)
    #expect(error?.description.contains(".png, .jpg, .jpeg or .svg") == true)
    // Known before anything is drawn or any file made.
    let image = try Image(width: 2, height: 2, rgb: Array(repeating: 7, count: 12))
    let annotated = AnnotatedImage(image, boxes: [box])
    let second = #expect(throws: DrawingError.self) { try annotated.write(to: path) }
    #expect(second == error)
  }

  #if PNG
    @Test func svgFilesAreWritten() throws {
      try withFolder { folder in
        let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box])
        let file = folder.appendingPathComponent("out.svg").path
        try annotated.write(to: file)
        let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(try written == annotated.svgBytes())
      }
    }

    @Test func foldersThatAreNotThereAreNamed() throws {
      let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box])
      let path = "/nowhere/at/all/out.svg"
      let error = #expect(throws: DrawingError.self) { try annotated.write(to: path) }
      #expect(error?.file == path)
      guard case .image(.unwritable) = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.description.hasPrefix(path) == true)
    }
  #endif

  #if Drawing && JPEG
    @Test func jpegFilesHoldWhatIsRendered() throws {
      try withFolder { folder in
        let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box])
        for (name, quality) in [("out.jpg", 90), ("out.jpeg", 30)] {
          let file = folder.appendingPathComponent(name).path
          try annotated.write(to: file, jpegQuality: quality)
          let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
          #expect(try written == annotated.rendered().jpegBytes(quality: quality))
        }
        let error = #expect(throws: DrawingError.self) {
          try annotated.write(to: folder.appendingPathComponent("out.jpg").path, jpegQuality: 0)
        }
        #expect(error?.reason == .image(.invalidQuality(0)))
      }
    }
  #endif

  #if Drawing && PNG
    @Test func pngFilesHoldWhatIsRendered() throws {
      try withFolder { folder in
        let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box])
        let file = folder.appendingPathComponent("out.png").path
        try annotated.write(to: file)
        #expect(try Image(contentsOf: file) == annotated.rendered())
      }
    }
  #endif
}
