// Fovea - requests of HTTP for tests of what is served.
// SPDX-License-Identifier: Apache-2.0

/// An answer over HTTP.
public struct HTTPReply: Sendable {
  /// The status.
  public var status: Int
  /// Headers by their names in lower case.
  public var headers: [String: String]
  /// What stands behind the headers.
  public var body: [UInt8]

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Reads an answer that its sender ended by closing the connection.
  init?(_ bytes: [UInt8]) {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count,
      let place = (0...bytes.count - end.count).first(where: {
        bytes[$0..<$0 + end.count].elementsEqual(end)
      })
    else { return nil }
    let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first, let status = Int(first.dropFirst(9).prefix(3)) else {
      return nil
    }
    self.status = status
    headers = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
    }
    body = Array(bytes[(place + end.count)...])
  }
}

/// Requests to a port of the loopback address.
public struct HTTPAsking: Sendable {
  /// The port.
  public let port: UInt16
  /// Further headers of each request.
  public var headers: [String] = []

  /// Asks at a port.
  public init(_ port: UInt16) { self.port = port }

  /// Asks, and waits for the answer; `nil` where none comes.
  public func ask(
    _ method: String = "GET", _ path: String, _ more: [String] = [], _ body: [UInt8]? = nil
  ) -> HTTPReply? {
    guard let connection = ViewerConnection(port) else { return nil }
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += headers + more
    if let body { lines.append("Content-Length: \(body.count)") }
    connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    return HTTPReply(connection.readAll())
  }

  /// Sends a form, as programs write it.
  public func form(
    _ path: String, _ values: [(name: String, value: String)] = [], picture: [UInt8]? = nil
  ) -> HTTPReply? {
    let boundary = "8ae17a9c4f2b"
    var body: [UInt8] = []
    for (name, value) in values {
      body += Array(
        ("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
          + "\(value)\r\n").utf8)
    }
    if let picture {
      body += Array(
        ("--\(boundary)\r\nContent-Disposition: form-data; name=\"image\"; filename=\"image\""
          + "\r\n\r\n").utf8)
      body += picture + Array("\r\n".utf8)
    }
    body += Array("--\(boundary)--\r\n".utf8)
    return ask(
      "POST", path, ["Content-Type: multipart/form-data; boundary=\(boundary)"], body)
  }
}
