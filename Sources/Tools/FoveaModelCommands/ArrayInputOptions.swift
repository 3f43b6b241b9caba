// Fovea - options that say how images are given to models that read arrays.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine
internal import FoveaLibc
internal import FoveaLowering

/// How images are given to models that read arrays.
package enum ArrayInputOptions {
  package static let options: [CommandDescription.Option] = [
    .init(
      name: "--scale", value: "N|R,G,B",
      help: "for a model that reads an array: what pixels, 0 to 255, are multiplied by, such as"
        + " 0.00392 (default: as the file or its kind says, else 1/255)"),
    .init(
      name: "--bias", value: "N|R,G,B",
      help: "for a model that reads an array: what is added then (default: as for --scale)"),
    .init(
      name: "--color", value: "ORDER",
      help: "for a model that reads an array: rgb, bgr or gray (default: as for --scale)",
      choices: PictureInput.ColorOrder.allCases.map(\.rawValue)),
  ]

  /// What an array becomes in a compiled file or a report.
  package static let input = CommandDescription.Option(
    name: "--input", value: "KIND",
    help: "what takes the place of an array that can be a picture: arrays or pictures"
      + " (default: pictures for detectors and classifiers)",
    choices: InputKind.allCases.map(\.rawValue))

  private enum InputKind: String, CaseIterable {
    case arrays
    case pictures
  }

  /// What `--scale`, `--bias` and `--color` say.
  ///
  /// - Throws: `UsageError`.
  package static func wish(_ arguments: ArgumentList) throws(UsageError) -> PictureInput {
    let scale = try numbers("--scale", arguments)
    guard scale?.contains(0) != true else {
      throw UsageError("--scale is '\(arguments.value("--scale") ?? "")'; no number may be 0")
    }
    return PictureInput(
      scale: scale, bias: try numbers("--bias", arguments),
      color: try arguments.choice("--color", PictureInput.ColorOrder.self))
  }

  /// What they and `--input` say; `nil` for arrays.
  ///
  /// - Throws: `UsageError`.
  package static func choice(_ arguments: ArgumentList) throws(UsageError) -> PictureInput? {
    var wish = try wish(arguments)
    switch try arguments.choice("--input", InputKind.self) {
    case .pictures: break
    case .arrays where wish.isSpecific:
      throw UsageError("--scale, --bias and --color are for pictures; leave --input arrays out")
    case .arrays: return nil
    case nil: wish.needsEvidence = !wish.isSpecific
    }
    return wish
  }

  private static func numbers(
    _ name: String, _ arguments: ArgumentList
  ) throws(UsageError) -> [Float]? {
    guard let text = arguments.value(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Float($0) }.filter(\.isFinite)
    guard numbers.count == parts.count, [1, 3].contains(numbers.count) else {
      throw UsageError(
        "\(name) is '\(text)'; expected one number, or three for red, green and blue, such as"
          + (name == "--scale" ? " 0.0171,0.0175,0.0174" : " -2.1,-2,-1.8"))
    }
    return numbers
  }
}

/// What pixels become in a model that reads an array, in documents.
package struct PictureReport: Encodable {
  package var input: String
  package var color: String
  /// One number for each channel, in the order of `color`.
  package var scale: [Double]
  package var bias: [Double]
  package var because: String

  /// `nil` for a model whose inputs are those of its file.
  package init?(_ model: Model) {
    guard let picture = model.picture else { return nil }
    input = picture.input
    color = picture.color.rawValue
    scale = picture.scale.map { Double("\($0)") ?? 0 }
    bias = picture.bias.map { Double("\($0)") ?? 0 }
    because = picture.reason
  }

  /// The same for people, as one line.
  package var text: String {
    "picture: '\(input.printable)' takes pixels * \(Self.text(scale))"
      + (bias.allSatisfy { $0 == 0 } ? "" : " + \(Self.text(bias))")
      + ", \(color), because \(because)\n"
  }

  private static func text(_ numbers: [Double]) -> String {
    let texts = numbers.map { "\($0)" }
    if texts.allSatisfy({ $0 == texts[0] }) { return texts[0] }
    return "(\(texts.joined(separator: ", ")))"
  }
}
