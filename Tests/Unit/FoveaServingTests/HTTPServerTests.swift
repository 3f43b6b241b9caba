// Fovea - tests of the server of HTTP, over real connections.
// SPDX-License-Identifier: Apache-2.0
import FoveaHTTP
import FoveaLibc
import FoveaTestSupport
import Testing

@Suite("Server of HTTP", .tags(.startsThreads)) struct HTTPServerTests {
  /// A server at a port that the system chooses.
  private func server(
    _ limits: HTTPLimits = HTTPLimits(), _ handler: @escaping @Sendable (HTTPExchange) -> Void
  ) throws -> (HTTPServer, HTTPAsking) {
    let address = try #require(ServiceAddress("0"))
    let server = try HTTPServer(at: address, limits: limits, handler: handler)
    return (server, HTTPAsking(server.port))
  }

  /// A server that tells what was asked.
  private func echo(_ limits: HTTPLimits = HTTPLimits()) throws -> (HTTPServer, HTTPAsking) {
    try server(limits) { exchange in
      let request = exchange.request
      let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let form = request.form.map { parts in
        parts.map { part in
          "\(part.name)/\(part.fileName ?? "-")/\(String(decoding: part.bytes, as: UTF8.self))"
        }.joined(separator: ";")
      }
      let body = String(decoding: request.body, as: UTF8.self)
      exchange.answer(
        .text(
          "\(request.method) \(request.path) [\(query.joined(separator: "&"))] "
            + "\(request.headers["x-word"] ?? "") body(\(body)) form(\(form ?? ""))"))
    }
  }

  @Test func whatClientsSend() throws {
    let (server, asking) = try echo()
    defer { server.stop(seconds: 0) }
    let reply = try #require(
      asking.ask("GET", "/a%20b/c?x=1&y=%2F+z&w", ["X-Word: \u{E9}t\u{E9}"]))
    #expect(reply.status == 200)
    #expect(reply.text == "GET /a b/c [w=&x=1&y=/ z] \u{E9}t\u{E9} body() form()\n")
    #expect(reply.headers["x-content-type-options"] == "nosniff")
    let posted = asking.ask(
      "POST", "/", ["Content-Type: application/json"], Array("{\"a\":1}".utf8))
    #expect(posted?.text == "POST / []  body({\"a\":1}) form()\n")
    let form = asking.form("/f", [("api_key", ""), ("min_confidence", "0.4")], picture: [65, 66])
    #expect(
      form?.text == "POST /f []  body() form(api_key/-/;min_confidence/-/0.4;image/image/AB)\n")
    let plain = asking.ask(
      "POST", "/", ["Content-Type: application/x-www-form-urlencoded"], Array("a=b%20c&d=e".utf8))
    #expect(plain?.text == "POST / []  body() form(a/-/b c;d/-/e)\n")
  }

  /// Bodies in pieces, and boundaries in quotes with a part that has no name, as programs write them.
  @Test func rareForms() throws {
    let (server, asking) = try echo()
    defer { server.stop(seconds: 0) }
    let connection = try #require(ViewerConnection(asking.port))
    connection.send(
      "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n")
    connection.send("2;x=y\r\nde\r\n0\r\n\r\n")
    #expect(String(decoding: connection.readAll(), as: UTF8.self).hasSuffix("body(abcde) form()\n"))
    let body =
      "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n"
      + "Content-Type: image/jpeg\r\n\r\nJPEG\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n"
    let reply = asking.ask(
      "POST", "/", ["Content-Type: multipart/form-data; boundary=\"b\""], Array(body.utf8))
    #expect(reply?.text == "POST / []  body() form(image/a.jpg/JPEG;/-/x)\n")
  }

  /// Two requests on one connection, the second sent before the first is answered.
  @Test func connectionsThatStay() throws {
    let (server, asking) = try echo()
    defer { server.stop(seconds: 0) }
    let connection = try #require(ViewerConnection(asking.port))
    connection.send(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let text = String(decoding: connection.readAll(), as: UTF8.self)
    #expect(text.contains("GET /1 ") && text.contains("GET /2 "))
    #expect(text.components(of: "HTTP/1.1 200 OK") == 2)
  }

  /// An answer may come later, from any thread, and once.
  @Test func answersLater() throws {
    let (server, asking) = try server { exchange in
      _ = startThread(stackBytes: 1 << 18) {
        MonotonicClock.sleep(milliseconds: 5)
        exchange.answer(.text("late"))
        exchange.answer(.text("too late"))
      }
    }
    defer { server.stop(seconds: 0) }
    for _ in 0..<20 { #expect(asking.ask("GET", "/")?.text == "late\n") }
  }

  @Test func limits() throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1000
    limits.formParts = 2
    let (server, asking) = try echo(limits)
    defer { server.stop(seconds: 0) }
    let large = [UInt8](repeating: 65, count: 1001)
    #expect(asking.ask("POST", "/", [], large)?.status == 413)
    #expect(asking.ask("POST", "/", [], Array(large.dropFirst()))?.status == 200)
    let chunked = try #require(ViewerConnection(asking.port))
    chunked.send(
      "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<3 { chunked.send("190\r\n" + String(repeating: "a", count: 400) + "\r\n") }
    chunked.send("0\r\n\r\n")
    #expect(String(decoding: chunked.readAll(), as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
    #expect(asking.form("/", [("a", "1"), ("b", "2"), ("c", "3")])?.status == 413)
    #expect(asking.ask("POST", "/", ["Content-Length: -1"])?.status != 200)
    // 100 MB of headers are not read to their end.
    let headers = try #require(ViewerConnection(asking.port))
    headers.send("GET / HTTP/1.1\r\nHost: a\r\n")
    let line = Array(("X-A: " + String(repeating: "b", count: 65_000) + "\r\n").utf8)
    var sent = 0
    while sent < 100_000_000 {
      let count = headers.send(line)
      guard count > 0 else { break }
      sent += count
    }
    #expect(sent < 50_000_000)
    #expect(asking.ask("GET", "/x")?.status == 200)
  }

  /// Connections that ask for nothing end for those that do.
  @Test func idleConnections() throws {
    var limits = HTTPLimits()
    limits.connections = 40
    let (server, asking) = try echo(limits)
    defer { server.stop(seconds: 0) }
    var idle: [ViewerConnection] = []
    for number in 0..<200 {
      let connection = try #require(ViewerConnection(asking.port))
      // Half of them begin to ask, and never end.
      if number % 2 == 0 { connection.send("GET / HTTP/1.1\r\nX-") }
      idle.append(connection)
    }
    for _ in 0..<20 { #expect(asking.ask("GET", "/")?.status == 200) }
    withExtendedLifetime(idle) {}
  }

  /// Who is being answered when the server ends gets the answer; who is not gets a refusal.
  @Test func ending() throws {
    let (server, asking) = try server { exchange in
      guard exchange.request.path == "/soon" else { return }
      _ = startThread(stackBytes: 1 << 18) {
        MonotonicClock.sleep(milliseconds: 50)
        exchange.answer(.text("done"))
      }
    }
    let waiting = try ["/soon", "/never"].map { path in
      let connection = try #require(ViewerConnection(asking.port))
      connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      return connection
    }
    MonotonicClock.sleep(milliseconds: 20)
    server.stop(seconds: 0.5)
    #expect(String(decoding: waiting[0].readAll(), as: UTF8.self).hasSuffix("\r\n\r\ndone\n"))
    #expect(String(decoding: waiting[1].readAll(), as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
    #expect(ViewerConnection(asking.port) == nil)
  }

  /// A client that is gone before its answer does no harm.
  @Test func clientsThatGo() throws {
    let waiting = Locked<[HTTPExchange]>([])
    let (server, asking) = try server { exchange in waiting.withLock { $0.append(exchange) } }
    for _ in 0..<10 {
      let connection = try #require(ViewerConnection(asking.port))
      connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    _ = waitUntil { waiting.withLock { $0.count } == 10 }
    for exchange in waiting.withLock({ $0 }) {
      exchange.answer(HTTPResponse(type: "text/plain", [UInt8](repeating: 65, count: 1 << 20)))
    }
    server.stop(seconds: 1)
  }

  @Test(arguments: [
    ("8080", "127.0.0.1", 8080), ("0.0.0.0:80", "0.0.0.0", 80), ("[::1]:5", "::1", 5),
    ("localhost:65535", "localhost", 65535),
  ])
  func addresses(text: String, host: String, port: UInt16) {
    let address = ServiceAddress(text)
    #expect(address?.host == host && address?.port == port)
    for bad in ["", ":", "a:", ":80", "1:2:3", "65536", "-1", "a b:1", "a/b:1", "[::1]"] {
      #expect(ServiceAddress(bad) == nil, "\(bad)")
    }
  }
}

extension String {
  /// How often a text stands here.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
