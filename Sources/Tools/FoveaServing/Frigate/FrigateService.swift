// Fovea - objects for Frigate, over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
package import FoveaHTTP
internal import FoveaLibc
internal import FoveaRuntime
package import FoveaVision

/// Objects for Frigate's detector of the type `zmq`.
///
/// A client first asks whether a model is here, by the name of its file, and sends the file where it is
/// not. Then it sends one picture after the other, and waits 0.2 s for each answer: 20 rows of class,
/// score, top, left, bottom and right as 32-bit floats, the best first, in fractions of the picture.
///
/// An old file is never used for a new one of the same name: files live as long as the service, and
/// names alone tell them apart.
package final class FrigateService: Sendable {
  /// Opens the file of a model that a client sends.
  package typealias Opening =
    @Sendable (_ bytes: [UInt8], _ name: String) throws -> DetectObjectsRequest

  private let shelf: ModelShelf
  private let queue: WorkQueue
  private let open: Opening
  private let state = Locked(State())
  /// One file is opened at a time.
  private let openings = Locked(())
  private let report: @Sendable (String) -> Void

  private struct State {
    /// Models that clients have sent, by the names of their files; the oldest first.
    var sent: [(name: String, request: DetectObjectsRequest)] = []
    /// What each client has asked for last, the oldest first.
    var models: [(client: [UInt8], name: String)] = []
    var replies: [SocketBroker.Message] = []
    /// Messages that are being answered.
    var open = 0
    var isClosed = false
    var hasEnded = false
  }

  /// Rows of an answer, and numbers of a row.
  private static let (rows, columns) = (20, 6)
  private static let leastConfidence: Float = 0.4
  private static let (mostModels, mostClients) = (8, 256)
  /// Of threads that open files: as much as the first thread of a process has.
  private static let stackBytes = 8 << 20

  /// Binds an endpoint, such as `tcp://127.0.0.1:5555` or `ipc:///tmp/cache/zmq_detector`, and starts a
  /// thread.
  ///
  /// - Parameter report: Takes a line for people: a model that cannot be opened, or why the service ends.
  /// - Throws: `ServiceError`.
  package init(
    at endpoint: String, _ shelf: ModelShelf, _ queue: WorkQueue,
    report: @escaping @Sendable (String) -> Void, open: @escaping Opening
  ) throws(ServiceError) {
    (self.shelf, self.queue, self.open, self.report) = (shelf, queue, open, report)
    let broker = SocketBroker(endpoint)
    _ = try broker.exchange([], seconds: 0)
    let isStarted = startThread(stackBytes: 1 << 20) { [weak self, state] in
      while let self, self.step(broker) {}
      state.withLock { $0.hasEnded = true }
      state.wakeAll()
    }
    guard isStarted else { throw .outOfResources }
  }

  /// Takes no more messages. Waits a little for those that are being answered.
  package func close() {
    state.withLock { $0.isClosed = true }
    _ = state.wait(seconds: 2) { $0.hasEnded ? () : nil }
  }

  /// Sends what is ready and takes what has come; `false` at the end.
  private func step(_ broker: SocketBroker) -> Bool {
    let (replies, isBusy, isClosed) = state.withLock { state in
      defer { state.replies = [] }
      return (state.replies, state.open > 0, state.isClosed)
    }
    do throws(ServiceError) {
      // Whoever waits for an answer gets it a millisecond later at most.
      for message in try broker.exchange(replies, seconds: isBusy ? 0.001 : 0.1) { take(message) }
    } catch {
      report("\(error)")
      return false
    }
    return !isClosed
  }

  // MARK: Messages

  private func take(_ message: SocketBroker.Message) {
    // The identity of the client, then an empty frame, then what it sends.
    guard let end = message.firstIndex(where: \.isEmpty), end > 0, message.count > end + 1,
      let request = FrigateRequest(message[end + 1])
    else { return }
    let envelope = Array(message[...end])
    let client = message[0]
    let bytes = message.count > end + 2 ? message[end + 2] : []
    switch request {
    case .asksForModel(let name):
      let isHere = detector(named: name) != nil
      if isHere { remember(client, name) }
      reply(envelope, [Self.json("model_available", isHere, isHere)])
    case .model(let name):
      // Not through the queue, which may be full: a client that is refused never asks again.
      begin()
      let isStarted = startThread(stackBytes: Self.stackBytes) { [self] in
        let isOpened = openings.withLock { _ in take(bytes, name) }
        if isOpened { remember(client, name) }
        finish(envelope, [Self.json("model_saved", true, isOpened)])
      }
      if !isStarted { finish(envelope, [Self.json("model_saved", false, false)]) }
    case .tensor(let shape, let type):
      begin()
      let isTaken = queue.add { [self] in
        finish(envelope, [answer(FrigatePicture(shape: shape, type: type, bytes: bytes), client)])
      }
      if !isTaken { finish(envelope, [Self.rows([])]) }
    }
  }

  private func begin() { state.withLock { $0.open += 1 } }

  private func finish(_ envelope: SocketBroker.Message, _ frames: SocketBroker.Message) {
    state.withLock { state in
      state.open -= 1
      state.replies.append(envelope + frames)
    }
  }

  private func reply(_ envelope: SocketBroker.Message, _ frames: SocketBroker.Message) {
    state.withLock { $0.replies.append(envelope + frames) }
  }

  private static func json(_ key: String, _ value: Bool, _ isLoaded: Bool) -> [UInt8] {
    Array("{\"\(key)\": \(value), \"model_loaded\": \(isLoaded)}".utf8)
  }

  // MARK: Models

  /// Opens the file that a client sent.
  private func take(_ bytes: [UInt8], _ name: String) -> Bool {
    do {
      let request = try open(bytes, name)
      _ = try request.resolvedSettings()
      state.withLock { state in
        state.sent.removeAll { $0.name == name }
        state.sent.append((name, request))
        if state.sent.count > Self.mostModels { state.sent.removeFirst() }
      }
      return true
    } catch {
      report("\(name), which a client sent: \(error)")
      return false
    }
  }

  /// The detector that a client means by the name of a file.
  private func detector(named name: String) -> DetectObjectsRequest? {
    state.withLock { state in state.sent.last { $0.name == name }?.request }
      ?? (try? shelf.model(name))?.request
  }

  private func remember(_ client: [UInt8], _ name: String) {
    state.withLock { state in
      state.models.removeAll { $0.client == client }
      state.models.append((client, name))
      if state.models.count > Self.mostClients { state.models.removeFirst() }
    }
  }

  // MARK: Objects

  private func answer(_ picture: FrigatePicture?, _ client: [UInt8]) -> [UInt8] {
    let name = state.withLock { state in state.models.last { $0.client == client }?.name }
    let known = name.flatMap { detector(named: $0) } ?? (try? shelf.model())?.request
    guard let picture, var request = known else { return Self.rows([]) }
    request.minimumConfidence = Self.leastConfidence
    request.maximumObservations = Self.rows
    request.cropAndScaleAction = .scaleToFill
    let layout = PixelLayout(
      format: .rgb, width: picture.size.width, height: picture.size.height,
      rowBytes: 3 * picture.size.width)
    do throws(DetectionError) {
      return Self.rows(try request.perform(onPixels: picture.pixels.span.bytes, layout: layout))
    } catch {
      report("a picture of Frigate: \(error)")
      return Self.rows([])
    }
  }

  /// The bytes of an answer.
  private static func rows(_ objects: [RecognizedObjectObservation]) -> [UInt8] {
    var numbers = [Float](repeating: 0, count: rows * columns)
    for (row, object) in objects.prefix(rows).enumerated() {
      let box = object.boundingBox.verticallyFlipped()
      func inside(_ place: Double) -> Float { Float(min(max(place, 0), 1)) }
      let values = [
        Float(object.bestLabel?.classIndex ?? 0), object.topConfidence, inside(box.y),
        inside(box.x), inside(box.y + box.height), inside(box.x + box.width),
      ]
      numbers.replaceSubrange(row * columns..<(row + 1) * columns, with: values)
    }
    return numbers.flatMap { number in
      withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }
  }
}
