// Fovea - what clients ask for over HTTP.
// SPDX-License-Identifier: Apache-2.0

/// A whole request of a client.
package struct HTTPRequest: Sendable {
  /// What is to be done with the path, as it was sent.
  package var method: String
  /// The path, decoded.
  package var path: String
  /// The words behind the question mark, decoded; the last of equal names.
  package var query: [String: String] = [:]
  /// The headers by their names in lower case; the last of equal names.
  package var headers: [String: String] = [:]
  /// What was sent behind the headers; empty for a form.
  package var body: [UInt8] = []
  /// The parts of a form, in their order; `nil` for a body of another kind.
  package var form: [FormPart]?

  /// A request without anything but a path.
  package init(method: String, path: String) { (self.method, self.path) = (method, path) }

  /// A part of a form.
  package struct FormPart: Sendable {
    package var name: String
    /// The name of the file that the part holds; `nil` for a plain value.
    package var fileName: String?
    package var bytes: [UInt8]

    package init(name: String, fileName: String?, bytes: [UInt8]) {
      (self.name, self.fileName, self.bytes) = (name, fileName, bytes)
    }
  }

  /// The value of a form's part, as text; `nil` without one.
  package func formText(_ name: String) -> String? {
    form?.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The word that lets a client in: of the header `Authorization`, of those of other services, of the
  /// query, or of the part `api_key` of a form.
  var givenToken: String? {
    if let header = headers["authorization"], header.lowercased().hasPrefix("bearer ") {
      return String(header.dropFirst(7))
    }
    return headers["x-api-key"] ?? headers["doods-auth-key"] ?? query["token"]
      ?? formText("api_key")
  }
}
