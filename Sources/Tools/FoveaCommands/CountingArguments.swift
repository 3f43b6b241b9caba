// Fovea - the options of commands that count objects at lines and in zones.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaTracking

/// The lines and zones that a command line names.
struct CountingArguments {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--line", value: "[NAME:]X,Y,X,Y",
      help: "counts who crosses this line, to its left and right; in pixels, or percent as 50%",
      isRepeatable: true),
    .init(
      name: "--zone", value: "[NAME:]X,Y,X,Y,X,Y,...",
      help: "counts who enters and leaves this polygon, and who is in it",
      isRepeatable: true),
    .init(
      name: "--anchor", value: "POINT",
      help:
        "what of an object is counted: the middle of its box's bottom, the center of its box, or"
        + " its feet where a pose network sees ankles (default bottom)",
      choices: CountingOptions.Anchor.allCases.map(\.rawValue)),
  ]

  private var lines: [(text: String, shape: CountingText)] = []
  private var zones: [(text: String, shape: CountingText)] = []
  private var options = CountingOptions()

  /// Whether there is nothing to count at.
  var isEmpty: Bool { lines.isEmpty && zones.isEmpty }
  /// The point of a box that is counted.
  var anchor: CountingOptions.Anchor { options.anchor }
  /// Whether percent are used, so that the size of the picture must be known.
  var needsSize: Bool { (lines + zones).contains { $0.shape.usesPercentages } }

  init(_ arguments: ArgumentList) throws(UsageError) {
    for text in arguments.values("--line") { lines.append((text, try Self.shape("--line", text))) }
    for text in arguments.values("--zone") { zones.append((text, try Self.shape("--zone", text))) }
    if let anchor = try arguments.choice("--anchor", CountingOptions.Anchor.self) {
      guard !isEmpty else { throw UsageError("--anchor is for --line and --zone; name one") }
      options.anchor = anchor
    }
    // What is wrong at any size is told before anything is read.
    if !needsSize { _ = try counter(width: 1, height: 1, memory: 0) }
  }

  private static func shape(_ name: String, _ text: String) throws(UsageError) -> CountingText {
    do throws(CountingText.Invalid) {
      return try CountingText(text)
    } catch {
      throw UsageError("\(name) \(text): \(error)")
    }
  }

  /// A counter for pictures of this size and a tracker that remembers objects for `memory` seconds.
  func counter(width: Int, height: Int, memory: Double) throws(UsageError) -> ObjectCounter {
    var (counted, framed): ([CountingLine], [CountingZone]) = ([], [])
    var options = options
    options.memory = memory
    for (text, shape) in lines {
      do throws(CountingText.Invalid) {
        counted.append(try shape.line(ordinal: counted.count + 1, width: width, height: height))
      } catch {
        throw UsageError("--line \(text): \(error)")
      }
    }
    for (text, shape) in zones {
      do throws(CountingText.Invalid) {
        framed.append(try shape.zone(ordinal: framed.count + 1, width: width, height: height))
      } catch {
        throw UsageError("--zone \(text): \(error)")
      }
    }
    return ObjectCounter(lines: counted, zones: framed, options: options)
  }
}

/// What was counted in a video: the counts, and events with their frames.
struct CountingDocument: Encodable {
  var lines: [CountingReport.Line]
  var zones: [CountingReport.Zone]
  /// `nil` where events are not kept.
  var events: [Event]?

  /// An event.
  struct Event: Encodable {
    /// The frame, as the command counts them.
    var frame: Int
    var kind: String
    /// The name of the line or zone.
    var place: String
    var identifier: Int
    /// x and y from the upper left corner.
    var point: [Double]

    init(_ event: CountingEvent, of counter: ObjectCounter, frame: Int) {
      self.frame = frame
      kind = event.kind.rawValue
      place = event.isOfLine ? counter.lines[event.place].name : counter.zones[event.place].name
      identifier = event.identifier
      point = [event.point.x, event.point.y]
    }
  }

  init(_ counter: ObjectCounter, labels: [String], events: [Event]?) {
    let report = CountingReport(counter, labels: labels)
    (lines, zones) = (report.lines, report.zones)
    self.events = events
  }
}
