// Fovea - options that say how images are brought to the network.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// How images are brought to the network.
package struct ImageOptions: Sendable {
  package static let options = options(usually: .scaleToFill)

  /// The options of commands whose images are usually brought to the network in some way.
  package static func options(
    usually action: ImageCropAndScaleAction
  ) -> [CommandDescription.Option] {
    let actions = ImageCropAndScaleAction.allCases.map(\.rawValue)
    let help = "\(actions.joined(separator: ", ")) (default \(action.rawValue))"
    return [.init(name: "--crop-and-scale", value: "ACTION", help: help, choices: actions)] + others
  }

  private static let others: [CommandDescription.Option] = [
    .init(
      name: "--padding", value: "ANCHOR",
      help: "where scaleToFit puts the image: centered or upperLeft (default centered)",
      choices: PaddingAnchor.allCases.map(\.rawValue)),
    .init(
      name: "--roi", value: "X,Y,W,H",
      help: "the part to look at: fractions of the upright image from its lower left"),
    .init(
      name: "--orientation", value: "1...8", help: "how to turn the image, instead of its EXIF",
      choices: ImageOrientation.allCases.map { "\($0.rawValue)" }),
    .init(
      name: "--filter", value: "FILTER", help: "how pixels are resampled: bilinear or area",
      choices: ResamplingFilter.allCases.map(\.rawValue)),
    .init(name: "--decode-full", help: "decode large JPEG files at their full size"),
  ]

  package let orientation: ImageOrientation?
  package let action: ImageCropAndScaleAction?
  package let anchor: PaddingAnchor?
  package let region: NormalizedRect?
  package let filter: ResamplingFilter?
  private let matchesAspect: Bool
  package let decodesFull: Bool

  /// Reads the options.
  ///
  /// - Throws: `UsageError`.
  package init(_ arguments: ArgumentList) throws(UsageError) {
    orientation = try arguments.integer("--orientation", in: 1...8)
      .flatMap { ImageOrientation(rawValue: $0) }
    action = try arguments.choice("--crop-and-scale", ImageCropAndScaleAction.self)
    anchor = try arguments.choice("--padding", PaddingAnchor.self)
    region = try Self.region(arguments.value("--roi"))
    filter = try arguments.choice("--filter", ResamplingFilter.self)
    matchesAspect = arguments.has("--match-aspect")
    guard !matchesAspect || arguments.value("--size") == nil else {
      throw UsageError("--match-aspect chooses the size; leave --size out")
    }
    decodesFull = arguments.has("--decode-full")
  }

  /// Sets what the options say.
  package func apply(to request: inout DetectObjectsRequest) {
    if let action { request.cropAndScaleAction = action }
    if let anchor { request.paddingAnchor = anchor }
    if let region { request.regionOfInterest = region }
    if let filter { request.resamplingFilter = filter }
    request.matchesAspect = matchesAspect
    if decodesFull { request.allowsReducedDecoding = false }
  }

  /// Sets what the options say.
  package func apply(to request: inout ClassifyImageRequest) {
    if let action { request.cropAndScaleAction = action }
    if let anchor { request.paddingAnchor = anchor }
    if let region { request.regionOfInterest = region }
    if let filter { request.resamplingFilter = filter }
    if decodesFull { request.allowsReducedDecoding = false }
  }

  /// The same for networks that write maps.
  package var view: InputView {
    var view = InputView()
    if let action { view.cropAndScaleAction = action }
    if let anchor { view.paddingAnchor = anchor }
    if let region { view.regionOfInterest = region }
    if let filter { view.resamplingFilter = filter }
    view.allowsReducedDecoding = !decodesFull
    return view
  }

  /// The part of an image that `--roi` names.
  ///
  /// - Throws: `UsageError`.
  package static func region(_ text: String?) throws(UsageError) -> NormalizedRect? {
    guard let text else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3],
      let region = try? ImageGeometry(
        storedSize: ImageSize(width: 1, height: 1),
        regionOfInterest: NormalizedRect(x: x, y: y, width: width, height: height),
        modelSize: ImageSize(width: 1, height: 1)
      ).regionOfInterest
    else {
      throw UsageError(
        "--roi is '\(text)'; expected x,y,width,height in 0...1, inside the image, such as "
          + "0,0.5,1,0.5 for its upper half")
    }
    return region
  }
}
