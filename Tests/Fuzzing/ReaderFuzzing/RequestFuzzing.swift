// Fovea - fuzzing: requests to the live view.
// SPDX-License-Identifier: Apache-2.0
import FoveaVideo

enum RequestFuzzing {
  /// The first byte says how the others are cut. A request is the same however its bytes come, and
  /// what is refused has a status of HTTP.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let whole = outcome(stream, piece: 1 << 20)
    promise(whole == outcome(stream, piece: 1 + Int(first) % 64), "another request in pieces")
    switch whole {
    case .unfinished: break
    case .refused(let status): promise((400...505).contains(status), "the status \(status)")
    case .request(let request):
      promise(request.path.hasPrefix("/"), "the path \(request.path)")
      promise((1...16).contains(request.method.utf8.count), "the method \(request.method)")
      promise(request.headers.count <= HTTPRequestReader.mostHeaders, "too many headers")
    }
    _ = ViewAddress(String(decoding: stream.prefix(64), as: UTF8.self))
  }

  private static func outcome(_ bytes: [UInt8], piece: Int) -> HTTPRequestReader.Outcome {
    var reader = HTTPRequestReader()
    var rest = bytes[...]
    while !rest.isEmpty {
      let outcome = reader.append(rest.prefix(piece))
      if outcome != .unfinished { return outcome }
      rest = rest.dropFirst(piece)
    }
    return .unfinished
  }

  /// What browsers send, and what is refused.
  static let seeds: [[UInt8]] = [
    "\u{3}GET /stream.mjpg?token=a%20b&c HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\n\r\n",
    "\u{1}GET / HTTP/1.0\n\n",
    "\u{7}POST /a HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 3\r\n\r\nabc",
    "\u{9}GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer b\r\n c\r\n\r\n", "\u{2}[::1]:8080",
  ].map { Array($0.utf8) }
}
