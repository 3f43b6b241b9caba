// Fovea - fovea serve: finds objects for programs that ask over the network.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaHTTP
internal import FoveaLibc
internal import FoveaModelCommands
internal import FoveaServing

/// Finds objects for programs that ask over the network.
enum ServeCommand: Subcommand {
  static let description = CommandDescription(
    name: "serve", synopsis: "[OPTIONS] [[NAME=]MODEL ...]",
    summary: "Finds objects for programs that ask over the network.",
    options: [
      .init(
        name: "--listen", value: "[HOST:]PORT",
        help: "where to listen (default 127.0.0.1:\(defaultPort)); only this machine is let in"
          + " unless HOST is named"
      ),
      .init(name: "--token", value: "WORD", help: "who asks must know this word"),
      .init(
        name: "--zmq", value: "ENDPOINT",
        help: "also answer Frigate's detector zmq there, such as tcp://127.0.0.1:5555"),
      .init(
        name: "--queue", value: "N",
        help: "requests that may wait; more are refused with 503 (default: 4 for each thread)"),
      .init(
        name: "--rename", value: "KEY=TEXT",
        help: "tell clients of DeepStack and DOODS the label KEY as TEXT",
        isRepeatable: true),
      .function, .size, .matchAspect, .head, .boxes, .scores, .task, .backend, .weights, .calibrate,
      .quality, .floatShare, .int16Share, .threads,
    ] + DetectionOptions.thresholds + ArrayInputOptions.options + ImageOptions.options,
    operandCount: 0...64,
    notes: """
      Speaks the protocols of DeepStack and CodeProject.AI (/v1/vision/detection,
      /v1/vision/custom/NAME), of DOODS (/detectors, /detect) and of KServe V2 with Triton's binary
      tensors and configuration (/v2/models/NAME/infer). GET / lists the paths; /health and /metrics
      are for programs that watch over others.
      NAME is what clients call a model; without it, the name of the file. The first model is meant
      where a client names none, and a model called face finds faces for /v1/vision/face. Without a
      model it is the detector inside, codes-and-text. All options are for all models.
      With --zmq, Frigate may send its own ONNX file; it is forgotten when the service ends. Whoever
      reaches the endpoint is let in.
      Each thread answers a request by itself. POST /v2/repository/models/NAME/load opens a model
      again from its file; no request is lost.
      Ctrl-C ends the service behind the requests that it has.
      """)

  private static let defaultPort = 32168
  /// How long requests that are being answered may take after Ctrl-C, in seconds.
  private static let endingSeconds = 10

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let address = try ListeningOptions.address(arguments, "--listen", default: defaultPort)
    let token = try ListeningOptions.token(arguments)
    let renaming = try renaming(arguments)
    let sources = try ServedModels.sources(arguments)
    let threads =
      try arguments.integer("--threads", in: ThreadPool.threadCounts)
      ?? ThreadPool.defaultThreadCount
    let limit = try arguments.integer("--queue", in: 1...100_000) ?? 4 * threads
    let shelf = try ModelShelf(sources)
    guard let queue = WorkQueue(threads: threads, limit: limit) else {
      throw CommandFailure("the system gives no \(threads) threads; end other programs")
    }
    // A page of another site can reach a server of this machine under a name of its own.
    let access = ServiceAccess(token: token, at: address, underAnyName: !address.isLoopback)
    let service = DetectionService(
      shelf, queue, access, renaming: renaming, version: CoreVersion.text)
    let server: HTTPServer
    do throws(ServiceError) {
      server = try HTTPServer(at: address, refusal: DetectionService.refusal) { service.handle($0) }
    } catch {
      throw CommandFailure("--listen: \(error)")
    }
    let frigate = try frigate(arguments, shelf, queue)
    SystemInterface.writeError(
      "fovea serve: \(shelf.names.joined(separator: ", ")) at \(address.text(port: server.port))\n")
    ListeningOptions.warn("serve", address, token)
    let isOver = Locked(false)
    Interruption.listen(milliseconds: 1000 * endingSeconds + 2000) {
      isOver.withLock { $0 = true }
      isOver.wakeAll()
    }
    isOver.wait { $0 ? () : nil }
    server.stop(seconds: Double(endingSeconds))
    frigate?.close()
    queue.close()
    return Interruption.exitCode ?? 0
  }

  /// Answers Frigate's detector; `nil` without `--zmq`.
  private static func frigate(
    _ arguments: ArgumentList, _ shelf: ModelShelf, _ queue: WorkQueue
  ) throws -> FrigateService? {
    guard let endpoint = arguments.value("--zmq") else { return nil }
    let settings = try DetectionOptions(arguments)
    guard endpoint.hasPrefix("tcp://") || endpoint.hasPrefix("ipc://"), endpoint.utf8.count <= 256
    else {
      throw UsageError("--zmq is '\(endpoint)'; expected an endpoint such as tcp://127.0.0.1:5555")
    }
    do throws(ServiceError) {
      let service = try FrigateService(at: endpoint, shelf, queue) { line in
        SystemInterface.writeError("fovea serve: \(line)\n")
      } open: { bytes, name in
        try ServedModels.request(.bytes(bytes, name: name), settings, arguments)
      }
      SystemInterface.writeError("fovea serve: Frigate's detector zmq at \(endpoint)\n")
      return service
    } catch {
      throw CommandFailure("--zmq: \(error)")
    }
  }

  private static func renaming(_ arguments: ArgumentList) throws(UsageError) -> LabelRenaming {
    var names: [String: String] = [:]
    for text in arguments.values("--rename") {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("--rename is '\(text)'; expected KEY=TEXT, such as bus=car")
      }
      names[parts[0]] = parts[1]
    }
    return LabelRenaming(names)
  }
}
