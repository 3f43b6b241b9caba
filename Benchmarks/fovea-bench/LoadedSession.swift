// Fovea - a session with its inputs filled, ready to be timed.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc

/// A session with its inputs filled, ready to be timed.
struct LoadedSession {
  let session: Session
  let backend: Backend
  let threads: Int

  /// Loads a model and fills its inputs: images from `image`, everything else with noise.
  ///
  /// - Throws: `CommandFailure`.
  init(
    model path: String, backend: Backend, kernels: KernelChoice, threads: Int,
    image: String? = nil
  ) throws(CommandFailure) {
    do {
      let model = try Model(contentsOf: path, options: kernels.modelOptions(backend))
      try self.init(model, backend: backend, threads: threads, image: image)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// A session of a model that is already loaded.
  init(_ model: Model, backend: Backend, threads: Int, image: String? = nil) throws {
    session = try Session(
      model: model, pool: threads > 1 ? try ThreadPool(threadCount: threads) : nil)
    self.backend = backend
    self.threads = threads
    try fillWithNoise()
    if let image { try fill(from: image) }
  }

  /// Runs once.
  func run() -> RunTime { RunTime.measure { session.run() } }

  private func fill(from path: String) throws {
    let image: Image
    do throws(ImageError) {
      image = try Image(contentsOf: path)
    } catch {
      throw CommandFailure(error, file: path)
    }
    for input in session.model.inputs where input.image != nil {
      try session.fill(input, from: image)
    }
  }

  /// The same noise every time.
  private func fillWithNoise() throws {
    var noise = NoiseGenerator()
    for input in session.model.inputs {
      let bytes = (0..<input.count).map { _ in noise.byte() }
      let tensor =
        input.type == .uint8
        ? try Tensor(shape: input.shape, uint8s: bytes)
        : try Tensor(shape: input.shape, floats: bytes.map { Float($0) / 255 })
      try session.setInput(input.name, to: tensor)
    }
  }
}

/// The time of a run in milliseconds.
struct RunTime {
  /// By the clock on the wall.
  var elapsed: Double
  /// Of all threads: with one thread, what the time would be if nobody else wanted the core.
  var processor: Double

  /// The time of `body`.
  static func measure(_ body: () throws -> Void) rethrows -> RunTime {
    let (start, processorStart) = (ContinuousClock.now, processorMilliseconds())
    try body()
    return RunTime(
      elapsed: (ContinuousClock.now - start).milliseconds,
      processor: processorMilliseconds() - processorStart)
  }

  /// Processor time of all threads of this process.
  private static func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

/// Noise that is the same every time: a linear congruential generator (Knuth, MMIX).
struct NoiseGenerator {
  private var state: UInt64 = 1

  /// The next eight bits.
  mutating func byte() -> UInt8 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }

  /// A sum of twelve bytes with mean 0 and deviation 1, nearly normal: the same bits everywhere,
  /// since no function of a C library is in it.
  mutating func normal() -> Float {
    let sum = (0..<12).reduce(0) { sum, _ in sum + Int(byte()) }
    return Float(sum - 12 * 255 / 2) / 256
  }
}
