// Fovea - a service that finds objects for clients of several protocols.
// SPDX-License-Identifier: Apache-2.0
package import FoveaHTTP
internal import FoveaLibc

/// A service that finds objects for clients of several protocols, at one port.
///
///     request --> access --> protocol --> queue --> model --> answer
///                   |            |          |
///                 401, 421      404        503
package final class DetectionService: Sendable {
  private let shelf: ModelShelf
  private let queue: WorkQueue
  private let access: ServiceAccess
  private let protocols: [any ServiceProtocol]
  private let metrics = ServiceMetrics()

  /// A service with some models.
  ///
  /// - Parameters:
  ///   - access: Whom it answers.
  ///   - renaming: Labels as clients know them.
  ///   - version: The version of the program, for clients that ask.
  package init(
    _ shelf: ModelShelf, _ queue: WorkQueue, _ access: ServiceAccess,
    renaming: LabelRenaming = LabelRenaming(), version: String
  ) {
    (self.shelf, self.queue, self.access) = (shelf, queue, access)
    protocols = [
      DeepStackProtocol(shelf: shelf, renaming: renaming),
      DoodsProtocol(shelf: shelf, renaming: renaming),
      KServeProtocol(shelf: shelf, version: version),
    ]
  }

  /// How requests are refused that are not understood, or too large. Programs for cameras read every
  /// answer as a JSON object.
  package static func refusal(_ status: Int) -> HTTPResponse {
    var response = HTTPResponse.refusal(status)
    let words = "\(status) \(HTTPResponse.reason(status))"
    response.type = "application/json"
    response.content = .bytes(Array("{\"success\":false,\"error\":\"\(words)\"}".utf8))
    return response
  }

  /// Answers a request, at once or from a thread of the queue.
  package func handle(_ exchange: HTTPExchange) {
    let start = MonotonicClock.seconds()
    let task = task(for: exchange.request)
    func finish(_ response: HTTPResponse) {
      exchange.answer(response)
      metrics.count(
        task?.route ?? "other", status: response.status,
        seconds: MonotonicClock.seconds() - start)
    }
    if let refusal = refusal(of: exchange.request, task) { return finish(refusal) }
    guard let task else { return finish(Self.refusal(404)) }
    guard task.isWork else { return finish(task.response()) }
    let isTaken = queue.add { [metrics] in
      // Nobody waits for the answer to a client that is gone.
      guard !exchange.isOver else { return }
      let response = task.response()
      exchange.answer(response)
      metrics.count(
        task.route, status: response.status, seconds: MonotonicClock.seconds() - start)
    }
    guard !isTaken else { return }
    var response = task.refusal(
      ServiceRefusal(503, "\(queue.limit) requests wait already; ask again, or ask less often"))
    response.headers.append(("Retry-After", "1"))
    finish(response)
  }

  /// The answer to a request, made by the caller's thread: nothing waits in the queue.
  package func answer(to request: HTTPRequest) -> HTTPResponse {
    let task = task(for: request)
    return refusal(of: request, task) ?? task?.response() ?? Self.refusal(404)
  }

  /// What a request asks for; `nil` for a path where nothing is.
  private func task(for request: HTTPRequest) -> ServiceTask? {
    var request = request
    // Addresses of clients may end in a slash, to which they add another.
    request.path = "/" + request.path.split(separator: "/").joined(separator: "/")
    let asked = request
    return protocols.lazy.compactMap { $0.task(for: asked) }.first ?? own(asked)
  }

  /// The answer to who is not let in; `nil` for others.
  private func refusal(of request: HTTPRequest, _ task: ServiceTask?) -> HTTPResponse? {
    // Whether somebody is there may be asked by anybody.
    let status = task?.route == Self.healthRoute ? 200 : access.status(of: request)
    guard status != 200 else { return nil }
    let refusal = ServiceRefusal(
      status,
      status == 401
        ? "the token is missing or wrong; send it as 'Authorization: Bearer TOKEN'"
        : "this machine is not known under the name that was asked for")
    var response = task?.refusal(refusal) ?? Self.refusal(status)
    if status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
    return response
  }

  // MARK: What belongs to no protocol

  private static let healthRoute = "/health"

  private func own(_ request: HTTPRequest) -> ServiceTask? {
    guard request.method == "GET" || request.method == "HEAD" else { return nil }
    let answer: @Sendable () -> HTTPResponse
    switch request.path {
    case "/": answer = { [shelf] in Self.contents(shelf) }
    case Self.healthRoute: answer = { .json("{\"status\":\"ok\"}") }
    case "/metrics":
      answer = { [metrics, queue, shelf] in metrics.response(queue, models: shelf.names.count) }
    default: return nil
    }
    return ServiceTask(route: request.path, isWork: false) {
      answer()
    } refusal: { refusal in
      .text(refusal.words, status: refusal.status)
    }
  }

  private static func contents(_ shelf: ModelShelf) -> HTTPResponse {
    .text(
      """
      Fovea finds objects in pictures.
      models: \(shelf.names.joined(separator: ", "))

      POST /v1/vision/detection             DeepStack, CodeProject.AI: a form with the part image
      POST /v1/vision/custom/MODEL          the same with a model by its name
      POST /v1/vision/custom/list           the models
      GET  /detectors, POST /detect         DOODS
      GET  /v2, /v2/models/MODEL            KServe V2, with Triton's configuration and binary tensors
      POST /v2/models/MODEL/infer           tensors, or a picture as BYTES
      GET  /health, /metrics                for programs that watch over others
      """)
  }
}
