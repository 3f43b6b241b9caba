// Fovea - fovea depth: how far every pixel is.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaImaging
internal import FoveaLibc
internal import FoveaMaps
internal import FoveaModelCommands
internal import FoveaRuntime
internal import FoveaVision

/// Estimates how far every pixel is.
enum DepthCommand: Subcommand {
  static var description: CommandDescription {
    CommandDescription(
      name: "depth", synopsis: "MODEL IMAGE... [OPTIONS]",
      summary: "Estimates how far every pixel is.",
      options: [
        .init(
          name: "-o", value: "FILE",
          help: "write the depths, {} for the image's name: .npy, or .png of 16 bits"),
        .init(
          name: "--draw", value: "FILE",
          help: "write the depths as colors, from dark for the least to bright: .png or .jpg"),
      ] + MapRun.options("depth"),
      operandCount: 2...Int.max,
      notes: """
        MODEL writes one number for each place of the image, or a gray picture: Depth Anything, MiDaS,
        YOLO-depth and others. Depths are of the upright image. They are meters where the file says so;
        of others only the order counts, and of most larger is nearer. Pixels that the network did not
        see are NaN in .npy and 0 in .png. A .png has millimeters, or the range of the image from 1 to
        65535; --json says which depth a level stands for.
        """,
      leading: .model)
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try MapRun(arguments, description)
    let maps = try run.files("-o", endings: [".npy", ".png"])
    let drawings = try run.files("--draw", endings: [".png", ".jpg", ".jpeg"])
    var request = try run.request { model, output, requiresEvidence, pool throws(DetectionError) in
      try EstimateDepthRequest(
        model: model, output: output, requiresEvidence: requiresEvidence, pool: pool)
    }
    request.view = run.view
    return try run.report(request.network, text: \DepthImage.text) { name, file in
      let map = try request.perform(on: file, orientation: run.orientation)
      let path = maps?.path(for: name)
      if let path { try run.write(array: map.tensor, picture: map.pngBytes, to: path) }
      if let path = drawings?.path(for: name) { try run.write(map.colored(), to: path) }
      return DepthImage(name, map, path)
    }
  }
}

/// What a map of depth says, in documents.
private struct DepthImage: Encodable {
  var image: String
  var width: Int
  var height: Int
  /// meters or relative.
  var unit: String
  /// Absent where no pixel was seen.
  var least: Double?
  var greatest: Double?
  /// Pixels that the network did not see.
  var unseenPixels: Int
  /// The file of the map; absent where none was asked for.
  var map: String?
  /// What a level of a .png stands for: depth = level * step + least; absent for others.
  var levels: Levels?

  struct Levels: Encodable {
    var step: Float
    var least: Float
  }

  init(_ image: String, _ map: DepthMap, _ path: String?) {
    self.image = image
    (width, height) = (map.width, map.height)
    unit = map.unit.rawValue
    (least, greatest) = (
      map.range.map { Double($0.lowerBound) }, map.range.map { Double($0.upperBound) }
    )
    unseenPixels = map.values.count { $0.isNaN }
    self.map = path
    if path?.lowercased().hasSuffix(".png") == true {
      levels = Levels(step: map.levels.step, least: map.levels.least)
    }
  }

  /// The same for people, as one line.
  var text: String {
    func number(_ value: Double?) -> String { value.map { NumberText.fixed($0, digits: 3) } ?? "-" }
    let rest = unseenPixels == 0 ? "" : ", \(unseenPixels) pixels not seen"
    return "\(image.printable): \(number(least)) to \(number(greatest)) "
      + (unit == "meters" ? "m" : "(relative)") + rest + "\n"
  }
}
