// Fovea - tests of fovea faces.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct FacesCommandTests {
  /// A detector of drawn faces, a mesh, and a picture with a face of 60 pixels at (100, 80).
  private func files() throws -> (
    folder: TemporaryFolder, faces: String, mesh: String, picture: String
  ) {
    let folder = try TemporaryFolder()
    let (faces, mesh) = (folder.path("faces.onnx"), folder.path("mesh.onnx"))
    try Data(DrawnFaceNetwork.detector()).write(to: URL(fileURLWithPath: faces))
    try Data(DrawnFaceNetwork.landmarks()).write(to: URL(fileURLWithPath: mesh))
    let picture = folder.path("picture.png")
    var rgb = [UInt8](repeating: 0, count: 200 * 160 * 3)
    func fill(_ x: Double, _ y: Double, _ radius: Double, channel: Int) {
      for row in 0..<160 {
        for column in 0..<200
        where hypot(Double(column) + 0.5 - x, Double(row) + 0.5 - y) < radius {
          for other in 0..<3 { rgb[3 * (row * 200 + column) + other] = other == channel ? 255 : 0 }
        }
      }
    }
    fill(100, 80, 30, channel: 0)
    fill(86, 66, 6, channel: 1)
    fill(114, 66, 6, channel: 2)
    try Image(width: 200, height: 160, rgb: rgb).write(to: picture, as: .png)
    return (folder, faces, mesh, picture)
  }

  @Test func facesAreWrittenInPixels() throws {
    let (folder, faces, mesh, picture) = try files()
    defer { folder.remove() }
    let run = try CommandRun.fovea([
      "faces", "--model", faces, "--landmarks", mesh, picture, "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let image = try #require((try run.json()["images"] as? [[String: Any]])?.first)
    let found = try #require(image["faces"] as? [[String: Any]])
    #expect(found.count == 1)
    let face = try #require(found.first)
    let box = try #require(face["bbox"] as? [Double])
    for (value, expected) in zip(box, [70.0, 50, 60, 60]) { #expect(abs(value - expected) < 3) }
    let points = try #require(face["points"] as? [String: [Double]])
    let eye = try #require(points["leftEye"])
    #expect(hypot(eye[0] - 86, eye[1] - 66) < 1.5)
    #expect(abs(try #require(face["rollDegrees"] as? Double)) < 2)
    let landmarks = try #require(face["landmarks"] as? [String: [[Double]]])
    #expect(landmarks["innerLips"]?.count == 20)
  }

  @Test func tableHasALineForEachFace() throws {
    let (folder, faces, _, picture) = try files()
    defer { folder.remove() }
    let run = try CommandRun.fovea(["faces", "--model", faces, picture, "--roi", "0,0,1,1"])
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 3)
    let none = try CommandRun.fovea(["faces", "--model", faces, picture, "--roi", "0,0,0.2,1"])
    #expect(none.output.split(separator: "\n").count == 2)
  }

  @Test func wrongUsesAreExplained() throws {
    let (folder, faces, mesh, picture) = try files()
    defer { folder.remove() }
    let uses: [(arguments: [String], status: Int32, text: String)] = [
      ([picture], 2, "--model"),
      (["--model", mesh, picture], 1, "BlazeFace"),
      (["--model", faces, "--landmarks", faces, picture], 1, "1404"),
      (["--model", faces, "--minimum-size", "0", picture], 2, "minimumFaceSize"),
      (["--model", faces, folder.path("missing.png")], 1, "missing.png"),
    ]
    for (arguments, status, text) in uses {
      let run = try CommandRun.fovea(["faces"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(run.errors)")
    }
  }
}
