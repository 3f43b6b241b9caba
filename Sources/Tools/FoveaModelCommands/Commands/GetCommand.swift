// Fovea - fovea get: fetches models that their makers publish.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaModelCatalog

/// Fetches models that their makers publish.
enum GetCommand: Subcommand {
  static let description = CommandDescription(
    name: "get", synopsis: "NAME... [OPTIONS] | --list",
    summary: "Fetches detectors that their makers publish, for --model NAME.",
    options: [
      .init(name: "--list", help: "print which models there are, and which were fetched"),
      .init(
        name: "--from", value: "ADDRESS",
        help: "a folder of a server that stands for the maker's, ended by a slash"),
      .init(
        name: "--catalog", value: "FILE",
        help: "another list of models (default: \(ModelCatalog.variable), else the one inside)"),
      .init(
        name: "--patience", value: "SECONDS",
        help: "give up when no byte comes for so long (default 30)"),
      .json,
    ],
    operandCount: 0...Int.max,
    notes: """
      Files go to $XDG_CACHE_HOME/fovea, or ~/.cache/fovea, once all have the size and the SHA-256 of
      the list. What is there is checked, and not fetched again. The program curl downloads; without
      it, or without a connection, the address is printed, and where to put the file. Fovea has no
      rights to give: each model has the license that is printed.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let patience = try arguments.integer("--patience", in: 1...3600) ?? 30
    guard arguments.has("--list") == arguments.operands.isEmpty else {
      throw UsageError(
        arguments.has("--list")
          ? "--list names all models; leave the names out" : "no model is named; see --list")
    }
    do {
      let catalog = try ModelCatalog(arguments.value("--catalog"))
      let names = arguments.operands
      let models = try names.isEmpty ? catalog.models : names.map { try catalog.model($0) }
      for model in models where !names.isEmpty {
        try fetch(model, from: arguments.value("--from"), patience: patience)
        if !arguments.has("--json") { try SystemInterface.writeOutput(text(model)) }
      }
      if arguments.has("--json") {
        try JSONOutput.write(["models": models.map { try CatalogReport($0) }])
      } else if names.isEmpty {
        try SystemInterface.writeOutput(table(models))
      }
      return 0
    } catch let error as CatalogError {
      throw CommandFailure("\(error)")
    }
  }

  private static func fetch(_ model: CatalogModel, from: String?, patience: Int) throws {
    defer { SystemInterface.writeProgress("") }
    let download = try ModelDownload(
      model, from: from, patience: patience, progress: SystemInterface.writeProgress)
    let outcome = try download.run()
    let folder = try CachedModel(model).path
    SystemInterface.writeProgress("")
    SystemInterface.writeError(
      outcome == .wasThere
        ? "\(model.name) was there: \(folder)\n" : "\(model.name) was fetched: \(folder)\n")
  }

  /// What was fetched, and how it is used.
  private static func text(_ model: CatalogModel) throws -> String {
    // Faces have a command of their own.
    let command = model.classes.hasPrefix("faces") ? "faces" : "detect"
    return """
      \(model.name)
        file       \(try CachedModel(model).mainFile)
        license    \(model.license)
        classes    \(model.classes)
        precision  \(model.precision)
        time       \(model.time)
        hash       \(model.hashSource ?? "-")
        use it     fovea \(command) --model \(model.name) photo.jpg

      """
  }

  /// All models.
  private static func table(_ models: [CatalogModel]) throws -> String {
    var table = TextTable([
      .left("name"), .right("MB"), .left("here"), .left("input"), .right("AP"), .right("ms"),
      .left("license"),
    ])
    // Numbers alone; what was measured, and on what, `get` says.
    func number(_ text: String) -> String {
      let word = text.prefix { $0 != " " }
      return Double(word) == nil ? "-" : String(word)
    }
    for model in models {
      let size = model.byteCount.map { NumberText.fixed(Double($0) / 1e6, digits: 1) } ?? "-"
      table.rows.append([
        model.name, size, try CachedModel(model).isComplete ? "yes" : "no", model.input,
        number(model.precision), number(model.time), String(model.license.prefix { $0 != ";" }),
      ])
    }
    return table.text() + """

      'fovea get NAME' fetches a model, and '--model NAME' uses it. AP is on 64 pictures of COCO by
      'fovea evaluate', ms those of one thread; \"-\": not checked here. Models without MB have no hash
      that anybody vouches for: 'get' says where they are.

      """
  }
}

/// A model of the catalog in JSON.
private struct CatalogReport: Encodable {
  let name: String
  let license: String
  let classes: String
  let input: String
  let averagePrecision: String
  let time: String
  let hashFrom: String?
  let reason: String?
  let files: [File]
  /// Where the file that is opened lies, or would lie.
  let path: String
  let isHere: Bool

  struct File: Encodable {
    let name: String
    let address: String
    let bytes: Int?
    let sha256: String?
  }

  init(_ model: CatalogModel) throws(CatalogError) {
    let folder = try CachedModel(model)
    (name, license, classes) = (model.name, model.license, model.classes)
    (input, averagePrecision, time) = (model.input, model.precision, model.time)
    (hashFrom, reason) = (model.hashSource, model.reason)
    files = model.files.map { file in
      File(
        name: file.name, address: model.folder + file.name, bytes: file.content?.byteCount,
        sha256: file.content?.hash)
    }
    (path, isHere) = (folder.mainFile, folder.isComplete)
  }
}
