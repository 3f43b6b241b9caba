// Fovea - one run of expat over one document.
// SPDX-License-Identifier: Apache-2.0
#if XML
  internal import CExpat

  /// What expat's callbacks, which know no generic types, call.
  class XMLCallbacks {
    func begin(_ name: String, _ attributes: [String: String]) {}
    func end() {}
    func add(_ text: UnsafeBufferPointer<CChar>) {}
    func refuse(_ problem: XMLProblem) {}
  }

  /// One run of expat over one document.
  final class XMLRun<Handler: XMLHandler>: XMLCallbacks {
    private(set) var handler: Handler
    private let expat: fov_expat_functions
    private var parser: XML_Parser?
    private var path: [String] = []
    /// The text of each open element.
    private var texts: [[UInt8]] = []
    private var problem: XMLProblem?

    init(_ expat: fov_expat_functions, _ handler: Handler) {
      (self.expat, self.handler) = (expat, handler)
    }

    /// Reads a document; afterwards the handler has been told all of it.
    ///
    /// - Throws: `.malformed`.
    func read(_ bytes: UnsafeRawBufferPointer, file: String) throws(AnnotationError) {
      guard let parser = expat.ParserCreate(nil) else {
        throw AnnotationError(.file, file, "there is no memory for a parser", "free some memory")
      }
      self.parser = parser
      defer {
        expat.ParserFree(parser)
        self.parser = nil
      }
      expat.SetUserData(parser, Unmanaged<XMLCallbacks>.passUnretained(self).toOpaque())
      setHandlers(of: parser)
      var rest = bytes[...]
      repeat {
        let part = rest.prefix(1 << 20)
        rest = rest.dropFirst(part.count)
        let start = UnsafeRawBufferPointer(rebasing: part).bindMemory(to: CChar.self)
        let status = expat.Parse(
          parser, start.baseAddress, Int32(start.count), rest.isEmpty ? 1 : 0)
        if let problem {
          throw AnnotationError(
            .malformed, file, at: .line(line(of: parser)), problem.cause, problem.remedy)
        }
        guard status == XML_STATUS_OK else { throw failure(of: parser, file) }
      } while !rest.isEmpty
    }

    private func setHandlers(of parser: XML_Parser) {
      expat.SetElementHandler(
        parser,
        { data, name, attributes in
          guard let name, let run = XMLCallbacks.of(data) else { return }
          var values: [String: String] = [:]
          var next = attributes
          while let key = next?.pointee, let value = next?.advanced(by: 1).pointee {
            values[String(cString: key)] = String(cString: value)
            next = next?.advanced(by: 2)
          }
          run.begin(String(cString: name), values)
        },
        { data, _ in XMLCallbacks.of(data)?.end() })
      expat.SetCharacterDataHandler(parser) { data, text, count in
        XMLCallbacks.of(data)?.add(UnsafeBufferPointer(start: text, count: Int(count)))
      }
      expat.SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
        XMLCallbacks.of(data)?.refuse(.entities)
      }
      expat.SetSkippedEntityHandler(parser) { data, _, _ in
        XMLCallbacks.of(data)?.refuse(.entities)
      }
    }

    private func line(of parser: XML_Parser) -> Int { Int(expat.GetCurrentLineNumber(parser)) }

    private func failure(of parser: XML_Parser, _ file: String) -> AnnotationError {
      let code = expat.GetErrorCode(parser)
      let words = expat.ErrorString(code).map { String(cString: $0) } ?? "cannot be parsed"
      let isCut =
        !path.isEmpty
        && [
          XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
          XML_ERROR_UNCLOSED_CDATA_SECTION,
        ].contains(code)
      let cause = isCut ? "ends within an element: \(path.last ?? "")" : "is no XML: \(words)"
      return AnnotationError(
        .malformed, file, at: .line(line(of: parser)), cause, "repair the file, or export it again")
    }

    // MARK: Callbacks

    override func begin(_ name: String, _ attributes: [String: String]) {
      guard problem == nil else { return }
      path.append(name)
      texts.append([])
      guard path.count <= XMLDocument.greatestDepth else {
        return refuse(XMLProblem(cause: "has elements inside \(path.count - 1) others"))
      }
      do throws(XMLProblem) { try handler.begin(path, attributes) } catch { refuse(error) }
    }

    override func end() {
      guard problem == nil, let bytes = texts.popLast() else { return }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(XMLProblem) { try handler.end(path, text: text) } catch { refuse(error) }
      path.removeLast()
    }

    override func add(_ text: UnsafeBufferPointer<CChar>) {
      guard problem == nil, let last = texts.indices.last else { return }
      guard texts[last].count + text.count <= XMLDocument.greatestText else {
        return refuse(
          XMLProblem(cause: "has a text of more than \(XMLDocument.greatestText) bytes"))
      }
      texts[last].append(contentsOf: UnsafeRawBufferPointer(text))
    }

    override func refuse(_ problem: XMLProblem) {
      guard self.problem == nil else { return }
      self.problem = problem
      _ = parser.map { expat.StopParser($0, 0) }
    }
  }

  extension XMLCallbacks {
    /// The run that a callback's context is.
    static func of(_ context: UnsafeMutableRawPointer?) -> XMLCallbacks? {
      context.map { Unmanaged<XMLCallbacks>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  extension XMLProblem {
    /// An entity that the document declares, or that stands elsewhere.
    fileprivate static let entities = XMLProblem(
      cause: "entities of its own are refused", remedy: "write the texts out, without a DOCTYPE")
  }
#endif
