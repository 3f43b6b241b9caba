// Fovea - what a protocol of detection services is.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP

/// A protocol of detection services: paths, and what is answered there.
protocol ServiceProtocol: Sendable {
  /// What a request asks for; `nil` for a path of another protocol.
  func task(for request: HTTPRequest) -> ServiceTask?
}

/// What a request asks for.
struct ServiceTask: Sendable {
  /// What the numbers of the service call it.
  var route: String
  /// Whether it waits for a thread: what looks at pictures or runs a model.
  var isWork: Bool
  /// Makes the answer.
  var answer: @Sendable () throws(ServiceRefusal) -> HTTPResponse
  /// How the protocol tells a refusal.
  var refusal: @Sendable (ServiceRefusal) -> HTTPResponse

  /// The answer, or the refusal.
  func response() -> HTTPResponse {
    do throws(ServiceRefusal) { return try answer() } catch { return refusal(error) }
  }
}
