// Fovea - the thread that makes what the live view shows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaLibc
internal import FoveaMedia
internal import FoveaVideo

/// Answers all viewers, one step after another, and waits for none. Used by one thread.
final class ViewLoop: @unchecked Sendable {  // because `run` is called once, and by one thread
  private let feed: ViewFeed
  private let access: ServiceAccess
  private let orientation: ImageOrientation?
  private let encoder: PlanarJPEGEncoder
  private var viewers: [Viewer] = []
  private var picture: UprightImage?
  /// The last picture that was encoded, and the number of its result.
  private var encoded: (number: Int, jpeg: [UInt8])?
  private var lastSign = MonotonicClock.seconds()

  /// Of JPEG: losses that are not seen in motion, a tenth of a megabyte at 1280 x 720.
  private static let quality: Int32 = 80
  /// Seconds between signs of life to those who wait for events.
  private static let signSeconds = 15.0
  /// The boundary between the parts of a Motion JPEG.
  private static let boundary = "fovea-picture"

  /// A stream to a viewer.
  private struct Viewer {
    var stream: HTTPStream
    var takesPictures: Bool
    /// The number of the last result that was sent or is being sent.
    var lastNumber = 0
  }

  init(
    _ feed: ViewFeed, _ encoder: PlanarJPEGEncoder, _ access: ServiceAccess,
    _ orientation: ImageOrientation?
  ) {
    (self.feed, self.encoder, self.access) = (feed, encoder, access)
    self.orientation = orientation
  }

  /// Runs until the feed is closed.
  func run() {
    while !feed.isClosed {
      for exchange in feed.wait(seconds: 1) { exchange.answer(answer(to: exchange.request)) }
      viewers.removeAll { $0.stream.isOver }
      serve(MonotonicClock.seconds())
    }
    for viewer in viewers {
      if !viewer.takesPictures, viewer.stream.isIdle {
        viewer.stream.send([Self.event("{}", named: "end")])
      }
      viewer.stream.end()
    }
    for exchange in feed.wait(seconds: 0) { exchange.answer(.refusal(503)) }
  }

  // MARK: Requests

  private func answer(to request: HTTPRequest) -> HTTPResponse {
    let status = access.status(of: request)
    guard status == 200 else { return .refusal(status) }
    guard request.method == "GET" || request.method == "HEAD" else { return .refusal(405) }
    switch request.path {
    case "/": return ViewPage.answer()
    case "/stream.mjpg":
      return stream(
        "multipart/x-mixed-replace; boundary=\(Self.boundary)", "--\(Self.boundary)\r\n",
        takesPictures: true)
    case "/events":
      let setup = feed.setup.map { String(decoding: Self.event($0, named: "setup"), as: UTF8.self) }
      return stream("text/event-stream; charset=utf-8", setup ?? "", takesPictures: false)
    case "/latest.jpg":
      let picture = feed.item.flatMap { jpeg(of: $0) }
      return picture.map { HTTPResponse(type: "image/jpeg", $0) } ?? .refusal(503)
    case "/metrics":
      return ViewMetrics.answer(feed.item, viewers: viewers.count { $0.takesPictures })
    default: return .refusal(404)
    }
  }

  private func stream(
    _ type: String, _ beginning: String, takesPictures: Bool
  ) -> HTTPResponse {
    let stream = HTTPStream(Array(beginning.utf8)) { [feed] in feed.wake() }
    viewers.append(Viewer(stream: stream, takesPictures: takesPictures))
    return HTTPResponse(type: type, stream)
  }

  // MARK: Pictures and events

  /// Gives the newest picture and event to all who have taken what they got before.
  private func serve(_ now: Double) {
    let isSign = now - lastSign > Self.signSeconds
    if isSign {
      lastSign = now
      for viewer in viewers where !viewer.takesPictures && viewer.stream.isIdle {
        viewer.stream.send([Array(": here\n\n".utf8)])
      }
    }
    guard let item = feed.item else { return }
    for place in viewers.indices
    where viewers[place].lastNumber < item.number && viewers[place].stream.isIdle {
      if viewers[place].takesPictures {
        guard let jpeg = jpeg(of: item) else { continue }
        viewers[place].stream.send(Self.part(jpeg, frame: item.result.index))
      } else {
        viewers[place].stream.send([Self.event(item.line)])
      }
      viewers[place].lastNumber = item.number
    }
  }

  /// One picture, and the boundary that ends it: browsers show a part when they see its end.
  private static func part(_ jpeg: [UInt8], frame: Int) -> [[UInt8]] {
    let head =
      "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\nX-Frame: \(frame)\r\n\r\n"
    return [Array(head.utf8), jpeg, Array("\r\n--\(boundary)\r\n".utf8)]
  }

  /// One event with a line of JSON.
  private static func event(_ line: String, named name: String? = nil) -> [UInt8] {
    let name = name.map { "event: \($0)\n" } ?? ""
    // A line that breaks would end the event.
    let data = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    return Array("\(name)data: \(data)\n\n".utf8)
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
