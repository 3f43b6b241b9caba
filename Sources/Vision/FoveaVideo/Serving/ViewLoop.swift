// Fovea - the thread that serves the live view.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaMedia

/// Serves all viewers, one step after another, and waits for none.
final class ViewLoop {
  private let feed: ViewFeed
  private let listeners: [ViewListener]
  private let access: ViewAccess
  private let orientation: ImageOrientation?
  private let encoder: PlanarJPEGEncoder
  private var clients: [ViewClient] = []
  private var picture: UprightImage?
  /// The last picture that was encoded, and the number of its result.
  private var encoded: (number: Int, jpeg: [UInt8])?
  private var scratch = [UInt8](repeating: 0, count: 4096)
  private var lastSign = MonotonicClock.seconds()

  /// Of JPEG: losses that are not seen in motion, a tenth of a megabyte at 1280 x 720.
  private static let quality: Int32 = 80
  /// Seconds between signs of life to those who wait for events.
  private static let signSeconds = 15.0

  init?(
    _ feed: ViewFeed, _ listeners: [ViewListener], _ access: ViewAccess,
    _ orientation: ImageOrientation?
  ) {
    guard let encoder = PlanarJPEGEncoder() else { return nil }
    self.encoder = encoder
    (self.feed, self.listeners, self.access) = (feed, listeners, access)
    self.orientation = orientation
  }

  /// Runs until the feed is closed.
  func run() {
    while !feed.isClosed {
      wait()
      let now = MonotonicClock.seconds()
      accept(now)
      for client in clients {
        if client.purpose == .asking { ask(client, now) } else { _ = client.receive(&scratch) }
        client.flush(now)
      }
      serve(now)
      clients.removeAll { $0.isOver(now) }
    }
    let now = MonotonicClock.seconds()
    for client in clients where client.purpose == .events && client.isIdle {
      client.enqueue([HTTPAnswer.event("{}", named: "end")], now)
    }
  }

  /// Waits until something can be done, at most a second.
  private func wait() {
    var entries = [pollfd(fd: feed.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    entries += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    entries += clients.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    _ = poll(&entries, nfds_t(entries.count), 1000)
    feed.settle()
  }

  // MARK: Connections

  private func accept(_ now: Double) {
    for listener in listeners {
      while let descriptor = listener.accept() {
        if clients.count >= LiveView.mostConnections, !makeRoom() {
          let refused = ViewClient(descriptor, now: now)
          refused.answer(.answering, HTTPAnswer.refusal(503), now: now)
          continue
        }
        clients.append(ViewClient(descriptor, now: now))
      }
    }
  }

  /// Ends the oldest connection that has not asked for anything yet.
  private func makeRoom() -> Bool {
    guard let oldest = clients.firstIndex(where: { $0.purpose == .asking }) else { return false }
    clients.remove(at: oldest)
    return true
  }

  private func ask(_ client: ViewClient, _ now: Double) {
    switch client.receive(&scratch) {
    case .unfinished: break
    case .refused(let status): client.answer(.answering, HTTPAnswer.refusal(status), now: now)
    case .request(let request): answer(client, request, now)
    }
  }

  private func answer(_ client: ViewClient, _ request: HTTPRequest, _ now: Double) {
    let status = access.status(of: request)
    guard status == 200 else {
      return client.answer(.answering, HTTPAnswer.refusal(status), now: now)
    }
    guard request.method == "GET" else {
      return client.answer(.answering, HTTPAnswer.refusal(405), now: now)
    }
    switch request.path {
    case "/": client.answer(.answering, ViewPage.answer(), now: now)
    case "/stream.mjpg":
      let type = "multipart/x-mixed-replace; boundary=\(HTTPAnswer.boundary)"
      client.answer(
        .pictures,
        HTTPAnswer.beginning(type: type) + Array("--\(HTTPAnswer.boundary)\r\n".utf8), now: now)
    case "/events":
      let setup = feed.setup.map { HTTPAnswer.event($0, named: "setup") } ?? []
      client.answer(
        .events, HTTPAnswer.beginning(type: "text/event-stream; charset=utf-8") + setup, now: now)
    case "/latest.jpg":
      let picture = feed.item.flatMap { jpeg(of: $0) }
      let answer =
        picture.map { HTTPAnswer.whole(type: "image/jpeg", $0) } ?? HTTPAnswer.refusal(503)
      client.answer(.answering, answer, now: now)
    case "/metrics":
      client.answer(.answering, ViewMetrics.answer(feed.item, viewers: viewers), now: now)
    default: client.answer(.answering, HTTPAnswer.refusal(404), now: now)
    }
  }

  private var viewers: Int { clients.count { $0.purpose == .pictures } }

  // MARK: Pictures and events

  /// Gives the newest picture and event to all who have taken what they got before.
  private func serve(_ now: Double) {
    let isSign = now - lastSign > Self.signSeconds
    if isSign { lastSign = now }
    guard let item = feed.item else { return }
    for client in clients where client.isIdle && client.lastNumber < item.number {
      switch client.purpose {
      case .pictures:
        guard let jpeg = jpeg(of: item) else { continue }
        client.lastNumber = item.number
        client.enqueue(HTTPAnswer.part(jpeg, frame: item.result.index), now)
      case .events:
        client.lastNumber = item.number
        client.enqueue([HTTPAnswer.event(item.line)], now)
      case .asking, .answering: break
      }
    }
    guard isSign else { return }
    for client in clients where client.purpose == .events && client.isIdle {
      client.enqueue([Array(": here\n\n".utf8)], now)
    }
  }

  /// The picture of a result as JPEG, encoded once for all viewers.
  private func jpeg(of item: ViewFeed.Item) -> [UInt8]? {
    if let encoded, encoded.number == item.number { return encoded.jpeg }
    let size = item.result.imageSize
    let used: UprightImage
    if let picture, picture.fits(size) {
      used = picture
    } else {
      used = UprightImage(size)
      picture = used
    }
    used.take(item.result.picture, turned: orientation)
    used.hide(item.hidden)
    guard let jpeg = encoder.bytes(of: used, quality: Self.quality) else { return nil }
    encoded = (item.number, jpeg)
    return jpeg
  }
}

/// Numbers for programs that watch over others, in the text form of Prometheus.
enum ViewMetrics {
  static func answer(_ item: ViewFeed.Item?, viewers: Int) -> [UInt8] {
    let counts = item?.result.counts ?? SequenceCounts()
    let numbers: [(name: String, kind: String, value: String)] = [
      ("fovea_pictures_decoded_total", "counter", "\(counts.decoded)"),
      ("fovea_pictures_analyzed_total", "counter", "\(counts.taken)"),
      ("fovea_pictures_dropped_total", "counter", "\(counts.dropped)"),
      ("fovea_results_late_total", "counter", "\(counts.late)"),
      ("fovea_pictures_damaged_total", "counter", "\(counts.damaged)"),
      ("fovea_source_reconnects_total", "counter", "\(counts.reconnects)"),
      ("fovea_latency_seconds", "gauge", "\(item?.result.latency ?? 0)"),
      ("fovea_objects", "gauge", "\(item?.result.observations.count ?? 0)"),
      ("fovea_viewers", "gauge", "\(viewers)"),
    ]
    let text = numbers.map { "# TYPE \($0.name) \($0.kind)\n\($0.name) \($0.value)\n" }.joined()
    return HTTPAnswer.whole(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
  }
}
