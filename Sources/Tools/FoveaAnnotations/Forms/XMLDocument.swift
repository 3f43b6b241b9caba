// Fovea - XML, read element by element.
// SPDX-License-Identifier: Apache-2.0
/// What is told about an XML document while it is read. Nothing of the document is kept.
protocol XMLHandler {
  /// An element begins; `path` names those around it, and itself at its end.
  mutating func begin(_ path: [String], _ attributes: [String: String]) throws(XMLProblem)
  /// An element ends; with its text, that of elements inside it left out.
  mutating func end(_ path: [String], text: String) throws(XMLProblem)
}

/// What a handler does not like.
struct XMLProblem: Error {
  var cause: String
  var remedy = "repair the file, or export it again"
}

extension XMLProblem {
  /// The number that a text named `name` is.
  static func number(_ text: String, _ name: String) throws(XMLProblem) -> Double {
    guard let number = text.finiteNumber else {
      throw XMLProblem(cause: "\(name) is '\(text)', not a number")
    }
    return number
  }
}

/// Reads XML by expat, opened at first use. Entities of a document's own and external ones are refused,
/// as are elements inside more than 32 others and texts of more than 64 KiB.
enum XMLDocument {
  static let greatestDepth = 32
  static let greatestText = 1 << 16

  /// Reads a document.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  static func read<Handler: XMLHandler>(
    _ bytes: UnsafeRawBufferPointer, file: String, _ handler: Handler
  ) throws(AnnotationError) -> Handler {
    #if XML
      switch ExpatLibrary.shared {
      case .success(let library):
        let run = XMLRun(library.functions, handler)
        try run.read(bytes, file: file)
        return run.handler
      case .failure(let missing): throw missing.error(of: file)
      }
    #else
      throw MissingLibrary.disabled(trait: "XML").error(of: file)
    #endif
  }
}
