// Fovea - fovea train: its files, its folder, its refusals.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

@Suite("fovea train")
struct TrainCommandTests {
  @Test("Wrong arguments are named")
  func usage() throws {
    let required = ["train", "p", "--annotations", "a.json", "--start-from", "m.onnx"]
    for (arguments, word) in [
      (["train"], "PICTURES"),
      (required, "-o"),
      (required + ["-o", "m.txt"], ".mlmodel"),
      (required + ["-o", "m.mlmodel", "--minutes", "0"], "--minutes"),
      (required + ["-o", "m.mlmodel", "--minutes", "1", "--steps", "1"], "--steps"),
      (required + ["-o", "m.mlmodel", "--validation-annotations", "v"], "--validation"),
    ] {
      let run = try CommandRun.fovea(arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains(word))
    }
  }

  @Test("A run that is not there, and annotations that are none")
  func missing() throws {
    let resumed = try CommandRun.fovea(["train", "--resume", "no-run"])
    #expect(resumed.status == 1)
    #expect(resumed.errors.contains("no-run/arguments.json"))
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try folder.write("a.json", Array("{}".utf8))
    let run = try CommandRun.fovea([
      "train", folder.url.path, "--annotations", file, "--start-from", "m.onnx", "-o",
      folder.path("m.mlmodel"),
    ])
    #expect(run.status == 1)
    #expect(run.errors.contains(file))
  }

  @Test("A run writes a model and its folder, and goes on", .enabled(if: SharedData.isPresent))
  func trains() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let trees = SharedData.url("training/trees/test").path
    let model = folder.path("mine.mlmodel")
    let run = try CommandRun.fovea([
      "train", trees + "/images", "--annotations", trees + "/coco.json", "--start-from",
      SharedData.url("models/yolo-fastest-1.1.cfg").path, "-o", model, "--steps", "2", "--size",
      "96", "--batch", "2", "--threads", "1", "--half", "--metadata", "author=Me",
      "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"steps\" : 2"))
    for name in ["mine.mlmodel", "mine-half.mlmodel"] {
      let model = try Model(contentsOf: folder.path(name))
      #expect(model.classLabels == ["Tree"])
      #expect(model.metadata.author == "Me")
    }
    let again = try CommandRun.fovea(["train", "--resume", folder.path("mine-run"), "--steps", "3"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("3 steps"))
  }
}
