// Fovea - a request while it arrives.
// SPDX-License-Identifier: Apache-2.0
#if HTTP
  internal import CMicroHTTPD
  internal import FoveaLibc

  /// A request while it arrives; afterwards its exchange. Used by the thread of the server alone.
  final class HTTPReception {
    private let core: HTTPServerCore
    private let start = MonotonicClock.seconds()
    private var request: HTTPRequest
    /// The library's reader of forms; `nil` for a body of another kind.
    private var reader: OpaquePointer?
    /// Bytes of the body so far, and those that are counted among all bodies.
    private var (received, counted) = (0, 0)
    /// The status of the refusal that waits for the end of the body.
    private var refusal: Int?
    /// The whole request, when it has been handed over.
    private(set) var exchange: HTTPExchange?
    /// The stream that is being sent.
    private var stream: HTTPStream?

    init(_ core: HTTPServerCore, _ connection: OpaquePointer, method: String, path: String) {
      self.core = core
      request = HTTPRequest(method: method, path: path)
      let functions = core.functions
      withUnsafeMutablePointer(to: &request) { request in
        // One function for both: each puts the values where they belong.
        _ = functions.get_connection_values(
          connection, .HEADER_KIND,
          { context, _, name, value in
            HTTPReception.keep(name, value, context) { $0.headers[$1.lowercased()] = $2 }
          }, request)
        _ = functions.get_connection_values(
          connection, .GET_ARGUMENT_KIND,
          { context, _, name, value in
            HTTPReception.keep(name, value, context) { $0.query[$1] = $2 }
          }, request)
      }
    }

    deinit {
      if let reader { _ = core.functions.destroy_post_processor(reader) }
      core.release(counted)
    }

    private static func keep(
      _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
      _ context: UnsafeMutableRawPointer?, _ body: (inout HTTPRequest, String, String) -> Void
    ) -> MHD_Result {
      guard let name, let context else { return .YES }
      body(
        &context.assumingMemoryBound(to: HTTPRequest.self).pointee, String(cString: name),
        value.map { String(cString: $0) } ?? "")
      return .YES
    }

    /// Gets ready for the body.
    ///
    /// - Returns: The status of a refusal that need not wait for it.
    func begin(_ connection: OpaquePointer) -> Int? {
      if let text = request.headers["content-length"] {
        guard let length = Int(text), length >= 0 else { return 400 }
        guard length <= core.limits.bodyBytes else { return 413 }
      }
      let type = request.headers["content-type"]?.lowercased() ?? ""
      guard type.hasPrefix("multipart/form-data") || type.hasPrefix("application/x-www-form") else {
        return nil
      }
      let context = Unmanaged.passUnretained(self).toOpaque()
      reader = core.functions.create_post_processor(
        connection, 4096,
        { context, _, name, fileName, _, _, bytes, offset, count in
          guard let context else { return .NO }
          let reception = Unmanaged<HTTPReception>.fromOpaque(context).takeUnretainedValue()
          let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
          return reception.take(name, fileName, bytes, isFirst: offset == 0)
        }, context)
      guard reader != nil else { return 400 }
      request.form = []
      return nil
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: Whether the connection may go on.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      received += bytes.count
      guard MonotonicClock.seconds() - start <= core.limits.bodySeconds,
        received <= 2 * core.limits.bodyBytes
      else { return false }
      if received > core.limits.bodyBytes { refusal = 413 }
      guard refusal == nil else { return true }
      guard core.reserve(bytes.count) else {
        refusal = 503
        return true
      }
      counted += bytes.count
      if let reader {
        let status = core.functions.post_process(
          reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        if status != .YES { refusal = refusal ?? 400 }
      } else {
        request.body += bytes
      }
      return true
    }

    /// Takes bytes of a form's part.
    private func take(
      _ name: UnsafePointer<CChar>?, _ fileName: UnsafePointer<CChar>?,
      _ bytes: UnsafeRawBufferPointer, isFirst: Bool
    ) -> MHD_Result {
      guard var form = request.form.take() else { return .NO }
      defer { request.form = form }
      if isFirst || form.isEmpty {
        guard form.count < core.limits.formParts else {
          refusal = 413
          return .NO
        }
        form.append(
          .init(
            name: name.map { String(cString: $0) } ?? "",
            fileName: fileName.map { String(cString: $0) }, bytes: Array(bytes)))
      } else {
        form[form.count - 1].bytes += bytes
      }
      return .YES
    }

    /// The exchange of the whole request, handed over when it is asked for first.
    func whole() -> HTTPExchange {
      if let exchange { return exchange }
      if let reader {
        // What is left of the last part comes now.
        if core.functions.destroy_post_processor(reader) != .YES { refusal = refusal ?? 400 }
        self.reader = nil
      }
      let exchange = HTTPExchange(request)
      self.exchange = exchange
      request.body = []
      request.form = nil
      if let refusal {
        exchange.answer(core.refusal(refusal))
      } else {
        core.handle(exchange)
      }
      return exchange
    }

    /// The answer is a stream.
    func began(_ stream: HTTPStream) {
      self.stream = stream
      core.began(stream)
    }

    /// The answer has been sent, or the connection has ended.
    func end() {
      exchange?.end()
      if let stream {
        stream.cutOff()
        core.ended(stream)
      }
    }
  }
#endif
