// Fovea - tests of streams from servers, good and bad.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Servers", .enabled(if: SharedData.isPresent), .tags(.startsThreads)) struct ServerTests {
  private static let multipartHead =
    "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=ffmpeg\r\n\r\n"

  private func options(seconds: Double = 1) -> VideoOptions {
    var options = VideoOptions()
    options.limits.openingSeconds = 2 * seconds
    options.limits.readingSeconds = seconds
    return options
  }

  private func multipart() throws -> [UInt8] {
    try SharedData.bytes("video/clips/multipart.mpjpeg")
  }

  /// Reads a server to its end: how many pictures, what was wrong, and for how long.
  private func read(
    _ server: LocalServer, _ options: VideoOptions
  ) -> (count: Int, failure: VideoError?, damage: VideoDamage?, seconds: Double) {
    let start = MonotonicClock.seconds()
    var count = 0
    var reader: (any VideoReader)?
    do throws(VideoError) {
      reader = try VideoSource(named: server.address).open(options)
      while try reader?.next() != nil { count += 1 }
      return (count, nil, reader?.damage, MonotonicClock.seconds() - start)
    } catch {
      return (count, error, reader?.damage, MonotonicClock.seconds() - start)
    }
  }

  @Test func motionJPEG() throws {
    let bytes = try multipart()
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(Self.multipartHead)
      connection.send(bytes)
    }
    let result = read(server, options())
    #expect(result.count >= 11)
    #expect(result.failure == nil)
  }

  // MARK: Without FFmpeg

  @Test func motionJPEGWithoutFFmpeg() throws {
    let bytes = try multipart()
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(Self.multipartHead)
      connection.send(bytes)
    }
    defer { withExtendedLifetime(server) {} }
    let source = try VideoSource(named: server.address)
    let reader = try #require(try source.openMotionJPEG(options()))
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 12)
    #expect(reader.damage.isNone)
  }

  @Test func badServersWithoutFFmpeg() throws {
    func failure(
      _ answer: @escaping @Sendable (LocalServer.Connection) -> Void
    ) throws -> VideoError.Reason? {
      let server = LocalServer(answer)
      let start = MonotonicClock.seconds()
      defer {
        withExtendedLifetime(server) {}
        #expect(MonotonicClock.seconds() - start < 3)
      }
      do throws(VideoError) {
        let source = try VideoSource(named: server.address)
        let reader = try source.openMotionJPEG(options(seconds: 0.4))
        while try reader?.next() != nil {}
        return nil
      } catch {
        return error.reason
      }
    }
    let line = [UInt8]("X-Word: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let headers = try failure { connection in
      connection.send("HTTP/1.0 200 OK\r\n")
      while connection.send(line) {}
    }
    #expect(headers == .tooManyBytes(of: "what lies between pictures", limit: 1 << 20))
    #expect(try failure { $0.waitForEnd(seconds: 5) } == .timedOut(seconds: 0.4))
    let missing = try failure { $0.send("HTTP/1.0 404 Not Found\r\n\r\n") }
    #expect(missing == .badAnswer("the server answers 404 Not Found"))
    let words = try failure { connection in while connection.send("aaaa") {} }
    #expect(words == .badAnswer("the answer does not begin as HTTP does"))
    let silent = try failure { connection in
      connection.send("HTTP/1.0 200 OK\r\n")
      connection.waitForEnd(seconds: 5)
    }
    #expect(silent == .timedOut(seconds: 0.4))
  }

  @Test func addressesAreTakenApart() {
    func parts(_ text: String) -> [String]? {
      PlainAddress(text).map { [$0.host, $0.port, $0.target] }
    }
    #expect(parts("http://cam/a?b#c") == ["cam", "80", "/a?b"])
    #expect(parts("HTTP://cam:8080") == ["cam", "8080", "/"])
    #expect(parts("http://[::1]:81/x") == ["::1", "81", "/x"])
    for bad in [
      "https://cam/", "http://", "http://me:secret@cam/", "http://cam:0/", "http://cam:99999/",
      "http://a:b:c/", "http://[::1/", "http://cam/a b", "http://cam/\r\nX: y",
    ] {
      #expect(parts(bad) == nil, "\(bad)")
    }
  }

  // MARK: With FFmpeg

  @Test func transportStream() throws {
    let bytes = try SharedData.bytes("video/clips/base.ts")
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n")
      connection.send(bytes)
    }
    let result = read(server, options())
    #expect(result.count == 24)
    #expect(result.failure == nil)
  }

  @Test func serversThatStall() throws {
    let bytes = Array(try multipart().prefix(100_000))
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(Self.multipartHead)
      connection.send(bytes)
      connection.waitForEnd(seconds: 10)
    }
    let result = read(server, options())
    #expect(result.count >= 6)
    #expect(result.failure?.reason == .timedOut(seconds: 1))
    #expect(result.seconds < 4)
  }

  @Test func serversThatNeverAnswer() {
    let server = LocalServer { $0.waitForEnd(seconds: 10) }
    let result = read(server, options(seconds: 0.4))
    guard case .timedOut = result.failure?.reason else {
      Issue.record("\(String(describing: result.failure))")
      return
    }
    #expect(result.seconds < 2)
  }

  @Test func serversThatSendHeadersForever() {
    let line = [UInt8]("X-Word: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let server = LocalServer { connection in
      connection.send("HTTP/1.0 200 OK\r\n")
      while connection.send(line) {}
    }
    let result = read(server, options(seconds: 0.5))
    #expect(result.failure != nil)
    #expect(result.seconds < 3)
  }

  @Test func serversThatSendOneHeaderForever() {
    let part = [UInt8](repeating: 0x61, count: 4096)
    let server = LocalServer { connection in
      connection.send("HTTP/1.0 200 OK\r\nX-Word: ")
      while connection.send(part) {}
    }
    let result = read(server, options(seconds: 0.5))
    #expect(result.failure != nil)
    #expect(result.seconds < 3)
  }

  @Test func serversThatCutAndLie() throws {
    let bytes = Array(try multipart().prefix(100_000))
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n"
          + "Content-Type: multipart/x-mixed-replace;boundary=ffmpeg\r\n\r\n")
      connection.send(bytes)
    }
    let result = read(server, options())
    #expect(result.count >= 6)
    #expect(result.seconds < 4)
  }

  @Test func answersThatAreErrors() {
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    }
    let result = read(server, options())
    guard case .unreadable(let words) = result.failure?.reason else {
      Issue.record("\(String(describing: result.failure))")
      return
    }
    #expect(words.contains("404"))
  }

  /// A read that is not cancelled ends with an error: the server sends nothing more.
  @Test func cancellingABlockedRead() async throws {
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(Self.multipartHead)
      connection.waitForEnd(seconds: 600)
    }
    defer { withExtendedLifetime(server) {} }
    let sequence = try VideoSequence(VideoSource(named: server.address))
    _ = startThread(stackBytes: 1 << 18) {
      MonotonicClock.sleep(milliseconds: 200)
      sequence.cancel()
    }
    #expect(try sequence.next() == nil)
  }

  @Test func lostConnectionsAreMadeAgain() throws {
    let bytes = try multipart()
    let server = LocalServer { connection in
      connection.readRequest()
      guard connection.number < 3 else { return }
      connection.send(Self.multipartHead)
      connection.send(bytes)
    }
    var options = SequenceOptions()
    options.video = self.options()
    options.keeping = .all
    options.maximumReconnects = 2
    options.reconnectPause = 0.05
    let sequence = try VideoSequence(VideoSource(named: server.address), options)
    var count = 0
    var last = -1.0
    do {
      while let (frame, _) = try sequence.next() {
        #expect(frame.index == count)
        #expect(frame.time > last)
        last = frame.time
        count += 1
      }
    } catch {}
    #expect(count >= 33)
    #expect(sequence.counts.reconnects >= 3)
    #expect(server.connectionCount <= 6)
  }

  /// A file behind an address is not watched again once it is over.
  @Test func filesBehindAddressesEndOnce() throws {
    let bytes = try SharedData.bytes("video/clips/base.mkv")
    let server = LocalServer { connection in
      connection.readRequest()
      connection.send(
        "HTTP/1.0 200 OK\r\nContent-Type: video/x-matroska\r\nContent-Length: \(bytes.count)\r\n\r\n"
      )
      connection.send(bytes)
    }
    var options = SequenceOptions()
    options.video = self.options()
    options.keeping = .all
    options.reconnectPause = 0.05
    let sequence = try VideoSequence(VideoSource(named: server.address), options)
    var count = 0
    while count < 30, try sequence.next() != nil { count += 1 }
    #expect(count == 24)
    #expect(sequence.counts.reconnects == 0)
  }

  @Test func limitsMayBeInfinite() throws {
    let server = LocalServer { $0.readRequest() }
    var options = VideoOptions()
    options.limits.readingSeconds = .infinity
    options.limits.openingSeconds = .infinity
    #expect(throws: VideoError.self) { try VideoSource(named: server.address).open(options) }
  }
}
