// Fovea - tests of the live view, over real connections.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaHTTP
import FoveaLibc
import FoveaRuntime
import FoveaServing
import FoveaTestSupport
import FoveaVideo
import FoveaVision
import Testing

@Suite("Live view", .tags(.startsThreads)) struct LiveViewTests {
  private static let shapes = ShapesImage(seed: 3)

  /// A view on the loopback address, at a port that the system chooses.
  private func view(token: String? = nil) throws -> (view: LiveView, port: UInt16) {
    let address = try #require(ServiceAddress("0"))
    let view = try LiveView(at: address, token: token)
    let text = try #require(view.addresses.first)
    let port = text.split(separator: ":")[2].prefix { $0.isNumber }
    return (view, try #require(UInt16(port)))
  }

  /// The result of one picture.
  private func result() async throws -> VideoResult {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let bytes = UncompressedPNG.encode(
      width: ShapesImage.width, height: ShapesImage.height, pixels: Self.shapes.pixels)
    _ = try folder.write("a-1.png", bytes)
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel")
    let request = try DetectObjectsRequest(model: model, pool: ThreadPool(threadCount: 1))
    for try await result in request.results(in: .pictures(folder.path("a-%d.png"))) {
      return result
    }
    throw VideoError(.noVideoStream, source: "a-%d.png")
  }

  private func ask(_ port: UInt16, _ path: String, more: String = "") throws -> ViewerConnection {
    let viewer = try #require(ViewerConnection(port))
    viewer.ask(path, host: "127.0.0.1:\(port)", more: more)
    return viewer
  }

  /// The whole answer to a request, as text.
  private func answer(_ port: UInt16, _ path: String, more: String = "") throws -> String {
    String(decoding: try ask(port, path, more: more).readAll(), as: UTF8.self)
  }

  @Test func pageAsksNobodyElse() throws {
    let (view, port) = try view()
    let page = try answer(port, "/")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("Content-Security-Policy: default-src 'none'; script-src 'nonce-"))
    #expect(page.contains("Cache-Control: no-store"))
    #expect(page.contains("<canvas id=\"overlay\""))
    #expect(!page.contains("://"))
    let other = try answer(port, "/")
    // The script's word is another one each time.
    #expect(other != page && other.count > 4000)
    view.close()
  }

  @Test func picturesAndEvents() async throws {
    let (view, port) = try view()
    let result = try await result()
    view.begin("{\"title\":\"a\"}")
    let events = try ask(port, "/events")
    let pictures = try ask(port, "/stream.mjpg")
    let line = "{\"frame\":0,\"objects\":[]}"
    view.post(result, line: line + "\n")
    #expect(events.read(until: line + "\n\n").contains("event: setup\ndata: {\"title\":\"a\"}\n\n"))
    let head = pictures.read(until: "X-Frame: 0\r\n\r\n")
    #expect(head.contains("multipart/x-mixed-replace; boundary=fovea-picture\r\n"))
    #expect(head.contains("\r\n\r\n--fovea-picture\r\nContent-Type: image/jpeg\r\n"))
    let length = head.components(behind: "Content-Length: ").prefix { $0.isNumber }
    let jpeg = pictures.read(count: try #require(Int(length)))
    #expect(pictures.read(until: "--fovea-picture\r\n") == "\r\n--fovea-picture\r\n")
    // The same pixels within the losses of JPEG, which are large where squares have sharp edges.
    let image = try Image(bytes: jpeg)
    #expect(image.width == ShapesImage.width && image.height == ShapesImage.height)
    let difference = zip(image.rgb, Self.shapes.pixels).reduce(0) {
      $0 + abs(Int($1.0) - Int($1.1))
    }
    #expect(Double(difference) / Double(image.rgb.count) < 8)
    // The next picture is sent when it is there.
    view.post(result, line: "{\"frame\":1}")
    #expect(events.readEvent() == "data: {\"frame\":1}\n\n")
    #expect(pictures.read(until: "image/jpeg\r\n").hasPrefix("Content-Type"))
    #expect(try answer(port, "/latest.jpg").contains("Content-Type: image/jpeg\r\n"))
    let metrics = try answer(port, "/metrics")
    #expect(metrics.contains("\nfovea_pictures_analyzed_total 1\n"))
    #expect(metrics.contains("\nfovea_viewers 1\n"))
    view.close()
    #expect(events.readEvent() == "event: end\ndata: {}\n\n")
  }

  /// The page gets pictures in which objects are hidden.
  @Test func hiddenObjects() async throws {
    let (view, port) = try view()
    view.post(try await result(), line: "{}", hiding: [HiddenObject(box: .fullImage, mask: nil)])
    let answer = try ask(port, "/latest.jpg").readAll()
    let start = try #require(
      (0..<answer.count - 1).first { answer[$0] == 0xFF && answer[$0 + 1] == 0xD8 })
    let image = try Image(bytes: Array(answer[start...]))
    // Squares of 90 pixels; what JPEG does at their edges is left out.
    for y in stride(from: 10, to: 350, by: 7) where (10..<80).contains(y % 90) {
      for x in stride(from: 10, to: 470, by: 7) where (10..<80).contains(x % 90) {
        let (own, middle) = (
          (y * image.width + x) * 3,
          (y / 90 * 90 + 45) * image.width * 3 + min(x / 90 * 90 + 45, 465) * 3
        )
        for channel in 0..<3 {
          #expect(abs(Int(image.rgb[own + channel]) - Int(image.rgb[middle + channel])) <= 6)
        }
      }
    }
    view.close()
  }

  @Test func refusals() throws {
    let (view, port) = try view()
    func status(_ text: String) throws -> String {
      let viewer = try #require(ViewerConnection(port))
      viewer.send(text)
      let line = String(decoding: viewer.readAll(), as: UTF8.self)
      return String(line.dropFirst(9).prefix(3))
    }
    #expect(try status("GET /none HTTP/1.0\r\n\r\n") == "404")
    #expect(try status("GET /../etc/passwd HTTP/1.0\r\n\r\n") == "404")
    #expect(try status("POST / HTTP/1.0\r\n\r\n") == "405")
    #expect(try status("GET /latest.jpg HTTP/1.0\r\n\r\n") == "503")
    #expect(
      try status("GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n") == "421")
    #expect(
      try status("GET / HTTP/1.1\r\nHost: LOCALHOST:\(port)\r\nConnection: close\r\n\r\n") == "200")
    #expect(try status("GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n") == "200")
    #expect(["400", ""].contains(try status("\u{16}\u{3}\u{1}\r\n\r\n")))
    // What is sent on and on is refused, and the answer arrives.
    #expect(try status("GET /" + String(repeating: "a", count: 100_000)) == "414")
    view.close()
  }

  @Test func tokens() throws {
    let (view, port) = try view(token: "open-sesame")
    #expect(view.addresses[0].hasSuffix("/?token=open-sesame"))
    for (path, header, status) in [
      ("/", "", "401"), ("/?token=open-sesam", "", "401"), ("/?token=open-sesame1", "", "401"),
      ("/?token=open-sesame", "", "200"), ("/", "Authorization: Bearer open-sesame\r\n", "200"),
      ("/", "Authorization: Bearer wrong\r\n", "401"), ("/stream.mjpg", "", "401"),
      ("/events", "", "401"), ("/latest.jpg", "", "401"), ("/metrics", "", "401"),
    ] {
      #expect(try answer(port, path, more: header).dropFirst(9).hasPrefix(status), "\(path)")
    }
    view.close()
  }

  /// Viewers who take nothing, and connections that ask for nothing, keep nobody waiting.
  @Test func slowViewers() async throws {
    let (view, port) = try view()
    let result = try await result()
    let slow = try (0..<4).map { _ in try ask(port, "/stream.mjpg") }
    let silent = (0..<LiveView.mostConnections + 20).compactMap { _ in ViewerConnection(port) }
    let viewer = try ask(port, "/events")
    var seconds: [Double] = []
    for number in 1...100 {
      let start = MonotonicClock.seconds()
      view.post(result, line: "{\"frame\":\(number)}")
      seconds.append(MonotonicClock.seconds() - start)
      MonotonicClock.sleep(milliseconds: 1)
    }
    // A viewer who is waited for costs each picture its time; a busy machine costs a few.
    #expect(seconds.sorted()[90] < 0.1)
    // The newest, though not each.
    #expect(viewer.read(until: "{\"frame\":100}\n\n").hasSuffix("{\"frame\":100}\n\n"))
    withExtendedLifetime((slow, silent)) { view.close() }
  }

  @Test func manyBadRequestsAtOnce() throws {
    let (view, port) = try view()
    let bad = [
      "GET", "\r\n\r\n", "GET / HTTP/9\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n",
      "GET /%00%ff HTTP/1.1\r\n\r\n", "\0\0\0\0", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      String(repeating: "x", count: 10_000),
    ]
    let viewers = (0..<200).compactMap { _ in ViewerConnection(port) }
    #expect(viewers.count == 200)
    for (number, viewer) in viewers.enumerated() { viewer.send(bad[number % bad.count]) }
    #expect(try answer(port, "/").hasPrefix("HTTP/1.1 200 OK"))
    withExtendedLifetime(viewers) { view.close() }
  }

  @Test func portsThatAreTaken() throws {
    let (view, port) = try view()
    let address = try #require(ServiceAddress("127.0.0.1:\(port)"))
    #expect(
      throws: ServiceError.unusable(
        address: "127.0.0.1:\(port)", words: "Address already in use")
    ) {
      try LiveView(at: address, token: nil)
    }
    view.close()
  }
}

extension String {
  /// What stands behind a text.
  fileprivate func components(behind text: String) -> Substring {
    guard let range = firstRange(of: text) else { return "" }
    return self[range.upperBound...]
  }
}
