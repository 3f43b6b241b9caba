// Fovea - tests of pages about results.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct ReportCommandTests {
  /// What a page shows, which names no foreign address.
  static func page(_ folder: String) throws -> String {
    let text = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
    let foreign = text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
    #expect(!foreign.contains("http:") && !foreign.contains("https:"))
    #expect(!foreign.contains("<script"))
    return text
  }

  /// One object gets another class, and one box is moved by 14 pixels of 40.
  @Test func plantedErrorsAreNamed() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let path = try EvaluateCommandTests.annotations(files)
    var document = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        as? [String: Any])
    var objects = try #require(document["annotations"] as? [[String: Any]])
    let categories = try #require(document["categories"] as? [[String: Any]])
    let stranger = try #require(
      categories.first { $0["id"] as? Int != objects[0]["category_id"] as? Int })
    objects[0]["category_id"] = stranger["id"]
    var box = try #require(objects[1]["bbox"] as? [Double])
    box[0] += 0.6 * box[2]
    objects[1]["bbox"] = box
    document["annotations"] = objects
    let planted = try files.folder.write(
      "planted.json", Array(JSONSerialization.data(withJSONObject: document)))
    let folder = files.folder.path("report")
    let run = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", planted, "--images", files.folder.url.path,
      "--report", folder, "--json",
    ])
    #expect(run.status == 0 && run.errors == "wrote \(folder)/index.html\n")
    let page = try Self.page(folder)
    #expect(page.contains("taken for") && page.contains("too far off (overlap 0.2"))
    #expect(FileManager.default.fileExists(atPath: folder + "/images/001.jpg"))
    let metrics = try #require(try run.json()["metrics"] as? [String: Double])
    for name in ["AP", "AP50", "AP75"] {
      #expect(page.contains("<b>\(String(format: "%.4f", try #require(metrics[name])))</b>"))
    }
    #expect(page.contains("<b>6</b><span>objects"))
    // A second run replaces the page, and another folder is left alone.
    let again = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", path, "--images", files.folder.url.path,
      "--report", folder,
    ])
    #expect(again.status == 0)
    #expect(try Self.page(folder).contains("No picture has a mistake"))
    let other = try CommandRun.fovea([
      "evaluate", files.model, "--annotations", path, "--images", files.folder.url.path,
      "--report", files.folder.url.path,
    ])
    #expect(other.status == 1 && other.errors.contains("something else than a folder"))
  }

  @Test func sidesOfAComparison() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let list = try files.folder.write("list.txt", Array(files.image.utf8))
    let folder = files.folder.path("comparison")
    let run = try CommandRun.fovea([
      "compare", files.model, "--backends", "float,int8", "--images", list, "--layers", "--report",
      folder, "--json",
    ])
    #expect(run.status == 0)
    let total = try #require(try run.json()["total"] as? [String: Any])
    let (matched, lost) = (total["matched"] as? Int ?? -1, total["lost"] as? Int ?? -1)
    #expect(
      try Self.page(folder).contains(
        "Of \(matched + lost) objects that the first side finds in 1 images, the second finds "
          + "\(matched), loses \(lost), and finds \(total["new"] as? Int ?? -1) more."))
  }

  @Test(.enabled(if: SharedData.isPresent)) func weightsOfAQuantization() throws {
    let scratch = try TemporaryFolder()
    defer { scratch.remove() }
    let folder = scratch.path("report")
    let run = try CommandRun.fovea([
      "quantize", SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path, "-o",
      scratch.path("small.mlmodel"), "--kind", "linear", "--report", folder, "--json",
    ])
    #expect(run.status == 0)
    let bytes = try #require(try run.json()["byteCount"] as? Int)
    let layers = try #require(try run.json()["layers"] as? [[String: Any]])
    let page = try Self.page(folder)
    #expect(page.contains("The file has \(bytes) bytes"))
    #expect(page.components(separatedBy: "<tr>").count == layers.count + 2)
  }
}
