// Fovea - fovea distill: its teacher, its files, its refusals.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

@Suite("fovea distill")
struct DistillCommandTests {
  @Test("Wrong arguments are named")
  func usage() throws {
    let teacher = ["distill", "--teacher", "t.onnx"]
    let required = teacher + ["--images", "p", "--student", "s.onnx"]
    for (arguments, word) in [
      (["distill"], "--teacher"), (teacher, "--images"), (required, "-o"),
      (required + ["-o", "m.mlmodel", "--annotations", "a.json"], "--annotations"),
      (required + ["-o", "m.mlmodel", "--threshold", "0.3", "--doubt", "0.4"], "--doubt"),
      (required + ["-o", "m.mlmodel", "--only", " , "], "--only"),
    ] {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(word), "\(run.errors)")
    }
  }

  @Test("A student learns, and goes on", .enabled(if: SharedData.isPresent))
  func learns() throws {
    let (folder, pictures) = (try TemporaryFolder(), try TemporaryFolder())
    defer {
      folder.remove()
      pictures.remove()
    }
    for name in ["dog", "eagle", "giraffe", "person"] {
      _ = try pictures.write("\(name).jpg", SharedData.bytes("images/\(name).jpg"))
    }
    let student = SharedData.url("models/yolo-fastest-1.1.cfg").path
    let model = folder.path("tiny.mlmodel")
    let run = try CommandRun.fovea([
      "distill", "--teacher", SharedData.url("models/yolo-fastest-1.1-xl.cfg").path, "--images",
      pictures.url.path, "--student", student, "--only", "person,dog", "--threshold", "0.3",
      "--teacher-size", "160", "-o", model, "--steps", "2", "--size", "96", "--batch", "2",
      "--threads", "1", "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("how well the student agrees"))
    #expect(try Model(contentsOf: model).classLabels == ["person", "dog"])
    let again = try CommandRun.fovea([
      "distill", "--resume", folder.path("tiny-run"), "--steps", "3",
    ])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("3 steps"))
  }
}
