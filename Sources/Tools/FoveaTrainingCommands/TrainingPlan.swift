// Fovea - what a run is to do, and the file that remembers it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaJSON
internal import FoveaRuntime
internal import FoveaTraining

/// What a run is to do.
struct TrainingPlan: Sendable {
  var pictures = ""
  /// `nil` where they lie beside the pictures.
  var annotations: String?
  var validation: String?
  var validationAnnotations: String?
  var start = ""
  /// The detector that labels the pictures; `nil` where people did.
  var teacher: TeacherPlan?
  /// What is pasted into pictures; `nil` where pictures are labeled.
  var starters: StarterPlan?
  var output = ""
  var options: TrainingOptions
  var makesHalf = false
  var makesInt8 = false
  /// Whether a run that was stopped goes on.
  var isResumed = false

  /// The output without its ending.
  private var stem: String {
    var name = output
    for ending in [".mlmodel", ".mlpackage"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    return name
  }

  /// The folder of the run.
  var folder: String { stem + "-run" }
  /// The page about the run.
  var report: String { stem + "-report.html" }

  /// The files that the run writes, that with floats first.
  var writtenModels: [WrittenModel] {
    let ending = output.dropFirst(stem.count)
    return [WrittenModel(name: "float", path: output)]
      + [("half", makesHalf), ("int8", makesInt8)].filter(\.1).map { word, _ in
        WrittenModel(name: word, path: "\(stem)-\(word)\(ending)")
      }
  }

  var checkpoint: String { folder + "/last.fovt" }
  var resumption: String { "fovea \(teacher == nil ? "train" : "distill") --resume \(folder)" }

  /// The command that goes on where a run has ended.
  func longer(than result: TrainingResult) -> String {
    switch options.length {
    case .minutes(let minutes): "\(resumption) --minutes \(Int((minutes + 20).rounded()))"
    case .steps: "\(resumption) --steps \(2 * result.steps)"
    }
  }

  /// Reads the arguments, or those of a run that goes on.
  ///
  /// - Parameter hasTeacher: Whether a detector labels the pictures.
  /// - Throws: `UsageError`, `CommandFailure`.
  init(_ arguments: ArgumentList, hasTeacher: Bool = false) throws {
    options = TrainingOptions(threads: ThreadPool.defaultThreadCount)
    if let folder = arguments.value("--resume") {
      try read(folder)
      isResumed = true
      try takeLength(arguments)
      return
    }
    try hasTeacher ? takeTeacher(arguments) : takePictures(arguments)
    output = try arguments.required("-o", "name the model to write, such as Mine.mlmodel")
    guard output.hasSuffix(".mlmodel") || output.hasSuffix(".mlpackage") else {
      throw UsageError("-o is '\(output)'; expected a name that ends in .mlmodel or .mlpackage")
    }
    validation = arguments.value("--validation")
    validationAnnotations = arguments.value("--validation-annotations")
    guard validation != nil || validationAnnotations == nil else {
      throw UsageError("--validation-annotations is for --validation, which names the pictures")
    }
    makesHalf = arguments.has("--half")
    makesInt8 = arguments.has("--int8")
    try takeOptions(arguments)
    try takeLength(arguments)
  }

  private mutating func takePictures(_ arguments: ArgumentList) throws {
    starters = try StarterPlan(arguments)
    if starters == nil {
      guard let pictures = arguments.operands.first else {
        throw UsageError("no PICTURES are named; name the folder of the pictures, or --starters")
      }
      self.pictures = pictures
      annotations = arguments.value("--annotations")
    }
    start = try StartModel.path(arguments.value("--start-from"))
  }

  private mutating func takeTeacher(_ arguments: ArgumentList) throws {
    teacher = try TeacherPlan(arguments, threads: options.threads)
    pictures = try arguments.required("--images", "name the folder of the pictures")
    start = try StartModel.path(
      arguments.value("--student"), option: "--student", names: StartModel.students)
  }

  private mutating func takeOptions(_ arguments: ArgumentList) throws {
    if let seed = try arguments.integer("--seed", in: 0...Int.max) { options.seed = UInt64(seed) }
    options.size = try arguments.integer("--size", in: 32...4096)
    options.batch = try arguments.integer("--batch", in: 1...4096)
    if let threads = try arguments.integer("--threads", in: ThreadPool.threadCounts) {
      options.threads = threads
      teacher?.options.threads = threads
    }
    if let rate = try arguments.fraction("--rate") { options.rate = rate }
    options.mirrors = !arguments.has("--no-mirror")
    options.isFromAbove = arguments.has("--from-above")
    for entry in arguments.values("--metadata") {
      guard let place = entry.firstIndex(of: "="), place > entry.startIndex else {
        throw UsageError("--metadata is '\(entry)'; expected KEY=TEXT, such as author=Me")
      }
      options.metadata[String(entry[..<place])] = String(entry[entry.index(after: place)...])
    }
  }

  private mutating func takeLength(_ arguments: ArgumentList) throws {
    if arguments.has("--minutes"), arguments.has("--steps") {
      throw UsageError("--minutes and --steps exclude each other")
    }
    if let steps = try arguments.integer("--steps", in: 1...1_000_000_000) {
      options.length = .steps(steps)
    }
    guard let text = arguments.value("--minutes") else { return }
    guard let minutes = Double(text), minutes > 0, minutes <= 100_000 else {
      throw UsageError("--minutes is '\(text)'; expected a number above 0")
    }
    options.length = .minutes(minutes)
  }

  // MARK: The file

  private static let fileName = "arguments.json"

  /// Makes the folder of the run and writes the plan there.
  func write() throws(CommandFailure) {
    try SystemInterface.makeFolder(folder)
    var entries = [
      "pictures": pictures, "start": start, "output": output,
      "seed": "\(options.seed)", "threads": "\(options.threads)", "rate": "\(options.rate)",
      "mirrors": "\(options.mirrors)", "fromAbove": "\(options.isFromAbove)",
      "half": "\(makesHalf)", "int8": "\(makesInt8)",
    ]
    entries.merge(teacher?.entries ?? starters?.entries ?? [:]) { own, _ in own }
    entries["annotations"] = annotations
    entries["validation"] = validation
    entries["validationAnnotations"] = validationAnnotations
    entries["size"] = options.size.map { "\($0)" }
    entries["batch"] = options.batch.map { "\($0)" }
    switch options.length {
    case .minutes(let minutes): entries["minutes"] = "\(minutes)"
    case .steps(let steps): entries["steps"] = "\(steps)"
    }
    for (key, value) in options.metadata { entries["metadata." + key] = value }
    try SystemInterface.writeFile(JSONOutput.text(entries), to: folder + "/" + Self.fileName)
  }

  private mutating func read(_ folder: String) throws(CommandFailure) {
    let path = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/" + Self.fileName
    let entries = try Self.entries(path)
    guard let output = entries["output"], let pictures = entries["pictures"],
      let start = entries["start"]
    else { throw CommandFailure("\(path): is not the plan of a training run") }
    (self.output, self.pictures, self.start) = (output, pictures, start)
    annotations = entries["annotations"]
    validation = entries["validation"]
    validationAnnotations = entries["validationAnnotations"]
    options.seed = entries["seed"].flatMap { UInt64($0) } ?? 0
    options.threads = entries["threads"].flatMap { Int($0) } ?? options.threads
    teacher = TeacherPlan(entries, threads: options.threads)
    starters = StarterPlan(entries)
    options.rate = entries["rate"].flatMap { Double($0) } ?? options.rate
    options.size = entries["size"].flatMap { Int($0) }
    options.batch = entries["batch"].flatMap { Int($0) }
    options.mirrors = entries["mirrors"] != "false"
    options.isFromAbove = entries["fromAbove"] == "true"
    (makesHalf, makesInt8) = (entries["half"] == "true", entries["int8"] == "true")
    if let minutes = entries["minutes"].flatMap({ Double($0) }) {
      options.length = .minutes(minutes)
    }
    if let steps = entries["steps"].flatMap({ Int($0) }) { options.length = .steps(steps) }
    for (key, value) in entries where key.hasPrefix("metadata.") {
      options.metadata[String(key.dropFirst("metadata.".count))] = value
    }
  }

  private static func entries(_ path: String) throws(CommandFailure) -> [String: String] {
    do {
      let bytes = try FileBytes.read(path, maximumCount: 1 << 20)
      return try bytes.withUnsafeBytes { bytes in
        var parser = JSONPullParser(bytes)
        var entries: [String: String] = [:]
        try parser.readObject { parser, key throws(JSONError) in
          let text = try parser.readText()
          if let key = key.text { entries[key] = text }
        }
        try parser.finish()
        return entries
      }
    } catch let error as JSONError {
      throw CommandFailure("\(path): \(error.reason)")
    } catch {
      throw CommandFailure(error, file: path)
    }
  }
}
