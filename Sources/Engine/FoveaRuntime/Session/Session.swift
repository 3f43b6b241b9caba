// Fovea - running a model.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore

/// The memory of one run of a model. It allocates when it is created and never again.
///
/// Only one thread may use a session at a time: make one for each thread. A session keeps its model
/// and its pool alive.
public final class Session {
  /// The model.
  public let model: Model
  private let pool: ThreadPool?
  /// The core's session; borrowed, valid while this object lives.
  package let handle: OpaquePointer
  private let inputIndices: [String: Int]
  private let outputIndices: [String: Int]

  /// Whether every operation is timed; see `nodeTimings()` of `FoveaInspection`. Costs two readings of the clock per
  /// operation.
  public var measuresTime = false {
    didSet { fov_session_set_timing(handle, measuresTime) }
  }

  /// For callers who look only at boxes with a score of at least this: where the network's decoding
  /// is known to the core, rows of boxes whose objectness is below may be zeros. Rows with a score
  /// of at least the floor are complete and the same as without. 0, the default: all are computed.
  package var confidenceFloor: Float = 0 {
    didSet { fov_session_set_confidence_floor(handle, confidenceFloor) }
  }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - model: The model to run.
  ///   - pool: The threads that share the work; `nil` for the calling thread alone.
  /// - Throws: `outOfMemory` when the system does not give the bytes that the core asks for.
  public init(model: Model, pool: ThreadPool? = nil) throws(FoveaError) {
    inputIndices = try model.core.inputIndices()
    outputIndices = try model.core.outputIndices()
    var session: OpaquePointer?
    try FoveaError.check(
      fov_session_create(model.core.pointer, pool?.pointer, &session),
      "a session of \(model.name) needs \(model.sessionByteCount) bytes")
    guard let session else { throw FoveaError(.outOfMemory, "no session was made") }
    handle = session
    self.model = model
    self.pool = pool
  }

  deinit { fov_session_destroy(handle) }

  /// Runs the model once on the current inputs.
  public func run() { fov_session_run(handle) }

  // MARK: Ports

  /// The input of a name.
  func inputPort(_ name: String) throws(FoveaError) -> Model.Port {
    try Self.port(name, among: model.inputs, kind: "input")
  }

  /// The output of a name.
  func outputPort(_ name: String) throws(FoveaError) -> Model.Port {
    try Self.port(name, among: model.outputs, kind: "output")
  }

  private static func port(
    _ name: String, among ports: [Model.Port], kind: String
  ) throws(FoveaError) -> Model.Port {
    if let port = ports.first(where: { $0.name == name }) { return port }
    let list = ports.map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw FoveaError(
      .invalidArgument, "there is no \(kind) \"\(name)\"; the model's \(kind)s are \(list)")
  }

  /// The bytes of an input, valid while the session lives: row-major, in the port's type and shape.
  package func inputBytes(_ name: String) throws(FoveaError) -> UnsafeMutableRawBufferPointer {
    guard let index = inputIndices[name] else { throw Self.unknown(name) }
    var data: UnsafeMutableRawPointer?
    var count = 0
    try FoveaError.check(fov_session_input(handle, index, &data, &count), "input \"\(name)\"")
    return UnsafeMutableRawBufferPointer(start: data, count: count)
  }

  /// The bytes of an output, valid while the session lives.
  func outputBytes(_ name: String) throws(FoveaError) -> UnsafeRawBufferPointer {
    guard let index = outputIndices[name] else { throw Self.unknown(name) }
    var data: UnsafeRawPointer?
    var count = 0
    try FoveaError.check(fov_session_output(handle, index, &data, &count), "output \"\(name)\"")
    return UnsafeRawBufferPointer(start: data, count: count)
  }

  private static func unknown(_ name: String) -> FoveaError {
    FoveaError(.invalidArgument, "the core has no port \"\(name)\"")
  }
}
