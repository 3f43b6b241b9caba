// Fovea - the files of a model's variants.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaLibc
internal import FoveaQuantization

/// A form of weights with a backend, and what was measured of it.
struct VariantRow {
  /// The form of the weights.
  var weights: String
  /// The backend, for people: "int8 calibrated" and "int8 mixed" for compiled files.
  var backend: String
  /// The file that is loaded.
  var path: String
  /// How it is loaded.
  var choice: Backend
  var fileBytes: Int
  var metrics: CocoSummary?
  /// Milliseconds of the network.
  var samples: [Double] = []
  /// What loading, a session and runs add to a process; `nil` where the system does not say.
  var residentMebibytes: Double?

  /// - Throws: `CommandFailure`.
  func load() throws(CommandFailure) -> Model {
    do throws(FoveaError) {
      return try Model(contentsOf: path, options: .init(backend: BackendOptions(choice)))
    } catch {
      throw CommandFailure(error, file: path)
    }
  }
}

/// Makes the files of a model's variants.
struct VariantFiles {
  var model: String
  var forms: [WeightVariant]
  var backends: [Backend]
  var images: LabeledImages
  var folder: String

  /// The parts of the multiplications that "int8 mixed" may compute in floats and in integers of 16 bits: what keeps
  /// the precision of small detectors.
  private static let mixedShares = (float: 0.05, int16: 0.95)

  /// Every form with every backend, in the order of the lists; `int8` without calibration, with it, and mixed.
  ///
  /// - Throws: `CommandFailure`.
  func rows(_ progress: ProgressLine) throws -> [VariantRow] {
    do {
      let bytes = try ModelFile.read(model)
      var calibrator: QuantizationCalibrator?
      if forms.contains(where: { $0 != .float32 && $0 != .float16 }) {
        let measured = try QuantizationCalibrator(bytes: bytes, pool: ThreadPool())
        try images.forEachOfCalibration(progress, "weights") { try measured.add($0) }
        calibrator = measured
      }
      return try forms.flatMap { form in
        progress.show("making \(form.rawValue)")
        let path = "\(folder)/\(form.rawValue).mlmodel"
        let content = try form.make(bytes, calibrator)
        try ModelFile.replace(path, with: content)
        return try rows(of: form, path, fileBytes: content.count, progress)
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(error, file: model)
    }
  }

  private func rows(
    of form: WeightVariant, _ path: String, fileBytes: Int, _ progress: ProgressLine
  ) throws -> [VariantRow] {
    try backends.flatMap { backend in
      var rows = [
        VariantRow(
          weights: form.rawValue, backend: backend.rawValue, path: path, choice: backend,
          fileBytes: fileBytes)
      ]
      guard backend == .int8 else { return rows }
      let calibrator = try ActivationCalibrator(contentsOf: path, pool: ThreadPool())
      try images.forEachOfCalibration(progress, "\(form.rawValue), activations") {
        try calibrator.add($0)
      }
      rows.append(
        try compiled(form, "int8 calibrated", path, .int8(calibration: calibrator.ranges)))
      progress.show("\(form.rawValue), looking for layers that lose most")
      let chosen = LayerSensitivity.selection(
        of: try calibrator.sensitivities(), floatShare: Self.mixedShares.float,
        int16Share: Self.mixedShares.int16)
      rows.append(
        try compiled(
          form, "int8 mixed", path,
          .int8(calibration: calibrator.ranges, computing: chosen, floatSums: true)))
      return rows
    }
  }

  /// A row of a file that is compiled for it: `float32-int8-mixed.fovea`.
  private func compiled(
    _ form: WeightVariant, _ backend: String, _ model: String, _ options: BackendOptions
  ) throws -> VariantRow {
    let name = backend.map { $0 == " " ? "-" : String($0) }.joined()
    let path = "\(folder)/\(form.rawValue)-\(name).fovea"
    let count = try Model.compile(contentsOf: model, to: path, options: .init(backend: options))
    return VariantRow(
      weights: form.rawValue, backend: backend, path: path, choice: .auto, fileBytes: count)
  }
}

/// A folder for files that are made on the way.
struct WorkFolder {
  let path: String
  private let isKept: Bool

  /// The folder that is named, made where it is missing; a new one without a name, which is removed
  /// again.
  ///
  /// - Throws: `CommandFailure`.
  init(_ name: String?) throws(CommandFailure) {
    isKept = name != nil
    if let name {
      guard mkdir(name, 0o777) == 0 || errno == EEXIST else {
        throw CommandFailure("\(name): cannot be made: \(String(cString: strerror(errno)))")
      }
      path = name
    } else {
      let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      // mkdtemp puts letters in the place of these.
      let places = String(repeating: "X", count: 6)
      var template = Array("\(parent)/fovea-bench-\(places)".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw CommandFailure(
          "\(parent): no folder can be made: \(String(cString: strerror(errno)))")
      }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Removes the folder with its files unless it was named.
  func remove() {
    guard !isKept else { return }
    for name in SystemInterface.fileNames(in: path) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
