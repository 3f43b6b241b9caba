// Fovea - the live view of fovea watch.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaGeometry
internal import FoveaHTTP
internal import FoveaJSON
internal import FoveaServing
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
    guard arguments.has("--serve") else {
      guard !arguments.has("--token") else {
        throw UsageError("--token is for a page that is served; add --serve")
      }
      return nil
    }
    let address = try ListeningOptions.address(arguments, "--serve")
    let token = try ListeningOptions.token(arguments)
    title = source.name
    do throws(ServiceError) {
      view = try LiveView(at: address, token: token, orientation: orientation)
    } catch {
      throw CommandFailure("--serve: \(error)")
    }
    let places = view.addresses.joined(separator: " ")
    SystemInterface.writeError("fovea watch: live view at \(places)\n")
    ListeningOptions.warn("watch", address, token)
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
