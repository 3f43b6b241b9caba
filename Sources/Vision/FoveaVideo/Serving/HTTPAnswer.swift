// Fovea - the answers of the live view.
// SPDX-License-Identifier: Apache-2.0

/// The answers of the live view. Each ends its connection: nothing is asked twice on one.
enum HTTPAnswer {
  /// The boundary between the parts of a Motion JPEG.
  static let boundary = "fovea-picture"

  /// A whole answer.
  static func whole(
    _ status: Int = 200, type: String, _ body: [UInt8], headers: [String] = []
  ) -> [UInt8] {
    head(status, type: type, ["Content-Length: \(body.count)"] + headers) + body
  }

  /// A refusal, in words.
  static func refusal(_ status: Int) -> [UInt8] {
    let words: [String] =
      switch status {
      case 401: ["WWW-Authenticate: Bearer"]
      case 405: ["Allow: GET"]
      default: []
      }
    return whole(
      status, type: "text/plain; charset=utf-8", Array("\(status) \(reason(status))\n".utf8),
      headers: words)
  }

  /// The head of an answer that goes on until somebody ends it.
  static func beginning(type: String) -> [UInt8] { head(200, type: type, []) }

  /// One picture, and the boundary that ends it: browsers show a part when they see its end.
  static func part(_ jpeg: [UInt8], frame: Int) -> [[UInt8]] {
    let head =
      "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\nX-Frame: \(frame)\r\n\r\n"
    return [Array(head.utf8), jpeg, Array("\r\n--\(boundary)\r\n".utf8)]
  }

  /// One event with a line of JSON.
  static func event(_ line: String, named name: String? = nil) -> [UInt8] {
    let name = name.map { "event: \($0)\n" } ?? ""
    // A line that breaks would end the event.
    let data = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    return Array("\(name)data: \(data)\n\n".utf8)
  }

  private static func head(_ status: Int, type: String, _ more: [String]) -> [UInt8] {
    let lines =
      [
        "HTTP/1.1 \(status) \(reason(status))", "Content-Type: \(type)", "Connection: close",
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
      ] + more
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Bad Request"
    }
  }
}
