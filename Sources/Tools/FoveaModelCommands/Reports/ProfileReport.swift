// Fovea - where the time of a model goes.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaInspection

/// Where the time of a model goes, layer by layer; the mean of several runs on noise.
struct ProfileReport: Encodable {
  var runs: Int
  var threads: Int
  /// Mean time of a run, and the parts of it. Parts are summed over threads.
  var total: Phases
  /// The time inside the matrix product as a share of all threads' time.
  var multiplicationShare: Double
  var layers: [Layer]

  /// Milliseconds.
  struct Phases: Encodable {
    var total = 0.0
    /// Inside the matrix product (sgemm).
    var multiplication = 0.0
    /// Gathering pixels for it (im2col).
    var gathering = 0.0
    /// Looking up coded weights.
    var lookup = 0.0
  }

  /// The time of one layer.
  struct Layer: Encodable {
    var index: Int
    var operation: String
    var label: String
    var milliseconds: Phases
    var multiplyAccumulates: Int
  }
}

extension ProfileReport {
  /// Runs the model once to warm up and `runs` times to measure.
  init(_ model: Model, runs: Int, threads: Int) throws {
    let session = try Session(model: model, pool: try ThreadPool(threadCount: threads))
    try Self.fillWithNoise(session)
    session.run()
    session.measuresTime = true
    var sums = Array(repeating: Phases(), count: model.nodes.count)
    for _ in 0..<runs {
      session.run()
      for (index, timing) in session.nodeTimings().enumerated() { sums[index].add(timing) }
    }
    self.runs = runs
    self.threads = threads
    layers = zip(model.nodes, sums).enumerated().map { index, entry in
      Layer(
        index: index, operation: entry.0.operation, label: entry.0.label,
        milliseconds: entry.1.scaled(by: 1 / Double(runs)),
        multiplyAccumulates: Int(clamping: entry.0.multiplyAccumulates))
    }
    total = layers.reduce(into: Phases()) { $0.add($1.milliseconds) }
    let available = total.total * Double(threads)
    multiplicationShare = available > 0 ? total.multiplication / available : 0
  }

  /// The same noise every time: a generator by Knuth, MMIX.
  private static func fillWithNoise(_ session: Session) throws {
    var state: UInt64 = 1
    for input in session.model.inputs {
      let count = input.shape.reduce(1, *)
      let bytes = (0..<count).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      let tensor =
        input.type == .uint8
        ? try Tensor(shape: input.shape, uint8s: bytes)
        : try Tensor(shape: input.shape, floats: bytes.map { Float($0) / 255 })
      try session.setInput(input.name, to: tensor)
    }
  }

  /// The profile for people.
  var text: String {
    var table = TextTable([
      .right("index"), .left("operation"), .left("label"), .right("ms"), .right("share"),
      .right("sgemm ms"), .right("gather ms"), .right("lookup ms"), .right("GMAC/s"),
    ])
    for layer in layers {
      let times = layer.milliseconds
      let speed = times.total > 0 ? Double(layer.multiplyAccumulates) / times.total / 1e6 : 0
      table.rows.append(
        ["\(layer.index)", layer.operation, layer.label, Self.text(times.total)]
          + [NumberText.percent(total.total > 0 ? times.total / total.total : 0)]
          + [times.multiplication, times.gathering, times.lookup].map { Self.text($0) }
          + [speed > 0 ? NumberText.fixed(speed, digits: 1) : ""])
    }
    return "profile, mean of \(runs) runs on \(threads) thread\(threads == 1 ? "" : "s"):\n"
      + table.text(indentation: 2)
      + "total: \(Self.text(total.total)) ms; inside sgemm \(Self.text(total.multiplication)) ms, "
      + "\(NumberText.percent(multiplicationShare)) of the threads' time; "
      + "gathering \(Self.text(total.gathering)) ms; lookup \(Self.text(total.lookup)) ms\n"
  }

  private static func text(_ milliseconds: Double) -> String {
    NumberText.fixed(milliseconds, digits: 3)
  }
}

extension ProfileReport.Phases {
  fileprivate mutating func add(_ timing: Session.NodeTiming) {
    total += Double(timing.total) / 1e6
    multiplication += Double(timing.multiplication) / 1e6
    gathering += Double(timing.gathering) / 1e6
    lookup += Double(timing.lookup) / 1e6
  }

  fileprivate mutating func add(_ other: Self) {
    total += other.total
    multiplication += other.multiplication
    gathering += other.gathering
    lookup += other.lookup
  }

  fileprivate func scaled(by factor: Double) -> Self {
    Self(
      total: total * factor, multiplication: multiplication * factor,
      gathering: gathering * factor, lookup: lookup * factor)
  }
}
