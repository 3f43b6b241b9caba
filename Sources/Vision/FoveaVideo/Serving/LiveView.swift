// Fovea - a page in a browser that shows pictures and what is found in them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaShapes
internal import FoveaLibc

/// A page in a browser that shows the newest picture and what was found in it.
///
/// HTTP is Fovea's own: the view answers GET for five paths, reads no bodies and keeps no connection
/// for a second request, which is less than what a library would have to be told not to do.
///
/// One thread serves all viewers and waits for none. Each gets the newest picture when it has taken
/// the one before, so a slow viewer misses pictures, and nothing else gets slower.
package final class LiveView: Sendable {
  private let feed: ViewFeed
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
  /// - Throws: `ViewError`.
  package init(
    at address: ViewAddress, token: String?, orientation: ImageOrientation? = nil
  ) throws(ViewError) {
    guard PlanarJPEGEncoder() != nil else { throw .traitDisabled }
    let listeners = try ViewListener.all(at: address)
    guard let feed = ViewFeed() else { throw .outOfResources }
    self.feed = feed
    let port = listeners[0].port
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    // Who listens at all interfaces is found under the machine's name.
    let isAny = ["0.0.0.0", "::"].contains(address.host)
    let machine = Self.machineName()
    let query = token.map { "/?token=\($0)" } ?? "/"
    addresses = (isAny ? [machine ?? "localhost"] : [host]).map { "http://\($0):\(port)\(query)" }
    var names: Set<String> = ["localhost", address.host.lowercased()]
    if let machine { names.formUnion([machine, machine + ".local"]) }
    let access = ViewAccess(token: token, names: names)
    let isStarted = startThread(stackBytes: 1 << 20) { [hasEnded] in
      ViewLoop(feed, listeners, access, orientation)?.run()
      hasEnded.withLock { $0 = true }
    }
    guard isStarted else { throw .outOfResources }
  }

  deinit { feed.end() }

  private static func machineName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return nil }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text.lowercased()
  }

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
    for _ in 0..<20 where !hasEnded.withLock({ $0 }) { MonotonicClock.sleep(milliseconds: 5) }
  }
}
