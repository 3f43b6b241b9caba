// Fovea - a request over HTTP and its answer.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A request, and the place for its answer. Any thread may answer, once; the server waits for none.
package final class HTTPExchange: Sendable {
  package let request: HTTPRequest

  private enum Phase {
    /// The server has not asked for the answer yet.
    case open
    /// The connection waits; `wake` lets it go on.
    case waiting(wake: @Sendable () -> Void)
    case answered(HTTPResponse)
    /// The client is gone, or has the answer.
    case over
  }

  private let phase = Locked(Phase.open)

  init(_ request: HTTPRequest) { self.request = request }

  /// Whether nobody waits for an answer.
  package var isOver: Bool {
    phase.withLock { phase in
      switch phase {
      case .open, .waiting: false
      case .answered, .over: true
      }
    }
  }

  /// Answers. What comes later than another answer, or than the end of the connection, is dropped.
  package func answer(_ response: HTTPResponse) {
    let wake = phase.withLock { phase -> (@Sendable () -> Void)? in
      switch phase {
      case .open:
        phase = .answered(response)
        return nil
      case .waiting(let wake):
        phase = .answered(response)
        return wake
      case .answered, .over: return nil
      }
    }
    wake?()
  }

  /// The answer; without one, the connection waits until what `suspend` gives is called.
  func response(suspend: () -> @Sendable () -> Void) -> HTTPResponse? {
    phase.withLock { phase in
      switch phase {
      case .answered(let response): return response
      case .open: phase = .waiting(wake: suspend())
      case .waiting, .over: break
      }
      return nil
    }
  }

  /// The connection has ended.
  func end() { phase.withLock { $0 = .over } }
}
