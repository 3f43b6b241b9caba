// Fovea - weights that are learned, their moments and their moving average.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFoveaTrain
internal import FoveaRuntime

/// The trainer of a tape. One caller at a time.
final class TapeTrainer {
  private let tape: NetworkTape
  private let trainer: OpaquePointer
  private let pool: ThreadPool
  /// The numbers of a checkpoint, in each of its arrays.
  let parameterCount: Int

  /// Creates a trainer, with as many pictures at a time as the pool has threads.
  ///
  /// - Throws: `.outOfMemory`, `.unsuitableStart`.
  init(
    _ tape: NetworkTape, _ network: TrainableNetwork, pool: ThreadPool, maximumBoxes: Int
  ) throws(TrainingError) {
    (self.tape, self.pool) = (tape, pool)
    let threads = pool.threadCount
    var diagnostic = fov_diagnostic()
    var made: OpaquePointer?
    let status = LossHeads(network).withOptions { loss in
      var loss = loss
      loss.maximum_boxes = max(maximumBoxes, 1)
      var options = fov_trainer_options(loss: loss, threads: threads)
      return fov_trainer_create(tape.pointer, &options, pool.pointer, &made, &diagnostic)
    }
    guard status == .ok, let made else {
      guard status != .out_of_memory else {
        throw TrainingError(
          .outOfMemory,
          "no memory for \(threads) pictures at a time; use a smaller --size or fewer --threads")
      }
      throw TrainingError(.unsuitableStart, String(cString: fov_status_name(status)))
    }
    trainer = made
    parameterCount = fov_tape_parameter_count(tape.pointer)
  }

  deinit { fov_trainer_destroy(trainer) }

  /// All that the trainer allocates, in bytes.
  var byteCount: Int { fov_trainer_bytes(trainer) }

  /// The steps that were taken.
  var steps: Int {
    get { Int(fov_trainer_steps(trainer)) }
    set { fov_trainer_set_steps(trainer, UInt64(newValue)) }
  }

  /// One step over a batch.
  ///
  /// - Throws: `.diverged`.
  func step(
    _ views: [TrainingView], _ rates: fov_train_rates
  ) throws(TrainingError) -> fov_train_parts {
    var parts = fov_train_parts()
    var rates = rates
    let status = views.withPictures { pictures in
      fov_trainer_step(trainer, pictures.baseAddress!, pictures.count, &rates, &parts)
    }
    guard status == .ok else {
      throw TrainingError(
        .diverged,
        "after \(steps) steps the network computes no numbers any more; use a smaller --rate")
    }
    return parts
  }

  // MARK: Numbers

  /// One of the arrays of a checkpoint.
  func numbers(_ array: fov_trainer_array) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: fov_trainer_numbers(trainer, array), count: parameterCount)
  }

  /// The network with weights in the order of the arrays.
  func network(_ network: TrainableNetwork, with numbers: [Float]) -> TrainableNetwork {
    numbers.withUnsafeBufferPointer { numbers in
      numbers.baseAddress.map { tape.network(network, with: $0) } ?? network
    }
  }

  /// The network with the moving average of its weights.
  func averaged(_ network: TrainableNetwork) -> TrainableNetwork {
    tape.network(network, with: fov_trainer_numbers(trainer, .average))
  }
}

/// The heads of a network as a loss sees them.
private struct LossHeads {
  private var anchors: [fov_train_anchor_head] = []
  private var distances: [fov_train_distance_head] = []
  private let labels: Int

  init(_ network: TrainableNetwork) {
    labels = network.labels.count
    switch network.heads {
    case .anchors(let heads):
      for (output, head) in heads.enumerated() {
        var own = fov_train_anchor_head()
        own.output = output
        own.anchors = head.anchors.count
        own.is_squared = head.isSquared
        own.spread = head.spread
        withUnsafeMutableBytes(of: &own.widths) { bytes in
          let widths = bytes.bindMemory(to: Float.self)
          for (place, side) in head.anchors.prefix(9).enumerated() { widths[place] = side.width }
        }
        withUnsafeMutableBytes(of: &own.heights) { bytes in
          let heights = bytes.bindMemory(to: Float.self)
          for (place, side) in head.anchors.prefix(9).enumerated() { heights[place] = side.height }
        }
        anchors.append(own)
      }
    case .distances(let heads):
      for (place, head) in heads.enumerated() {
        distances.append(
          fov_train_distance_head(
            box_output: 2 * place, label_output: 2 * place + 1, bins: head.bins))
      }
    }
  }

  func withOptions(_ body: (fov_train_loss_options) -> fov_status) -> fov_status {
    var options = fov_train_loss_options_default()
    options.labels = labels
    return anchors.withUnsafeBufferPointer { anchors in
      distances.withUnsafeBufferPointer { distances in
        options.anchor_heads = anchors.isEmpty ? nil : anchors.baseAddress
        options.anchor_head_count = anchors.count
        options.distance_heads = distances.isEmpty ? nil : distances.baseAddress
        options.distance_head_count = distances.count
        if !distances.isEmpty { options.box_weight = 7.5 }
        return body(options)
      }
    }
  }
}

extension [TrainingView] {
  /// Lends the views as the core takes them.
  fileprivate func withPictures(
    _ body: (UnsafeBufferPointer<fov_train_picture>) -> fov_status
  ) -> fov_status {
    let bytes = flatMap(\.bytes)
    let boxes = flatMap(\.boxes)
    return bytes.withUnsafeBufferPointer { bytes in
      boxes.withUnsafeBufferPointer { boxes in
        var pictures: [fov_train_picture] = []
        var (firstByte, firstBox) = (0, 0)
        for view in self {
          pictures.append(
            fov_train_picture(
              bytes: bytes.baseAddress! + firstByte,
              boxes: boxes.baseAddress.map { $0 + firstBox }, box_count: view.boxes.count))
          firstByte += view.bytes.count
          firstBox += view.boxes.count
        }
        return pictures.withUnsafeBufferPointer(body)
      }
    }
  }
}
