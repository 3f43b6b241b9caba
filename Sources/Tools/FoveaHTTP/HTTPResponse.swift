// Fovea - answers over HTTP.
// SPDX-License-Identifier: Apache-2.0

/// An answer to a request.
package struct HTTPResponse: Sendable {
  package var status: Int
  /// The type of the content.
  package var type: String
  package var content: Content
  /// Further headers.
  package var headers: [(name: String, value: String)] = []

  /// What is answered.
  package enum Content: Sendable {
    case bytes([UInt8])
    /// What goes on until somebody ends it.
    case stream(HTTPStream)
  }

  /// An answer that is whole.
  package init(_ status: Int = 200, type: String, _ bytes: [UInt8]) {
    (self.status, self.type, content) = (status, type, .bytes(bytes))
  }

  /// An answer that goes on.
  package init(type: String, _ stream: HTTPStream) {
    (status, self.type, content) = (200, type, .stream(stream))
  }

  /// A line of text.
  package static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status, type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// A document.
  package static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status, type: "application/json", Array(text.utf8))
  }

  /// A refusal, in words.
  package static func refusal(_ status: Int, allowing method: String = "GET") -> HTTPResponse {
    var response = text("\(status) \(reason(status))", status: status)
    switch status {
    case 401: response.headers.append(("WWW-Authenticate", "Bearer"))
    case 405: response.headers.append(("Allow", method))
    case 503: response.headers.append(("Retry-After", "1"))
    default: break
    }
    return response
  }

  /// The name of a status that Fovea answers with.
  package static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 421: "Misdirected Request"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Error"
    }
  }
}
