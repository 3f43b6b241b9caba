// Fovea - tests of fovea get and of models by name, with a server on this machine.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaLibc
import FoveaModelCatalog
import FoveaTestSupport
import Testing

@Suite struct SHA256Tests {
  /// The vectors of FIPS 180-4 and of NIST's examples, in one part and in parts of every length.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmn"
        + "opqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func vectors(_ text: String, _ digest: String) {
    let bytes = Array(text.utf8)
    #expect(SHA256.text(of: bytes) == digest)
    guard bytes.count < 1000 else { return }
    for length in 1..<130 {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: length) {
        hash.add(bytes[start..<min(start + length, bytes.count)])
      }
      #expect(hash.text() == digest)
    }
  }

  /// Lengths around the end of a block, as another program computes them.
  @Test func lengthsAroundABlock() throws {
    for count in [54, 55, 56, 57, 63, 64, 65, 119, 120, 128] {
      let run = try CommandRun.shell("printf '%0\(count)d' 7 | sha256sum")
      let bytes = Array((String(repeating: "0", count: count - 1) + "7").utf8)
      #expect(run.output.hasPrefix(SHA256.text(of: bytes)))
    }
  }
}

@Suite struct GetCommandTests {
  /// A catalog of one model of two files, the model's bytes, and a folder for what is fetched.
  private struct Shop {
    let files: ExampleFiles
    let model: [UInt8]
    let words = Array("what else belongs to it".utf8)
    var folder: TemporaryFolder { files.folder }
    var cache: String { folder.path("cache/fovea/shapes") }

    init() throws {
      files = try ExampleFiles()
      model = ShapesDetector.modelBytes()
      try write(hash: SHA256.text(of: model))
    }

    func write(hash: String, count: Int? = nil) throws {
      _ = try folder.write(
        "catalog.txt",
        Array(
          """
          # A test's own.
          model    shapes
          license  free for all
          classes  2 shapes
          input    480 x 360
          ap       not checked here
          time     not checked here
          hash     computed by the test
          from     https://127.0.0.1:9/nothing/
          file     shapes.mlmodel \(count ?? model.count) \(hash)
          file     words.txt \(words.count) \(SHA256.text(of: words))

          model    far
          license  theirs
          classes  1
          input    1 x 1
          ap       -
          time     -
          from     https://127.0.0.1:9/nothing/
          file     far.pth - -
          why      nobody vouches for it

          """.utf8))
    }

    /// A server that has both files; `change` sees what is sent.
    func server(
      _ change: @escaping @Sendable (inout [UInt8], LocalServer.Connection) -> Void = { _, _ in }
    ) -> LocalServer {
      let (model, words) = (model, words)
      return LocalServer { connection in
        let request = connection.request()
        guard request.hasPrefix("GET /files/") else {
          connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
          return
        }
        var bytes = request.contains("words") ? words : model
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n"
        change(&bytes, connection)
        connection.send(Array(head.utf8) + bytes)
      }
    }

    /// Runs a command with the shop's catalog and folder, behind `before` in a shell.
    func run(_ line: String, before: String = "") throws -> CommandRun {
      try CommandRun.shell(
        "cd '\(folder.url.path)'; export XDG_CACHE_HOME='\(folder.path("cache"))' "
          + "FOVEA_CATALOG='\(folder.path("catalog.txt"))'; \(before) \"$FOVEA\" \(line)")
    }

    func get(_ server: LocalServer, before: String = "", _ more: String = "") throws -> CommandRun {
      try run("get shapes --from http://127.0.0.1:\(server.port)/files/ \(more)", before: before)
    }

    /// Expects a refusal with these words, and that nothing is left.
    func expectNothing(_ run: CommandRun, _ words: String...) {
      #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
      for words in words { #expect(run.errors.contains(words), "\(run.errors)") }
      let left = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
      #expect(left.allSatisfy { $0 == ".lock" }, "\(left)")
    }
  }

  @Test func fetchedModelIsUsedByItsName() throws {
    let shop = try Shop()
    defer { shop.files.remove() }
    let missing = try shop.run("detect --model shapes shapes.png")
    #expect(missing.status == 1 && missing.errors.contains("run 'fovea get shapes'"))
    #expect(missing.errors.contains("no such file here"))
    let server = shop.server()
    let run = try shop.get(server)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("free for all") && run.errors.contains("was fetched"))
    for call in ["detect --model shapes shapes.png", "detect shapes shapes.png"] {
      #expect(try shop.run(call).output.contains("red square"))
    }
    #expect(try shop.run("inspect --model shapes").status == 0)
    // What is there is checked, not fetched.
    let count = server.connectionCount
    let again = try shop.get(server)
    #expect(again.status == 0 && again.errors.contains("was there") && count == 2)
    #expect(server.connectionCount == count)
    let list = try shop.run("get --list")
    #expect(list.output.contains("yes") && list.output.contains("far"))
    let models = try shop.run("get --list --json").json()["models"] as? [[String: Any]]
    #expect(models?.map { $0["isHere"] as? Bool } == [true, false])
    // A file of that name wins.
    _ = try shop.folder.write("shapes", Array("no model".utf8))
    #expect(try shop.run("detect --model shapes shapes.png").status == 1)
    // Bytes that change later are told.
    _ = try shop.folder.write("cache/fovea/shapes/words.txt", Array("other words".utf8))
    let changed = try shop.get(server)
    #expect(changed.status == 1 && changed.errors.contains("remove it and try again"))
  }

  @Test func faultsOfTheServerLeaveNothing() throws {
    let shop = try Shop()
    defer { shop.files.remove() }
    let cut = try shop.get(shop.server { bytes, _ in bytes.removeLast(bytes.count / 2) })
    shop.expectNothing(cut, "was not fetched", "curl says: (18)", "yourself", shop.cache)
    let other = try shop.get(shop.server { bytes, _ in bytes[bytes.count / 2] ^= 1 })
    shop.expectNothing(other, "its SHA-256 is", SHA256.text(of: shop.model), "not the one that was")
    // Nothing of the first file stays where the second one is wrong.
    let second = try shop.get(
      shop.server { bytes, _ in if bytes.count < 100 { bytes[0] ^= 1 } })
    shop.expectNothing(second, "words.txt: its SHA-256 is")
    let endless = LocalServer { connection in
      _ = connection.request()
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while connection.send([UInt8](repeating: 0, count: 1 << 16)) {}
    }
    shop.expectNothing(try shop.get(endless), "more than the \(shop.model.count) bytes")
    let short = LocalServer { connection in
      _ = connection.request()
      connection.send("HTTP/1.1 200 OK\r\n\r\nfew")
    }
    shop.expectNothing(try shop.get(short), "only 3 of \(shop.model.count) bytes came")
    let silent = LocalServer { connection in
      _ = connection.request()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbeginning")
      connection.waitForEnd(seconds: 20)
    }
    shop.expectNothing(try shop.get(silent, "--patience 1"), "no byte came for 1 seconds")
    let absent = LocalServer { connection in
      _ = connection.request()
      connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    }
    shop.expectNothing(try shop.get(absent), "curl says: (22)", "404")
  }

  @Test func faultsOfTheMachineLeaveNothing() throws {
    let shop = try Shop()
    defer { shop.files.remove() }
    let server = shop.server()
    shop.expectNothing(
      try shop.get(server, before: "PATH=/nowhere"), "curl is not installed",
      "http://127.0.0.1:\(server.port)/files/shapes.mlmodel", shop.cache)
    shop.expectNothing(
      try shop.run("get shapes"), "curl says: (7)", "https://127.0.0.1:9/nothing/words.txt")
    // A file may have no more blocks than are free on a disk that is full.
    shop.expectNothing(
      try shop.get(server, before: "trap '' XFSZ; ulimit -f 1;"), "cannot be written",
      "File too large")
    let file = try shop.folder.write("file", [])
    shop.expectNothing(
      try shop.get(server, before: "XDG_CACHE_HOME='\(file)'"), "the folder cannot be made")
    shop.expectNothing(
      try shop.run("get far"), "nobody vouches for it", "nothing/far.pth", "theirs")
    let near = try shop.run("get shape")
    #expect(near.status == 1 && near.errors.contains("did you mean 'shapes'?"))
    try shop.write(hash: "no hash")
    let broken = try shop.run("get --list")
    #expect(broken.status == 1 && broken.errors.contains("catalog.txt, line 10: "))
  }

  /// Of two at once one fetches, and the other waits for it. What a killed one left goes away.
  @Test func twoAtOnceFetchOnce() throws {
    let shop = try Shop()
    defer { shop.files.remove() }
    try FileManager.default.createDirectory(
      atPath: shop.cache, withIntermediateDirectories: true)
    _ = try shop.folder.write("cache/fovea/shapes/shapes.mlmodel.1-0.tmp", [1, 2, 3])
    let server = shop.server { _, _ in usleep(300_000) }
    let call = "get shapes --from http://127.0.0.1:\(server.port)/files/"
    let run = try shop.run("\(call) & \"$FOVEA\" \(call); one=$?; wait $! && exit $one")
    #expect(run.status == 0, "\(run.errors)")
    #expect(server.connectionCount == 2)
    #expect(run.errors.contains("was fetched") && run.errors.contains("was there"))
    let left = try FileManager.default.contentsOfDirectory(atPath: shop.cache).sorted()
    #expect(left == [".lock", "shapes.mlmodel", "words.txt"])
  }

  /// Names that are wrong or only a part get the names that were probably meant.
  @Test(arguments: [
    ("yolo-fastest-1.1xl", "; did you mean 'yolo-fastest-1.1-xl'?"),
    ("YOLOX", "; there is yolox-nano, yolox-tiny, yolox-s"),
    ("owl", "; 'fovea get --list' names all"),
  ])
  func namesNearby(_ name: String, _ ending: String) throws {
    let catalog = try ModelCatalog()
    let error = #expect(throws: CatalogError.self) { try catalog.model(name) }
    #expect("\(try #require(error))" == "there is no model '\(name)'" + ending)
  }

  /// What Fovea itself lists: hashes where files are fetched, reasons where they are not.
  @Test func catalogInsideIsWhole() throws {
    let models = try ModelCatalog().models
    #expect(models.first?.name == "yolo-fastest-1.1-xl")
    for model in models {
      #expect(model.folder.hasPrefix("https://"))
      #expect((model.byteCount == nil) == (model.reason != nil))
    }
    guard SharedData.isPresent else { return }
    for model in models.prefix(2) {
      for file in model.files {
        let data = try Data(contentsOf: SharedData.url("models/\(file.name)"))
        #expect(file.content?.byteCount == data.count)
        #expect(
          try CommandRun.shell("sha256sum '\(SharedData.url("models/\(file.name)").path)'")
            .output.hasPrefix(file.content?.hash ?? "-"))
      }
    }
  }
}

extension LocalServer.Connection {
  /// The request up to its empty line.
  fileprivate func request() -> String {
    var text: [UInt8] = []
    var byte = UInt8(0)
    while !text.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
