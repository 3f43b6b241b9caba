// Fovea - a page in a browser that shows pictures and what is found in them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaHTTP
internal import FoveaLibc
package import FoveaShapes
package import FoveaVideo

/// A page in a browser that shows the newest picture and what was found in it.
///
/// One thread makes what all viewers get and waits for none. Each gets the newest picture when it has
/// taken the one before, so a slow viewer misses pictures, and nothing else gets slower.
package final class LiveView: Sendable {
  private let feed: ViewFeed
  private let server: HTTPServer
  private let hasEnded = Locked(false)
  /// The addresses of the page, for people.
  package let addresses: [String]

  /// The most connections at one time.
  package static let mostConnections = 64

  /// Listens, and starts the thread that serves.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - token: The word that a viewer must know; `nil` for none.
  ///   - orientation: How pictures must be turned; `nil` for what the source says.
  /// - Throws: `ServiceError`.
  package init(
    at address: ServiceAddress, token: String?, orientation: ImageOrientation? = nil
  ) throws(ServiceError) {
    guard let encoder = PlanarJPEGEncoder() else { throw .traitDisabled("JPEG") }
    let feed = ViewFeed()
    self.feed = feed
    var limits = HTTPLimits()
    limits.connections = Self.mostConnections
    limits.bodyBytes = 0
    server = try HTTPServer(at: address, limits: limits) { feed.ask($0) }
    addresses = [address.text(port: server.port) + (token.map { "/?token=\($0)" } ?? "/")]
    let access = ServiceAccess(token: token, at: address)
    let loop = ViewLoop(feed, encoder, access, orientation)
    let isStarted = startThread(stackBytes: 1 << 20) { [hasEnded] in
      loop.run()
      hasEnded.withLock { $0 = true }
      hasEnded.wakeAll()
    }
    guard isStarted else { throw .outOfResources }
  }

  deinit { close() }

  /// Shows a picture and the line of JSON that says what was found in it.
  ///
  /// - Parameter hidden: What the picture must not show.
  package func post(_ result: VideoResult, line: String, hiding hidden: [HiddenObject] = []) {
    feed.post(result, line, hiding: hidden)
  }

  /// Says what the page is told first: a JSON object with `title`, `colors`, `lines` and `zones`.
  package func begin(_ setup: String) { feed.begin(setup) }

  /// Ends the view and its connections. Waits a little for viewers to be told.
  package func close() {
    feed.end()
    _ = hasEnded.wait(seconds: 0.1) { $0 ? () : nil }
    server.stop(seconds: 0)
  }
}
