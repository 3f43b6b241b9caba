// Fovea - tests of fovea preview, and of what detect draws and explains.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaExampleModel
import Testing

@Suite struct PreviewCommandTests {
  @Test func theInputIsWrittenPixelForPixel() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    for action in ImageCropAndScaleAction.allCases {
      let seen = files.folder.path("seen-\(action.rawValue).png")
      let run = try CommandRun.fovea([
        "preview", files.image, "--model", files.model, "-o", seen, "--crop-and-scale",
        action.rawValue, "--roi", "0.1,0.2,0.8,0.7",
      ])
      #expect(run.status == 0 && run.complaints == "", "\(run.errors)")
      var request = try DetectObjectsRequest(model: Model(contentsOf: files.model))
      request.cropAndScaleAction = action
      request.regionOfInterest = NormalizedRect(x: 0.1, y: 0.2, width: 0.8, height: 0.7)
      let expected = try request.networkInput(on: ImageFile(contentsOf: files.image))
      #expect(try Image(contentsOf: seen).rgb == expected.image.rgb, "\(action)")
      #expect(run.output.contains("\(expected.geometry.modelSize), \(action.rawValue)"))
    }
  }

  @Test func theRegionIsOutlinedOnTheOriginal() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let outline = files.folder.path("outline.png")
    let run = try CommandRun.fovea([
      "preview", files.image, "--model", files.model, "-o", files.folder.path("seen.png"),
      "--outline", outline, "--roi", "0.25,0.25,0.5,0.5",
    ])
    #expect(run.status == 0 && run.complaints == "", "\(run.errors)")
    let original = try Image(contentsOf: files.image)
    let drawn = try Image(contentsOf: outline)
    #expect(drawn.width == original.width && drawn.height == original.height)
    // The edges of the region have changed, its inside has not.
    func differs(_ x: Int, _ y: Int) -> Bool {
      let at = (y * original.width + x) * 3
      return drawn.rgb[at..<at + 3] != original.rgb[at..<at + 3]
    }
    let (left, top) = (original.width / 4, original.height / 4)
    #expect((top..<3 * top).contains { differs(left, $0) || differs(left - 1, $0) })
    #expect(!differs(original.width / 2, original.height / 2))
    #expect(!differs(2, 2))
  }

  @Test func theSheetHasEveryOrientationAndAction() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let sheet = files.folder.path("sheet.png")
    let run = try CommandRun.fovea([
      "preview", "--sheet", files.image, "--model", files.model, "-o", sheet,
    ])
    #expect(run.status == 0 && run.output == "" && run.complaints == "", "\(run.errors)")
    let image = try Image(contentsOf: sheet)
    #expect(image.width > 5 * 100 && image.height > 8 * 100)
  }

  @Test(arguments: [
    ["preview"], ["preview", "a.png"], ["preview", "a.png", "--model", "m"],
    ["preview", "-o", "b.png"], ["see", "a.png"],
    ["preview", "a.png", "--model", "m", "-o", "b.bmp"],
    ["preview", "a.png", "--model", "m", "-o", "b.png", "--sheet", "--orientation", "3"],
    ["detect", "--model", "m", "a.png", "b.png", "--draw", "c.png"],
    ["detect", "--model", "m", "a.png", "--draw", "c"],
    ["detect", "--model", "m", "a.png", "--roi", "0,0,1"],
    ["detect", "--model", "m", "a.png", "--roi", "0.5,0,1,1"],
    ["detect", "--model", "m", "a.png", "--crop-and-scale", "zoom"],
  ])
  func wrongUsageEndsWithTwo(_ arguments: [String]) throws {
    let run = try CommandRun.fovea(arguments)
    #expect(run.status == 2 && run.output == "" && run.errors.contains("usage: fovea"))
  }

  // MARK: Detect

  @Test func drawingsAreWrittenForEveryImage() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let second = try files.folder.write(
      "second.png", Array(Data(contentsOf: URL(fileURLWithPath: files.image))))
    for ending in ["png", "svg", "jpg"] {
      let run = try CommandRun.fovea([
        "detect", "--model", files.model, files.image, second, "--draw",
        files.folder.path("found-{}.\(ending)"),
      ])
      #expect(run.status == 0 && run.complaints == "", "\(run.errors)")
      let drawn = files.folder.path("found-second.\(ending)")
      if ending == "svg" {
        let text = try String(contentsOfFile: drawn, encoding: .utf8)
        #expect(text.contains("red square") && text.contains("</svg>"))
      } else {
        let image = try Image(contentsOf: drawn)
        #expect(image.width == 480 && image.height == 360)
        #expect(try image.rgb != Image(contentsOf: second).rgb)
      }
    }
    let nowhere = try CommandRun.fovea([
      "detect", "--model", files.model, files.image, "--draw",
      files.folder.path("no/such/folder.png"),
    ])
    #expect(nowhere.status == 1 && nowhere.errors.contains("no/such/folder.png"))
  }

  @Test func boxesThatAreNoObjectsAreExplained() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.fovea(
      ["detect", "--explain", "--model", files.model, files.image])
    #expect(run.status == 0 && run.output.contains(": suppressed by #"))
    let json = try CommandRun.fovea(
      ["detect", "--explain", "--json", "--model", files.model, files.image])
    let image = try #require((try json.json()["images"] as? [[String: Any]])?.first)
    let others = try #require(image["others"] as? [[String: Any]])
    #expect(!others.isEmpty && others.allSatisfy { $0["reason"] is String })
    let geometry = try #require(image["geometry"] as? [String: Any])
    #expect(geometry["seen"] as? [Double] == [0, 0, 480, 360])
    #expect(geometry["padding"] as? [Double] == [0, 0, 0, 0])
  }
}
