// Fovea - fovea embed: numbers by which images are compared.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaImaging
internal import FoveaMaps
internal import FoveaModelCommands
internal import FoveaRuntime
internal import FoveaVision

/// Gives numbers by which images are compared.
enum EmbedCommand: Subcommand {
  static var description: CommandDescription {
    CommandDescription(
      name: "embed", synopsis: "MODEL IMAGE... [OPTIONS]",
      summary: "Gives numbers by which images are compared, and compares them.",
      options: [
        .init(
          name: "-o", value: "FILE",
          help: "write the numbers to a .npy file: a row for each image, or {} for a file of each")
      ] + MapRun.options("embedding"),
      operandCount: 2...Int.max,
      notes: """
        MODEL writes one row of numbers that are no scores of classes. Prints the distance of each image
        to the first: one minus the cosine, 0 for the same direction, 2 for the opposite.
        """,
      leading: .model)
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try MapRun(arguments, description)
    let output = try Output(arguments.value("-o"), images: run.images.count)
    var request = try run.request { model, output, requiresEvidence, pool throws(DetectionError) in
      try ImageEmbeddingRequest(
        model: model, output: output, requiresEvidence: requiresEvidence, pool: pool)
    }
    request.view = run.view
    var document = MapDocument<EmbeddedImage>(run, request.network)
    var first: ImageEmbedding?
    document.errors = try run.each { name, file in
      let found = try request.perform(on: file, orientation: run.orientation)
      let distance = try found.distance(to: first ?? found)
      first = first ?? found
      document.images.append(
        EmbeddedImage(image: name, distanceToFirst: distance, values: found.values))
      if let path = output.separate?.path(for: name) {
        try run.write(bytes(of: [found.values], isRow: true, path), to: path)
      }
    }
    if let path = output.common, !document.images.isEmpty {
      try run.write(bytes(of: document.images.map(\.values), isRow: false, path), to: path)
    }
    if run.isDocument {
      try JSONOutput.write(document)
    } else if !document.images.isEmpty {
      SystemInterface.writeOutput(text(document.images))
    }
    return document.errors == nil ? 0 : 1
  }

  /// One file for all images, or one for each.
  private struct Output {
    var common: String?
    var separate: FilePattern?

    init(_ text: String?, images: Int) throws(UsageError) {
      guard let text else { return }
      guard text.lowercased().hasSuffix(".npy") else {
        throw UsageError("-o is '\(text)'; expected a name that ends in .npy")
      }
      if FilePattern.hasPlace(text) {
        separate = try FilePattern(text, "-o", images: images)
      } else {
        common = text
      }
    }
  }

  private static func bytes(
    of rows: [[Float]], isRow: Bool, _ path: String
  ) throws(CommandFailure) -> [UInt8] {
    do throws(FoveaError) {
      let shape = isRow ? [rows[0].count] : [rows.count, rows[0].count]
      return try Tensor(shape: shape, floats: rows.flatMap { $0 }).npyBytes()
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  private static func text(_ images: [EmbeddedImage]) -> String {
    var table = TextTable([.left("image"), .right("numbers"), .right("distance to the first")])
    for found in images {
      table.rows.append([
        found.image, "\(found.values.count)",
        NumberText.fixed(Double(found.distanceToFirst), digits: 4),
      ])
    }
    return table.text()
  }
}

/// The numbers of an image, in documents.
private struct EmbeddedImage: Encodable {
  var image: String
  /// One minus the cosine of the angle to the first image that could be read.
  var distanceToFirst: Float
  var values: [Float]
}
