// Fovea - what commands about maps are lent to load models and to look at images.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaMapCommands
internal import FoveaMaps
internal import FoveaModelCommands

/// What commands about maps are lent to load models and to look at images.
enum MapToolset: MapTools {
  static let options: [CommandDescription.Option] =
    [
      .modelOperand, .function, .size, .backend, .weights, .calibrate, .quality, .floatShare,
      .int16Share, .threads,
    ] + ArrayInputOptions.options + ImageOptions.options + [.json]

  static var leading: LeadingArgument { .model }

  static func load(
    _ path: String, _ arguments: ArgumentList
  ) throws -> (model: Model, pool: ThreadPool) {
    let pool = try ModelLoading.threads(arguments)
    // That of a detector has other words.
    return (try ModelLoading.load(.file(path), arguments.without("--task")), pool)
  }

  static func look(_ arguments: ArgumentList) throws -> (InputView, ImageOrientation?) {
    let options = try ImageOptions(arguments)
    var view = InputView()
    if let action = options.action { view.cropAndScaleAction = action }
    if let anchor = options.anchor { view.paddingAnchor = anchor }
    if let region = options.region { view.regionOfInterest = region }
    if let filter = options.filter { view.resamplingFilter = filter }
    view.allowsReducedDecoding = !options.decodesFull
    return (view, options.orientation)
  }

  static func picture(_ model: Model) -> PictureReport? { PictureReport(model) }

  static func reported(_ error: DetectionError, file: String) -> any Error {
    error.reported(file: file)
  }

  static func report(_ failure: CommandFailure, of command: String) {
    FoveaProgram.program.report(failure, of: command)
  }
}
