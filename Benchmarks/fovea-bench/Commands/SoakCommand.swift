// Fovea - fovea-bench soak: long runs whose memory must stay flat.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Runs one session for thousands of frames, then loads, runs and frees models for thousands of cycles.
enum SoakCommand: Subcommand {
  static let description = CommandDescription(
    name: "soak", synopsis: "MODEL... [OPTIONS]",
    summary: "Runs for thousands of frames and loads; memory and descriptors must stay flat.",
    options: [
      .init(name: "--backend", value: "NAME", help: "backend (default auto)"), .threads,
      .init(name: "--frames", value: "N", help: "frames on one session (default 20000)"),
      .init(name: "--images", value: "N", help: "images through requests (default 2000)"),
      .init(name: "--cycles", value: "N", help: "times to load, run and free (default 2000)"),
      .init(name: "--allowed", value: "MIB", help: "growth that is no failure (default 1)"),
    ] + BenchReport.options,
    operandCount: 1...64,
    notes: """
      Frames run the first model. Images are of ten sizes and formats, one in three broken, and go to
      all models in turn; so do cycles, of which one in three meets a model file cut off or changed.
      Growth is that of VmRSS of /proc/self/status after the first twentieth of a part. Exits 1 when
      a part has grown by more than is allowed, or has left descriptors open.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let backends = try BackendName.list(arguments.value("--backend") ?? "auto")
    guard backends.count == 1 else { throw UsageError("--backend takes one name here") }
    let threads = try arguments.threadCount()
    let counts = try ["--frames", "--images", "--cycles"].map { name in
      try arguments.integer(name, in: 20...100_000_000) ?? (name == "--frames" ? 20_000 : 2000)
    }
    let allowed = try arguments.integer("--allowed", in: 0...1024) ?? 1
    let soak = try Soak(models: arguments.operands, backend: backends[0], threads: threads)
    var parts = [Part(name: "frames", gauge: try soak.frames(counts[0]))]
    parts.append(Part(name: "images", gauge: try soak.images(counts[1])))
    parts.append(Part(name: "cycles", gauge: try soak.cycles(counts[2])))
    let heading =
      "\(arguments.operands.joined(separator: ", ")): \(backends[0].rawValue), \(threadText(threads))"
    try BenchReport(heading: heading, tables: [table(parts)]).publish(arguments)
    return parts.contains { $0.isBroken(allowing: Double(allowed)) } ? 1 : 0
  }

  private struct Part {
    var name: String
    var gauge: SoakGauge

    func isBroken(allowing growth: Double) -> Bool {
      (gauge.growth ?? 0) > growth || (gauge.leakedDescriptors ?? 0) > 0
    }
  }

  private static func table(_ parts: [Part]) -> ResultTable {
    var table = ResultTable(
      "soak",
      [
        .init("part"), .init("turns"), .init("settled_mib", "settled MiB"),
        .init("last_mib", "at the end"), .init("peak_mib", "most"), .init("growth_mib", "growth"),
        .init("descriptors"), .init("left_open", "left open"),
      ])
    for part in parts {
      let gauge = part.gauge
      let mebibytes = [
        gauge.settled?.resident, gauge.last?.resident, gauge.settled.map { _ in gauge.peak },
        gauge.growth,
      ]
      table.rows.append(
        [.text(part.name), .count(gauge.turns)]
          + mebibytes.map { $0.map { .number($0, digits: 2) } ?? .none }
          + [gauge.last?.descriptors, gauge.leakedDescriptors].map {
            $0.map { .count($0) } ?? .none
          })
    }
    return table
  }
}

/// The three parts of a long run.
private struct Soak {
  let models: [String]
  let backend: Backend
  let pool: ThreadPool?
  let progress = ProgressLine()

  init(models: [String], backend: Backend, threads: Int) throws {
    (self.models, self.backend) = (models, backend)
    pool = threads > 1 ? try ThreadPool(threadCount: threads) : nil
  }

  private func load(_ path: String) throws(CommandFailure) -> Model {
    do throws(FoveaError) {
      return try Model(contentsOf: path, options: .init(backend: BackendOptions(backend)))
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// One session, frame after frame.
  func frames(_ count: Int) throws -> SoakGauge {
    let session = try LoadedSession(
      try load(models[0]), backend: backend, threads: pool?.threadCount ?? 1)
    return try turns("frame", count) { _ in _ = session.run() }
  }

  /// Requests on sound and broken images, model after model.
  func images(_ count: Int) throws -> SoakGauge {
    let files = try SoakImages()
    let requests = try models.map { try DetectObjectsRequest(model: try load($0), pool: pool) }
    return try turns("image", count) { turn in
      let (round, choice) = (turn / 3).quotientAndRemainder(dividingBy: models.count)
      guard turn % 3 == 2 else {
        let file = try ImageFile(bytes: files.sound[turn % files.sound.count])
        _ = try requests[choice].perform(on: file)
        return
      }
      let broken = try? ImageFile(bytes: files.broken[round % files.broken.count])
      if let broken { _ = try? requests[choice].perform(on: broken) }
    }
  }

  /// Models loaded, run and freed; bytes cut off, or changed in places, are refused or do whatever they say.
  func cycles(_ count: Int) throws -> SoakGauge {
    let contents = try models.map { path in
      do throws(FoveaError) {
        return try ModelFile.read(path)
      } catch {
        throw CommandFailure(error, file: path)
      }
    }
    return try turns("cycle", count) { turn in
      let (round, choice) = (turn / 3).quotientAndRemainder(dividingBy: models.count)
      guard turn % 3 == 2 else {
        try Session(model: try load(models[choice]), pool: pool).run()
        return
      }
      var bytes = contents[choice]
      if round % 2 == 0 {
        bytes.removeLast(turn &* 7919 % bytes.count)
      } else {
        bytes[turn &* 7919 % min(4096, bytes.count)] ^= UInt8(truncatingIfNeeded: turn | 1)
      }
      let options = Model.Options(
        backend: BackendOptions(backend), maximumSessionBytes: 1 << 28)
      _ = try? Model(bytes: bytes, name: "damaged", options: options)
    }
  }

  private func turns(
    _ name: String, _ count: Int, _ body: (Int) throws -> Void
  ) throws -> SoakGauge {
    var gauge = SoakGauge(turns: count)
    for turn in 1...count {
      try body(turn)
      gauge.look(after: turn)
      if turn % 16 == 0 { progress.show("\(name) \(turn) of \(count)") }
    }
    progress.clear()
    return gauge
  }
}
