// Fovea - the annotated video of fovea watch.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaGeometry
internal import FoveaModelCommands
internal import FoveaVideo

/// Draws what was found in pictures on them, and writes a video of these.
///
/// Boxes are drawn on planes of luma and chroma, which are also what encoders take: a way over red,
/// green and blue would take longer than finding the objects of a small detector.
struct WatchDrawing {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--draw", value: "FILE",
      help: "write a video with boxes, identifiers, trails and counts: .mp4, .mkv or .avi"),
    .init(name: "--audio", help: "with --draw: copy the sound of the source"),
  ]

  private let writer: VideoWriter
  private let orientation: ImageOrientation?
  private let hiding: HidingOption
  private var canvas: Canvas?
  private var trails = TrackTrails()

  /// What is drawn on, as large as the first upright picture.
  private struct Canvas {
    var picture: UprightImage
    var letters: TextMasks
    var style: DrawingStyle
  }

  /// Reads the options; `nil` without `--draw`.
  ///
  /// - Throws: `UsageError`; `CommandFailure` where no encoder can be had.
  init?(
    _ arguments: ArgumentList, _ source: VideoSource, _ orientation: ImageOrientation?,
    _ hiding: HidingOption
  ) throws {
    guard let path = arguments.value("--draw") else {
      guard !arguments.has("--audio") else {
        throw UsageError("--audio is for a video that is written; add --draw")
      }
      return nil
    }
    guard path != arguments.value("--jsonl"), path != arguments.value("--counts") else {
      throw UsageError("--draw and another option name '\(path)'; name two files")
    }
    (self.orientation, self.hiding) = (orientation, hiding)
    do throws(VideoWritingError) {
      writer = try VideoWriter(path, from: source, copiesSound: arguments.has("--audio"))
    } catch {
      switch error.reason {
      case .unknownFormat, .isSource, .soundOfStream: throw UsageError("--draw \(error)")
      default: throw CommandFailure("\(error)")
      }
    }
  }

  /// Appends a picture with what was found in it.
  ///
  /// - Throws: `CommandFailure`.
  mutating func append(
    _ result: VideoResult, _ tracking: WatchTracking?, hiding hidden: [HiddenObject],
    of description: VideoDescription
  ) throws(CommandFailure) {
    if canvas == nil { canvas = try begin(result) }
    guard let canvas else { return }
    let picture = canvas.picture
    picture.take(result.picture, turned: orientation)
    picture.hide(hidden)
    draw(result, tracking, canvas)
    let swapsSides = (orientation ?? result.picture.orientation).swapsSides
    let aspect = result.picture.pixelAspect
    do throws(VideoWritingError) {
      try writer.append(
        picture, at: result.time, stated: result.statedTime,
        pixelAspect: swapsSides ? 1 / aspect : aspect, of: description)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Writes the end of the video.
  ///
  /// - Throws: `CommandFailure`.
  func finish() throws(CommandFailure) {
    do throws(VideoWritingError) {
      try writer.finish()
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  private func begin(_ result: VideoResult) throws(CommandFailure) -> Canvas {
    let style = DrawingStyle(fitting: result.imageSize)
    let picture = UprightImage(result.imageSize)
    do throws(DrawingError) {
      let letters = try TextMasks(width: picture.width, fontSize: style.fontSize)
      return Canvas(picture: picture, letters: letters, style: style)
    } catch {
      throw CommandFailure(DrawingError(error.reason, file: writer.path).description)
    }
  }

  // MARK: Drawing

  private mutating func draw(
    _ result: VideoResult, _ tracking: WatchTracking?, _ canvas: Canvas
  ) {
    let picture = canvas.picture
    let area = DrawingCanvas(
      width: Double(picture.width), height: Double(picture.height), image: picture.content)
    let planes = PlaneCanvas(
      planes: picture.planes, width: picture.width, height: picture.height,
      samples: picture.coding.samples)
    var elements: [DrawingElement] = []
    if let tracking {
      let counts = CountingDrawing(tracking, area, canvas.style)
      elements += counts.shapes
      elements += counts.plates(measureText: canvas.letters.textWidth)
      trails.update(tracking, seconds: result.time)
      elements += trails.elements(on: area, canvas.style)
      elements += Self.boxes(
        of: tracking.tracks.filter { !hiding.hides($0.label) }, area, canvas)
    } else {
      let boxes = hiding.shown(result.observations).map { LabeledBox($0) }
      elements += Self.elements(of: boxes, area, canvas)
    }
    for element in elements { planes.draw(element, with: canvas.letters) }
  }

  /// Boxes of tracks, each in the color of its identifier. Boxes that are predicted have dashes.
  private static func boxes(
    of tracks: [VideoTrack], _ area: DrawingCanvas, _ canvas: Canvas
  ) -> [DrawingElement] {
    let boxes = tracks.map { track in
      var box = LabeledBox(
        label: "\(track.identifier) \(track.label)", classIndex: track.identifier - 1,
        confidence: track.isPredicted ? nil : track.confidence, boundingBox: track.boundingBox)
      if let seen = track.observation {
        (box.mask, box.keypoints) = (seen.mask, seen.keypoints)
        box.corners = seen.corners?.corners ?? []
      }
      return box
    }
    return elements(of: boxes, area, canvas).map { element in
      guard case .rectangle(var rectangle) = element, let index = rectangle.boxIndex,
        tracks[index].isPredicted
      else { return element }
      let width = canvas.style.lineWidth
      for place in rectangle.strokes.indices {
        rectangle.strokes[place].dashes = [4 * width, 3 * width]
      }
      return .rectangle(rectangle)
    }
  }

  private static func elements(
    of boxes: [LabeledBox], _ area: DrawingCanvas, _ canvas: Canvas
  ) -> [DrawingElement] {
    DrawingInstructions(
      boxes, on: area, style: canvas.style, measureText: canvas.letters.textWidth
    ).elements
  }
}
