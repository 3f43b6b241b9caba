// Fovea - tests of fovea detect on many images.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct DetectListTests {
  /// A folder with `count` images, every tenth of them broken, a list of their paths, and a model.
  private struct Job {
    let files: ExampleFiles
    let list: String
    let names: [String]

    init(count: Int) throws {
      files = try ExampleFiles()
      names = (0..<count).map { "\($0).png" }
      let image = try Data(contentsOf: URL(fileURLWithPath: files.image))
      for (number, name) in names.enumerated() {
        let bytes = number % 10 == 7 ? image.prefix(number * 11) : image
        try bytes.write(to: files.folder.url.appendingPathComponent(name))
      }
      let text = "# images\n\n" + names.joined(separator: "\n") + "\n"
      list = try files.folder.write("list.txt", Array(text.utf8))
    }

    func run(_ arguments: String...) throws -> CommandRun {
      try CommandRun.fovea(
        ["detect", "--model", files.model] + arguments, in: files.folder.url)
    }

    func rows(_ name: String) throws -> [[String: Any]] {
      try DetectListTests.rows(
        try String(contentsOfFile: files.folder.path(name), encoding: .utf8))
    }
  }

  static func rows(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func everyImageHasARowInOrder() throws {
    let job = try Job(count: 40)
    defer { job.files.remove() }
    let run = try job.run("--list", job.list, "--jsonl", "out.jsonl")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output.hasPrefix("out.jsonl: 40 images, 4 with an error, in "))
    let rows = try job.rows("out.jsonl")
    #expect(rows.map { $0["path"] as? String } == job.names)
    let document = try job.run("--json", "0.png").json()
    let expected = try #require((document["images"] as? [[String: Any]])?.first)
    for (number, row) in rows.enumerated() {
      #expect(Set(row.keys) == ["path", "width", "height", "objects", "error"])
      if number % 10 == 7 {
        let alone = try job.run("--json", job.names[number]).json()
        let errors = try #require(alone["errors"] as? [[String: String]])
        #expect(row["error"] as? String == errors[0]["message"])
        #expect(row["width"] is NSNull && (row["objects"] as? [Any])?.count == 0)
      } else {
        #expect(row["error"] is NSNull)
        #expect(row["width"] as? Int == 480 && row["height"] as? Int == 360)
        try Self.compare(row, expected)
      }
    }
  }

  /// A row has the objects of the document of `--json`.
  private static func compare(_ row: [String: Any], _ document: [String: Any]) throws {
    let objects = try #require(row["objects"] as? [[String: Any]])
    let expected = try #require(document["objects"] as? [[String: Any]])
    #expect(objects.count == expected.count)
    for (object, other) in zip(objects, expected) {
      #expect(object["label"] as? String == other["label"] as? String)
      #expect(object["score"] as? Double == other["confidence"] as? Double)
      let box = try #require(other["bbox"] as? [Double])
      let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { object[$0] as? Double }
      try #require(sides.count == 4)
      #expect(sides[0] == box[0] && sides[1] == box[1])
      #expect(abs(sides[2] - box[0] - box[2]) < 0.0011)
      #expect(abs(sides[3] - box[1] - box[3]) < 0.0011)
    }
  }

  @Test func killedJobsGoOnAndMendTheirLastLine() throws {
    let job = try Job(count: 300)
    defer { job.files.remove() }
    #expect(try job.run("--list", job.list, "--jsonl", "whole.jsonl").status == 0)
    let line = """
      cd '\(job.files.folder.url.path)'
      for limit in 20 90 200; do
        "$FOVEA" detect --model shapes.mlmodel --list list.txt --jsonl out.jsonl &
        until [ "$(cat out.jsonl 2>/dev/null | wc -l)" -ge $limit ]; do sleep 0.01; done
        kill -9 $!
        wait
        truncate -s -$((limit / 3)) out.jsonl
      done 2>/dev/null
      head -c 11 whole.jsonl >>out.jsonl
      "$FOVEA" detect --model shapes.mlmodel --list list.txt --jsonl out.jsonl
      "$FOVEA" detect --model shapes.mlmodel --list list.txt --jsonl out.jsonl
      cmp whole.jsonl out.jsonl
      """
    let run = try CommandRun.shell(line)
    #expect(run.status == 0 && run.errors == "", "\(run.output) \(run.errors)")
    #expect(run.output.contains("were done before"))
    #expect(run.output.contains("out.jsonl: 0 images, 0 with an error"))
  }

  @Test func changedListsAddWhatIsMissing() throws {
    let job = try Job(count: 30)
    defer { job.files.remove() }
    let some = try job.files.folder.write(
      "some.txt", Array(job.names.dropFirst(9).joined(separator: "\n").utf8))
    #expect(try job.run("--list", some, "--jsonl", "out.jsonl").status == 0)
    #expect(try job.run("--list", job.list, "--jsonl", "out.jsonl").status == 0)
    let paths = try job.rows("out.jsonl").compactMap { $0["path"] as? String }
    #expect(paths == Array(job.names.dropFirst(9)) + job.names.prefix(9))
  }

  @Test func listsComeThroughPipesAndRowsGoThroughThem() throws {
    let job = try Job(count: 12)
    defer { job.files.remove() }
    let run = try CommandRun.shell(
      "cd '\(job.files.folder.url.path)' && cat list.txt"
        + " | \"$FOVEA\" detect --model shapes.mlmodel --list - --jsonl -")
    #expect(run.status == 0 && run.errors == "")
    #expect(try Self.rows(run.output).map { $0["path"] as? String } == job.names)
    let named = try job.run("--jsonl", "-", "3.png", "no.png", "4.png")
    #expect(named.status == 0)
    #expect(
      try Self.rows(named.output).map { $0["path"] as? String } == ["3.png", "no.png", "4.png"])
  }

  @Test func archivesHoldImages() throws {
    let job = try Job(count: 1)
    defer { job.files.remove() }
    let image = [UInt8](try Data(contentsOf: URL(fileURLWithPath: job.files.image)))
    var archive = TarWriter()
    archive.add("./a/1.png", image)
    archive.add("a/1.json", Array("{}".utf8))
    archive.add("a/2.png", Array(image.prefix(100)))
    archive.add("a/3.PNG", image)
    _ = try job.files.folder.write("whole.tar", archive.bytes + [UInt8](repeating: 0, count: 1024))
    _ = try job.files.folder.write("cut.tar", Array(archive.bytes.dropLast(2000)))
    let run = try job.run("--jsonl", "out.jsonl", "whole.tar", "cut.tar", "no.tar", "0.png")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let rows = try job.rows("out.jsonl")
    #expect(
      rows.compactMap { $0["path"] as? String } == [
        "whole.tar/a/1.png", "whole.tar/a/2.png", "whole.tar/a/3.PNG", "cut.tar/a/1.png",
        "cut.tar/a/2.png", "cut.tar", "no.tar", "0.png",
      ])
    #expect(rows.map { $0["error"] is NSNull } == [1, 0, 1, 1, 0, 0, 0, 1].map { $0 == 1 })
    let error = try #require(rows[1]["error"] as? String)
    #expect(error.hasPrefix("whole.tar/a/2.png: "))
    // Running again passes over all of it.
    let again = try job.run("--jsonl", "out.jsonl", "whole.tar", "cut.tar", "no.tar", "0.png")
    #expect(again.output.contains(": 0 images, 0 with an error") && again.output.contains("8 were"))
  }

  @Test func filesOfOthersStayAsTheyAre() throws {
    let job = try Job(count: 1)
    defer { job.files.remove() }
    for text in [
      "hello", "hello\n", "{\"path\":\"a\"}\nhello", "{\"path\":\"a\"}\n{}\n", "{\"a\":1}\n{",
    ] {
      let path = try job.files.folder.write("mine", Array(text.utf8))
      let run = try job.run("--list", job.list, "--jsonl", path)
      #expect(run.status == 1 && run.errorLines.count == 1, "\(text)")
      #expect(run.errors.contains(path) && run.errors.contains("name another file"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func modelsThatCannotBeOpenedLeaveNoFile() throws {
    let job = try Job(count: 1)
    defer { job.files.remove() }
    let run = try CommandRun.fovea(
      ["detect", "--model", "no.mlmodel", "--list", job.list, "--jsonl", "out.jsonl"],
      in: job.files.folder.url)
    #expect(run.status == 1 && run.errorLines.count == 1 && run.output == "")
    #expect(!FileManager.default.fileExists(atPath: job.files.folder.path("out.jsonl")))
  }

  /// Where no image could be looked at, the job failed; its rows are there.
  @Test func jobsOfErrorsAloneFail() throws {
    let job = try Job(count: 2)
    defer { job.files.remove() }
    let run = try job.run("no.png", "neither.png", "--jsonl", "out.jsonl")
    #expect(run.status == 1 && run.output.contains("2 images, 2 with an error"))
    #expect(try job.rows("out.jsonl").count == 2)
    #expect(try job.run("no.png", "0.png", "--jsonl", "mixed.jsonl").status == 0)
  }

  /// Whoever stops a job reads how it goes on.
  @Test func stoppedJobsSayHowTheyGoOn() throws {
    let job = try Job(count: 1)
    defer { job.files.remove() }
    let run = try CommandRun.shell(
      "cd '\(job.files.folder.url.path)'; timeout --preserve-status --signal=INT 1 "
        + "env --default-signal=INT \"$FOVEA\" detect '\(job.files.model)' --jsonl out.jsonl "
        + "--list <(echo 0.png; sleep 3)")
    #expect(run.status == 130, "\(run.errors)")
    #expect(run.errors.contains("run the same command again to go on with out.jsonl"))
    #expect(try job.rows("out.jsonl").count == 1)
  }

  @Test(arguments: [
    (["--list", "list.txt"], "--list needs --jsonl"), (["--jsonl", "x"], "missing"),
    (["--jsonl", "x", "--list", "list.txt", "a.png"], "leave the other"),
    (["--jsonl", "x", "--json", "a.png"], "exclude"),
    (["--jsonl", "x", "--draw", "{}.png", "a.png"], "exclude"), ([], "missing"),
  ])
  func wrongUsageIsSaid(_ arguments: [String], _ words: String) throws {
    let run = try CommandRun.fovea(["detect"] + arguments)
    #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [("--list", "/no/list"), ("--list", "/tmp"), ("--jsonl", "/dev/full")])
  func whatCannotBeReadOrWrittenIsSaid(_ option: String, _ path: String) throws {
    let job = try Job(count: 2)
    defer { job.files.remove() }
    let other = option == "--list" ? ["--jsonl", "-"] : ["--list", job.list]
    let run = try CommandRun.fovea(
      ["detect", "--model", job.files.model, option, path] + other, in: job.files.folder.url)
    #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains(path))
  }
}
