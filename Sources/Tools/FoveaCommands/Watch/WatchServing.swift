// Fovea - the live view of fovea watch.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaGeometry
internal import FoveaJSON
internal import FoveaTracking
internal import FoveaVideo

/// Shows pictures and what was found in them on a page.
struct WatchServing {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--serve", value: "[HOST:]PORT",
      help: "show pictures and objects on a page; only this machine reaches it unless HOST is named"
    ),
    .init(
      name: "--token", value: "WORD",
      help: "with --serve: who looks at the page must know this word"),
  ]

  private let view: LiveView
  private let title: String
  private var hasBegun = false

  /// Reads the options and listens; `nil` without `--serve`.
  ///
  /// - Throws: `UsageError`; `CommandFailure` where the address cannot be listened at.
  init?(
    _ arguments: ArgumentList, _ source: VideoSource, _ orientation: ImageOrientation?
  ) throws {
    guard let text = arguments.value("--serve") else {
      guard !arguments.has("--token") else {
        throw UsageError("--token is for a page that is served; add --serve")
      }
      return nil
    }
    guard let address = ViewAddress(text) else {
      throw UsageError(
        "--serve is '\(text)'; expected a port such as 8080, or an address such as 0.0.0.0:8080")
    }
    let token = arguments.value("--token")
    if let token { try Self.check(token) }
    title = source.name
    do throws(ViewError) {
      view = try LiveView(at: address, token: token, orientation: orientation)
    } catch {
      throw CommandFailure("--serve: \(error)")
    }
    let places = view.addresses.joined(separator: " ")
    SystemInterface.writeError("fovea watch: live view at \(places)\n")
    if !address.isLoopback, token == nil {
      SystemInterface.writeError(
        "fovea watch: whoever reaches this machine can look; --token WORD lets in who knows it\n")
    }
  }

  /// Words that need no signs of percent in an address.
  private static func check(_ token: String) throws(UsageError) {
    let isPlain = token.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~".utf8.contains(byte)
      }
    }
    guard isPlain, (8...128).contains(token.utf8.count) else {
      throw UsageError("--token needs 8 to 128 letters, digits or signs of -._~")
    }
  }

  /// Shows a picture, without what is hidden, and the line of JSON about it.
  mutating func post(
    _ result: VideoResult, _ line: String, _ tracking: WatchTracking?, hiding hidden: [HiddenObject]
  ) {
    if !hasBegun {
      view.begin(setup(tracking))
      hasBegun = true
    }
    view.post(result, line: line, hiding: hidden)
  }

  /// Ends the page.
  func finish() { view.close() }

  /// What does not change: the title, colors, and lines and zones in fractions of the picture.
  private func setup(_ tracking: WatchTracking?) -> String {
    let colors = DrawingColor.labelPalette.map { JSONText.quoted($0.hexadecimal) }
    var members = [
      "\"title\":\(JSONText.quoted(title))", "\"colors\":[\(colors.joined(separator: ","))]",
    ]
    if let counter = tracking?.counter, let size = tracking?.size {
      func shape(_ name: String, _ points: [(x: Double, y: Double)]) -> String {
        let places = points.map { point in
          let (x, y) = (point.x / Double(size.width), point.y / Double(size.height))
          return "[\(JSONText.number(x)),\(JSONText.number(y))]"
        }
        return "{\"name\":\(JSONText.quoted(name)),\"points\":[\(places.joined(separator: ","))]}"
      }
      let lines = counter.lines.map { line in
        shape(line.name, [line.start, line.end].map { ($0.x, $0.y) })
      }
      let zones = counter.zones.map { shape($0.name, $0.corners.map { ($0.x, $0.y) }) }
      members.append("\"lines\":[\(lines.joined(separator: ","))]")
      members.append("\"zones\":[\(zones.joined(separator: ","))]")
    }
    return "{\(members.joined(separator: ","))}"
  }
}
