// Fovea - fovea transform: another picture of an image.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaImaging
internal import FoveaMaps
internal import FoveaModelCommands
internal import FoveaRuntime
internal import FoveaVision

/// Makes another picture of an image.
enum TransformCommand: Subcommand {
  static var description: CommandDescription {
    CommandDescription(
      name: "transform", synopsis: "MODEL IMAGE... -o FILE [OPTIONS]",
      summary: "Makes other pictures of images: paints, sharpens or enlarges them.",
      options: [
        .init(
          name: "-o", value: "FILE",
          help: "the picture that is written, {} for the image's name: .png or .jpg (required)"),
        .init(
          name: "--resize",
          help:
            "bring the picture back onto the upright image, in its size; what the network did not"
            + " see is black"),
        .init(
          name: "--output-scale", value: "NUMBER",
          help: "what numbers of the output are multiplied by to be levels of 0 to 255"
            + " (default: as the file or its last operations say)"),
        .init(
          name: "--output-bias", value: "NUMBER",
          help: "with --output-scale: what is added then (default 0)"),
      ] + MapRun.options("image"),
      operandCount: 2...Int.max,
      notes: """
        MODEL writes a picture, or an array of 1 or 3 channels, rows and columns: style transfer,
        super-resolution and others. The picture has the size that MODEL writes, with the padding of its
        input, unless --resize is given.
        """,
      leading: .model)
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try MapRun(arguments, description)
    let endings = [".png", ".jpg", ".jpeg"]
    guard let pictures = try run.files("-o", endings: endings) else {
      throw UsageError("-o is missing: name the picture to write, such as painted.png")
    }
    let scale = try arguments.number("--output-scale")
    let bias = try arguments.number("--output-bias")
    guard scale != nil || bias == nil else {
      throw UsageError("--output-bias counts with --output-scale, which is missing")
    }
    var request = try run.request { model, output, requiresEvidence, pool throws(DetectionError) in
      // Whoever knows the numbers of a picture knows that it is one.
      try TransformImageRequest(
        model: model, output: output, requiresEvidence: requiresEvidence && scale == nil,
        pool: pool)
    }
    request.view = run.view
    request.outputScale = scale
    request.outputBias = bias ?? 0
    request.returnsToImage = arguments.has("--resize")
    return try run.report(request.network) { name, file in
      let picture = try request.perform(on: file, orientation: run.orientation)
      let path = pictures.path(for: name)
      try run.write(picture, to: path)
      return TransformedImage(
        image: name, width: picture.width, height: picture.height, picture: path)
    }
  }
}

/// A picture that a network made, in documents.
private struct TransformedImage: Encodable {
  var image: String
  /// Of the picture.
  var width: Int
  var height: Int
  /// Its file.
  var picture: String
}

extension ArgumentList {
  /// A finite number, or `nil` when the option is not given.
  fileprivate func number(_ name: String) throws(UsageError) -> Float? {
    guard let text = value(name) else { return nil }
    guard let number = Float(text), number.isFinite else {
      throw UsageError("\(name) is '\(text)'; expected a number")
    }
    return number
  }
}
