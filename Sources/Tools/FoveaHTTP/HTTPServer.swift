// Fovea - a server of HTTP, by libmicrohttpd.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
#if HTTP
  internal import CMicroHTTPD
#endif

/// A server of HTTP.
///
/// One thread of libmicrohttpd takes requests and sends answers; it waits for nobody. A request is
/// handed over when it is whole, and its connection rests until the answer is there:
///
///     client --> reception --> exchange --> handler: a queue, a table, ...
///                                 ^            |
///     client <-- answer ----------'<-----------'  from any thread
package final class HTTPServer: Sendable {
  /// The port that it listens at.
  package let port: UInt16

  #if HTTP
    private let core: HTTPServerCore
    /// The library's servers, one for each number of the address; as numbers, because they are used by
    /// whoever ends the server alone.
    private let daemons: Locked<[UInt]>

    /// Listens, and starts the threads that serve.
    ///
    /// - Parameters:
    ///   - refusal: The answer to what is not understood or too large, by its status.
    ///   - handler: Answers an exchange, at once or later from another thread. It must not wait.
    /// - Throws: `ServiceError`.
    package init(
      at address: ServiceAddress, limits: HTTPLimits = HTTPLimits(),
      refusal: @escaping @Sendable (Int) -> HTTPResponse = { .refusal($0) },
      handler: @escaping @Sendable (HTTPExchange) -> Void
    ) throws(ServiceError) {
      let library = try HTTPLibrary.shared.get()
      let listeners = try ServiceListener.all(at: address)
      port = listeners[0].port
      core = HTTPServerCore(library, limits, refusal, handler)
      var started: [UInt] = []
      for listener in listeners {
        guard let daemon = Self.start(core, listener) else { break }
        started.append(UInt(bitPattern: daemon))
      }
      daemons = Locked(started)
      guard started.count == listeners.count else {
        stop(seconds: 0)
        throw .outOfResources
      }
    }

    deinit { stop(seconds: 0) }

    /// Takes no more requests, waits for the answers of those that it has, and ends.
    ///
    /// - Parameter seconds: The longest wait; what is not answered by then is refused with 503.
    package func stop(seconds: Double) {
      let daemons = daemons.withLock { daemons in
        defer { daemons = [] }
        return daemons.map { OpaquePointer(bitPattern: $0) }
      }
      guard !daemons.isEmpty else { return }
      for daemon in daemons {
        let listener = core.functions.quiesce_daemon(daemon)
        if listener >= 0 { close(listener) }
      }
      core.end(seconds: seconds)
      for daemon in daemons { core.functions.stop_daemon(daemon) }
    }

    private static func start(_ core: HTTPServerCore, _ listener: ServiceListener) -> OpaquePointer?
    {
      let socket = fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 0)
      guard socket >= 0 else { return nil }
      var settings = fov_microhttpd_settings(
        listener: socket, memory: core.limits.headerBytes,
        connections: UInt32(core.limits.connections), seconds: UInt32(core.limits.idleSeconds),
        handle: handle, completed: completed, notify: notified,
        // The core outlives its daemons, which end before the server does.
        context: Unmanaged.passUnretained(core).toOpaque())
      var functions = core.functions
      let daemon = fov_microhttpd_start(&functions, &settings)
      if daemon == nil { close(socket) }
      return daemon
    }
  #else
    /// This build serves nothing.
    package init(
      at address: ServiceAddress, limits: HTTPLimits = HTTPLimits(),
      refusal: @escaping @Sendable (Int) -> HTTPResponse = { .refusal($0) },
      handler: @escaping @Sendable (HTTPExchange) -> Void
    ) throws(ServiceError) {
      throw .traitDisabled("HTTP")
    }

    package func stop(seconds: Double) {}
  #endif
}

#if HTTP
  private func core(_ context: UnsafeMutableRawPointer) -> HTTPServerCore {
    Unmanaged<HTTPServerCore>.fromOpaque(context).takeUnretainedValue()
  }

  private func notified(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ what: MHD_ConnectionNotificationCode
  ) {
    guard let context, let connection else { return }
    if what == .CONNECTION_NOTIFY_STARTED {
      core(context).opened(connection)
    } else {
      core(context).closed(connection)
    }
  }

  private func completed(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
  ) {
    guard let context, let connection, let pointer = own?.pointee else { return }
    own?.pointee = nil
    let reception = Unmanaged<HTTPReception>.fromOpaque(pointer).takeRetainedValue()
    reception.end()
    core(context).setBusy(false, connection)
    if let exchange = reception.exchange { core(context).finished(exchange) }
  }

  /// Called with the headers, with each piece of the body, and when a request is whole; again when its
  /// connection goes on.
  private func handle(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let path, let method, let count, let own else {
      return .NO
    }
    let core = core(context)
    guard let pointer = own.pointee else {
      let reception = HTTPReception(
        core, connection, method: String(cString: method), path: String(cString: path))
      own.pointee = Unmanaged.passRetained(reception).toOpaque()
      return reception.begin(connection).map {
        HTTPSending(core, connection).send(core.refusal($0), reception)
      } ?? .YES
    }
    let reception = Unmanaged<HTTPReception>.fromOpaque(pointer).takeUnretainedValue()
    if count.pointee > 0 {
      let isFine = reception.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
      count.pointee = 0
      return isFine ? .YES : .NO
    }
    core.setBusy(true, connection)
    let functions = core.functions
    let number = UInt(bitPattern: connection)
    let response = reception.whole().response {
      functions.suspend_connection(connection)
      return { functions.resume_connection(OpaquePointer(bitPattern: number)) }
    }
    guard let response else { return .YES }
    if let exchange = reception.exchange { core.finished(exchange) }
    return HTTPSending(core, connection).send(response, reception)
  }
#endif
