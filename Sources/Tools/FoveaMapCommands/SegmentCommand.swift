// Fovea - fovea segment: a class for every pixel.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaDrawing
internal import FoveaImaging
internal import FoveaMaps
internal import FoveaModelCommands
internal import FoveaRuntime
internal import FoveaVision

/// Says of every pixel what it shows.
enum SegmentCommand: Subcommand {
  static var description: CommandDescription {
    CommandDescription(
      name: "segment", synopsis: "MODEL IMAGE... [OPTIONS]",
      summary: "Says of every pixel what it shows.",
      options: [
        .init(
          name: "-o", value: "FILE",
          help: "write the map, {} for the image's name: .png with a palette, or .npy"),
        .init(
          name: "--draw", value: "FILE",
          help:
            "write the upright image under the colors of the classes, with a legend: .png or .jpg"
        ),
      ] + MapRun.options("semantic"),
      operandCount: 2...Int.max,
      notes: """
        MODEL writes scores of classes, numbers of classes, or one number for each place of the image:
        DeepLab, SegFormer, YOLO-sem and others. Prints which part of each image a class has. Maps are
        of the upright image; pixels that the network did not see, and those that it ignores, are 255
        (65535 where there are more than 255 classes). Masks of single objects come from 'fovea detect'.
        """,
      leading: .model)
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try MapRun(arguments, description)
    let maps = try run.files("-o", endings: [".png", ".npy"])
    let drawings = try run.files("--draw", endings: [".png", ".jpg", ".jpeg"])
    var request = try run.request { model, output, requiresEvidence, pool throws(DetectionError) in
      try SegmentImageRequest(
        model: model, output: output, requiresEvidence: requiresEvidence, pool: pool)
    }
    request.view = run.view
    return try run.report(request.network, text: \SegmentedImage.text) { name, file in
      let map = try request.perform(on: file, orientation: run.orientation)
      let path = maps?.path(for: name)
      if let path { try run.write(array: map.tensor, picture: map.pngBytes, to: path) }
      if let path = drawings?.path(for: name) {
        try run.write(drawn(map, on: run.upright(file)), to: path)
      }
      return SegmentedImage(name, map, path)
    }
  }
}

extension ClassMap {
  /// The classes that occur, the largest first.
  fileprivate var present: [Int] {
    areas.indices.filter { areas[$0] > 0 }.sorted { (areas[$1], $0) < (areas[$0], $1) }
  }
}

/// The picture under the colors of its classes, with their names. Without the library that draws text,
/// there are no names, and a line says so.
private func drawn(_ map: ClassMap, on picture: Image) throws -> Image {
  let overlay = try map.overlay(on: picture)
  let legend = DrawingLegend(
    map.present.map {
      .init(
        text: "\(map.labels[$0])  \(NumberText.percent(map.share(of: $0)))", color: map.colors[$0])
    })
  do {
    return try legend.rendered(over: overlay)
  } catch {
    SystemInterface.writeError("fovea segment: no legend is drawn: \(error)\n")
    return overlay
  }
}

/// What a map of classes shows, in documents.
private struct SegmentedImage: Encodable {
  var image: String
  var width: Int
  var height: Int
  /// Those that occur, the largest first.
  var classes: [Class]
  /// Pixels without a class.
  var unassignedPixels: Int
  /// The file of the map; absent where none was asked for.
  var map: String?

  struct Class: Encodable {
    var label: String
    var labelIndex: Int
    var pixels: Int
    /// Of the pixels with a class, 0...1.
    var share: Double
    /// As #rrggbb.
    var color: String
  }

  init(_ image: String, _ map: ClassMap, _ path: String?) {
    self.image = image
    (width, height) = (map.width, map.height)
    self.map = path
    classes = map.present.map { index in
      Class(
        label: map.labels[index], labelIndex: index, pixels: map.areas[index],
        share: NumberText.rounded(map.share(of: index), digits: 6),
        color: map.colors[index].hexadecimal)
    }
    unassignedPixels = map.classes.count - map.areas.reduce(0, +)
  }

  /// The same for people.
  var text: String {
    var table = TextTable([.left("label"), .right("share"), .right("pixels")])
    for found in classes {
      table.rows.append([found.label, NumberText.percent(found.share), "\(found.pixels)"])
    }
    let rest = unassignedPixels == 0 ? "" : "  without a class: \(unassignedPixels) pixels\n"
    return TerminalStyle.heading.output(image) + "\n" + table.text(indentation: 2) + rest
  }
}
