// Fovea - answers on their way to clients.
// SPDX-License-Identifier: Apache-2.0
#if HTTP
  internal import CMicroHTTPD

  /// Hands answers to libmicrohttpd.
  struct HTTPSending {
    private let functions: fov_microhttpd_functions
    private let connection: OpaquePointer

    init(_ core: HTTPServerCore, _ connection: OpaquePointer) {
      (functions, self.connection) = (core.functions, connection)
    }

    /// Queues an answer.
    ///
    /// - Returns: `.NO` where there is no memory for it: the connection ends.
    func send(_ response: HTTPResponse, _ reception: HTTPReception) -> MHD_Result {
      let handle: OpaquePointer?
      switch response.content {
      case .bytes(var bytes):
        handle = bytes.withUnsafeMutableBytes {
          functions.create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
      case .stream(let stream):
        reception.began(stream)
        handle = source(of: stream)
      }
      guard let handle else { return .NO }
      defer { functions.destroy_response(handle) }
      for (name, value) in Self.common + [("Content-Type", response.type)] + response.headers {
        _ = functions.add_response_header(handle, name, value)
      }
      return functions.queue_response(connection, UInt32(response.status), handle)
    }

    /// No browser keeps answers, guesses their type, or tells other sites of them.
    private static let common = [
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// What the library asks for the bytes of a stream.
    private final class Source {
      let stream: HTTPStream
      let functions: fov_microhttpd_functions
      let connection: OpaquePointer

      init(_ stream: HTTPStream, _ functions: fov_microhttpd_functions, _ connection: OpaquePointer)
      {
        (self.stream, self.functions, self.connection) = (stream, functions, connection)
      }

      func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let (functions, number) = (functions, UInt(bitPattern: connection))
        let step = stream.read(into: room) {
          functions.suspend_connection(OpaquePointer(bitPattern: number))
          return { functions.resume_connection(OpaquePointer(bitPattern: number)) }
        }
        switch step {
        case .wrote(let count): return count
        case .waits: return 0
        case .ended: return -1  // MHD_CONTENT_READER_END_OF_STREAM
        }
      }
    }

    private func source(of stream: HTTPStream) -> OpaquePointer? {
      let source = Unmanaged.passRetained(Source(stream, functions, connection))
      let handle = functions.create_response_from_callback(
        UInt64.max, 1 << 16,
        { context, _, bytes, count in
          guard let context, let bytes else { return -1 }
          return Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            .read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
        }, source.toOpaque(),
        { context in
          if let context { Unmanaged<Source>.fromOpaque(context).release() }
        })
      if handle == nil { source.release() }
      return handle
    }
  }
#endif
