// Fovea - fovea watch: looks at moving pictures.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaVideo

/// Looks at moving pictures.
enum WatchCommand: Subcommand {
  static let description = CommandDescription(
    name: "watch", synopsis: "[OPTIONS] SOURCE",
    summary: "Finds objects in videos, cameras and streams.",
    options: SourceOptions.options + [
      .init(
        name: "--jsonl", value: "FILE",
        help: "write a line of JSON for each picture; \"-\" is standard output"),
      .init(name: "--frames-info", help: "only print a line of JSON for each picture"),
      .init(
        name: "--rgb-md5", help: "with --frames-info: the MD5 sum of the picture's RGB bytes"),
      .model, .function, .size, .matchAspect, .head, .boxes, .scores, .task, .backend, .weights,
      .calibrate, .quality, .floatShare,
      .int16Share, .threads,
    ] + findingOptions + DetectionOptions.thresholds
      + ArrayInputOptions.options + ImageOptions.options,
    operandCount: 1...1,
    notes: """
      SOURCE is a file, a pattern of numbered pictures (%04d.jpg), an address (rtsp, http, udp,
      ...), a camera (/dev/video0 or camera:0), or - for standard input.
      Of a file every picture is looked at. Of a camera or a stream it is the newest one each time;
      the others are counted as dropped. The detector inside finds qrCode, barcode, dataMatrix,
      textLine and document.
      Prints the objects of each picture. A line of --jsonl has frame (from 0), time (seconds from
      the start, never falling), stated (seconds that the source states, or null), width, height,
      objects (label, score, xmin, ymin, xmax, ymax in pixels of the upright picture), age and
      latency (seconds from the picture's arrival to the start and the end of detection), late,
      damaged, and counts up to the picture.
      With --track, the least confidence is that of --track_low_thresh, because weak detections
      continue tracks. A line of --jsonl then also has tracks (identifier, predicted, label, score,
      xmin, ymin, xmax, ymax). With --line and --zone it has lines, zones (the counts so far, of all
      objects and by label) and events (what was counted in this picture). Lines and zones are in
      pixels of the first picture. The counts are also printed in the end.
      With --draw, nothing is printed for each picture. The video has the pictures that were looked
      at, upright, at their times, as H.264 (or MPEG-4, or JPEG in .avi). Boxes of tracks have the
      color of their identifiers, and dashes where they are predicted; trails show the last 2
      seconds. A run that is interrupted or killed leaves a video that can be played.
      With --serve, a browser shows the newest picture and its objects; a file then comes at its own
      pace. The paths are / (the page), /stream.mjpg, /events (lines as of --jsonl), /latest.jpg and
      /metrics.
      With --follow, no detector runs. A line of --jsonl has frame, time, bbox (left, top, width and
      height in pixels of the upright picture) and confidence (below 0.3 the object was not seen).
      A line of --frames-info has frame, time, pts (ticks that the source states, or null) and size
      (width and height as stored). Where it applies, it also has estimated (the time is a guess),
      damaged, orientation (as in EXIF), pixelAspect and interlaced (top or bottom, the field that
      was seen first).
      What was wrong with a source is said on standard error. The exit code is 1 if it gave no
      picture.
      """,
    leading: .modelBeforeImages)

  /// Options of runs that look for objects.
  private static let findingOptions: [CommandDescription.Option] =
    WatchDrawing.options + [HidingOption.option, CropOutput.option] + WatchServing.options
    + WatchTracking.options + FollowRun.options

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let options = try SourceOptions(arguments)
    guard !arguments.has("--frames-info") else {
      if let name = findingOptions.map(\.name).first(where: arguments.has) {
        throw UsageError("--frames-info looks for no objects; leave \(name) out")
      }
      return try framesInfo(options, arguments)
    }
    guard !arguments.has("--rgb-md5") else { throw UsageError("--rgb-md5 needs --frames-info") }
    if let run = try FollowRun(options, arguments) { return try run.run() }
    var run = try WatchRun(options, arguments)
    return try run.run()
  }

  private static func framesInfo(
    _ options: SourceOptions, _ arguments: ArgumentList
  ) throws -> Int32 {
    do throws(VideoError) {
      let source = try VideoSource(named: arguments.operands[0])
      let reader = try source.open(options.sequence.video)
      return try FramesInfo(withSums: arguments.has("--rgb-md5"))
        .write(reader, of: source, most: options.most)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
