// Fovea - what all connections of a server share.
// SPDX-License-Identifier: Apache-2.0
#if HTTP
  internal import CMicroHTTPD
  internal import FoveaLibc

  /// What all connections of a server share: limits, counts, and who answers.
  final class HTTPServerCore: Sendable {
    let functions: fov_microhttpd_functions
    let limits: HTTPLimits
    /// The answer to what is not understood or too large.
    let refusal: @Sendable (Int) -> HTTPResponse
    private let handler: @Sendable (HTTPExchange) -> Void
    private let state = Locked(State())

    private struct State {
      /// Bytes of all bodies that are held.
      var bodyBytes = 0
      /// Connections by their addresses in memory.
      var connections: [UInt: Connection] = [:]
      /// Requests that are whole and not answered.
      var open: [ObjectIdentifier: HTTPExchange] = [:]
      var streams: [ObjectIdentifier: HTTPStream] = [:]
      var isEnding = false
      var opened = 0
    }

    private struct Connection {
      var socket: Int32
      /// The place among all that were opened.
      var number: Int
      /// Whether it has sent a whole request and waits for the answer.
      var isBusy = false
    }

    init(
      _ library: HTTPLibrary, _ limits: HTTPLimits,
      _ refusal: @escaping @Sendable (Int) -> HTTPResponse,
      _ handler: @escaping @Sendable (HTTPExchange) -> Void
    ) {
      (functions, self.limits) = (library.functions, limits)
      (self.refusal, self.handler) = (refusal, handler)
    }

    // MARK: Memory

    /// Counts bytes of a body; `false` where there is no room for them.
    func reserve(_ count: Int) -> Bool {
      state.withLock { state in
        guard state.bodyBytes + count <= limits.allBodyBytes else { return false }
        state.bodyBytes += count
        return true
      }
    }

    func release(_ count: Int) { state.withLock { $0.bodyBytes -= count } }

    // MARK: Connections

    /// A connection was opened. Where nearly all are taken, the oldest that nobody waits for ends.
    func opened(_ connection: OpaquePointer) {
      let socket = fov_microhttpd_socket(withUnsafePointer(to: functions) { $0 }, connection)
      state.withLock { state in
        state.opened += 1
        state.connections[UInt(bitPattern: connection)] = Connection(
          socket: socket, number: state.opened)
        guard state.connections.count > limits.connections / 4 * 3 else { return }
        let idle = state.connections.filter { !$0.value.isBusy && $0.value.socket >= 0 }
        guard let oldest = idle.min(by: { $0.value.number < $1.value.number }) else { return }
        // The socket is open: who closes it removes the connection from here before that.
        shutdown(oldest.value.socket, Int32(SHUT_RDWR))
        state.connections[oldest.key]?.socket = -1
      }
    }

    /// A connection will be closed.
    func closed(_ connection: OpaquePointer) {
      state.withLock { $0.connections[UInt(bitPattern: connection)] = nil }
      state.wakeAll()
    }

    /// A request is whole, or its answer has been sent.
    func setBusy(_ isBusy: Bool, _ connection: OpaquePointer) {
      state.withLock { $0.connections[UInt(bitPattern: connection)]?.isBusy = isBusy }
      if !isBusy { state.wakeAll() }
    }

    // MARK: Requests

    func handle(_ exchange: HTTPExchange) {
      let isEnding = state.withLock { state in
        if !state.isEnding { state.open[ObjectIdentifier(exchange)] = exchange }
        return state.isEnding
      }
      if isEnding { exchange.answer(refusal(503)) } else { handler(exchange) }
    }

    func finished(_ exchange: HTTPExchange) {
      state.withLock { $0.open[ObjectIdentifier(exchange)] = nil }
      state.wakeAll()
    }

    /// A stream is being sent.
    func began(_ stream: HTTPStream) {
      let isEnding = state.withLock { state in
        state.streams[ObjectIdentifier(stream)] = stream
        return state.isEnding
      }
      if isEnding { stream.end() }
    }

    func ended(_ stream: HTTPStream) {
      state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    }

    // MARK: The end

    /// How long clients may take to get what has been answered.
    private static let sendingSeconds = 1.0

    /// From now on new requests are refused. Waits for those that are being answered; what is not
    /// answered by then is refused. Then no connection rests any more, which the library asks for.
    func end(seconds: Double) {
      state.withLock { $0.isEnding = true }
      _ = state.wait(seconds: seconds) { $0.open.isEmpty ? () : nil }
      let (open, streams) = state.withLock { (Array($0.open.values), Array($0.streams.values)) }
      for exchange in open { exchange.answer(refusal(503)) }
      for stream in streams { stream.end() }
      _ = state.wait(seconds: Self.sendingSeconds) { state in
        state.connections.values.contains(where: \.isBusy) ? nil : ()
      }
    }
  }
#endif
