// Fovea - test boxes in all orientations and actions.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaPlots

/// Test boxes in all orientations and actions, as one sheet.
///
/// Boxes that are in the wrong place are the commonest complaint about detectors. Here none comes
/// from a network: five boxes of the upright image are brought to the network's input, where a
/// person sees at a glance whether the whole traces the image's edge and each quarter lies on its
/// quarter.
struct BoxSheet {
  /// The whole and the quarters, from the lower left.
  static let boxes: [LabeledBox] = [
    ("whole", NormalizedRect.fullImage),
    ("upper left", NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5)),
    ("upper right", NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)),
    ("lower left", NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5)),
    ("lower right", NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5)),
  ].enumerated().map { index, box in
    LabeledBox(label: box.0, classIndex: index, boundingBox: box.1)
  }

  private var entries: [ContactSheet.Entry] = []
  private let title: String

  /// Prepares the image at `path` in every orientation and by every action.
  ///
  /// - Throws: `CommandFailure`.
  init(_ path: String, _ request: DetectObjectsRequest) throws {
    title = "\(path), boxes of the upright image in inputs of \(request.inputSize)"
    let upright: Image
    do throws(ImageError) {
      upright = try Image(contentsOf: path).upright()
    } catch {
      throw CommandFailure("\(error)")
    }
    do {
      for orientation in ImageOrientation.allCases {
        let stored = try upright.stored(as: orientation)
        for action in ImageCropAndScaleAction.allCases {
          var request = request
          request.cropAndScaleAction = action
          entries.append(try Self.entry(stored, request, orientation))
        }
      }
    } catch let error as DetectionError {
      throw error.reported(file: path)
    }
  }

  /// The sheet, a row for each orientation.
  func contact() -> ContactSheet {
    ContactSheet(
      entries, columns: ImageCropAndScaleAction.allCases.count, cellSide: 240, title: title)
  }

  private static func entry(
    _ stored: Image, _ request: DetectObjectsRequest, _ orientation: ImageOrientation
  ) throws -> ContactSheet.Entry {
    let input = try request.networkInput(on: stored)
    let boxes = boxes.map { box in
      var moved = box
      moved.boundingBox = input.geometry.convert(box.boundingBox, from: .upright, to: .model)
      return moved
    }
    return ContactSheet.Entry(
      AnnotatedImage(input.image, boxes: boxes),
      caption: "\(orientation.rawValue) \(orientation), \(request.cropAndScaleAction.rawValue)")
  }
}

extension Image {
  /// An upright image as a camera that is held as `orientation` says would store it.
  fileprivate func stored(as orientation: ImageOrientation) throws(ImageError) -> Image {
    let turned = try Image(
      width: width, height: height, rgb: rgb, storedOrientation: orientation.inverse.rawValue
    ).upright()
    return try Image(
      width: turned.width, height: turned.height, rgb: turned.rgb,
      storedOrientation: orientation.rawValue)
  }
}
