// Fovea - tests of the requests that the live view reads.
// SPDX-License-Identifier: Apache-2.0
import FoveaVideo
import Testing

@Suite("Requests of browsers") struct HTTPRequestTests {
  /// What bytes are that come in pieces of `piece`.
  private func read(_ text: String, piece: Int = 1 << 20) -> HTTPRequestReader.Outcome {
    var reader = HTTPRequestReader()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let outcome = reader.append(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      if outcome != .unfinished { return outcome }
    }
    return .unfinished
  }

  private func request(_ text: String) -> HTTPRequest? {
    guard case .request(let request) = read(text) else { return nil }
    return request
  }

  @Test func whatBrowsersSend() {
    let text =
      "GET /stream.mjpg?token=a%20b+c&x&y= HTTP/1.1\r\nHost: localhost:8080\r\n"
      + "Accept: */*\r\nUser-Agent:  Mozilla/5.0 (X11) \r\nX-Empty:\r\n\r\nmore"
    for piece in [1, 2, 3, 7, 1000] {
      guard case .request(let request) = read(text, piece: piece) else {
        Issue.record("no request in pieces of \(piece)")
        continue
      }
      #expect(request.method == "GET" && request.path == "/stream.mjpg")
      #expect(request.query == ["token": "a b c", "x": "", "y": ""])
      #expect(request.headers["host"] == "localhost:8080")
      #expect(request.headers["user-agent"] == "Mozilla/5.0 (X11)")
      #expect(request.headers["x-empty"] == "")
    }
    #expect(request("GET / HTTP/1.0\n\n")?.path == "/")
    #expect(request("HEAD /a HTTP/1.1\nHost: b\n\n")?.method == "HEAD")
    #expect(request("GET /?a=1&a=2 HTTP/1.0\r\n\r\n")?.query == ["a": "2"])
  }

  @Test(arguments: [
    ("\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
    ("GET / FTP/1.0\r\n\r\n", 400), ("GET  / HTTP/1.0\r\n\r\n", 400),
    ("GET http://a/ HTTP/1.0\r\n\r\n", 400), ("G(T / HTTP/1.0\r\n\r\n", 400),
    ("GET /\u{7F} HTTP/1.0\r\n\r\n", 400), ("GET /?%4 HTTP/1.0\r\n\r\n", 400),
    ("GET /?%g0 HTTP/1.0\r\n\r\n", 400), ("GET /?%+1 HTTP/1.0\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\nbroken\r\n\r\n", 400), ("GET / HTTP/1.0\r\n: a\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\na b: c\r\n\r\n", 400), ("GET / HTTP/1.0\r\na: b\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\na: b\u{1}c\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", 413),
    ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 413),
  ])
  func refusals(text: String, status: Int) {
    #expect(read(text) == .refused(status))
    #expect(read(text, piece: 1) == .refused(status))
  }

  @Test func limits() {
    let long = String(repeating: "a", count: HTTPRequestReader.mostBytes)
    #expect(read("GET /" + long) == .refused(414))
    #expect(read("GET / HTTP/1.0\r\na: " + long) == .refused(431))
    let many = String(repeating: "a: b\r\n", count: HTTPRequestReader.mostHeaders + 1)
    #expect(read("GET / HTTP/1.0\r\n" + many + "\r\n") == .refused(431))
    #expect(read("GET / HTTP/1.0\r\na: b\r\n") == .unfinished)
  }

  @Test func addresses() {
    #expect(ViewAddress("8080")?.host == "127.0.0.1")
    #expect(ViewAddress("8080")?.port == 8080)
    #expect(ViewAddress("0.0.0.0:1")?.host == "0.0.0.0")
    #expect(ViewAddress("[::1]:9")?.host == "::1")
    #expect(ViewAddress("board.local:80")?.host == "board.local")
    for text in ["", ":", ":80", "a:", "65536", "-1", "+1", "::1:80", "a b:80", "8080 ", "[]:1"] {
      #expect(ViewAddress(text) == nil, "\(text)")
    }
    for (text, isLoopback) in [
      ("1", true), ("localhost:1", true), ("[::1]:1", true), ("127.1.2.3:1", true),
      ("0.0.0.0:1", false), ("127.evil.example:1", false), ("[::]:1", false),
    ] {
      #expect(ViewAddress(text)?.isLoopback == isLoopback, "\(text)")
    }
  }
}
