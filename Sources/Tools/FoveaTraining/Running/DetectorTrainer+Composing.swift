// Fovea - composed pictures as files, for reports.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaImaging

extension DetectorTrainer {
  /// The part of a run that a picture belongs to.
  package enum Part: String, Sendable {
    case learned, measured
  }

  /// Whether views are composed of starters.
  package var isComposing: Bool { starters != nil }

  /// How many pictures are composed to measure on, for so many classes.
  package static func composedCount(classes: Int) -> Int { min(max(60, 8 * classes), 200) }

  /// Whether results are measured on composed pictures, and not on labeled ones.
  package var measuresComposed: Bool { isComposing && validation.pictures.isEmpty }

  /// Writes composed pictures as PNG files: those that results are measured on, or as many on the
  /// backgrounds that are learned from.
  ///
  /// - Parameter folder: Where they go; it is made if it is not there.
  /// - Throws: `.file`, `.unsuitablePictures`.
  package func writeComposed(
    _ part: Part, to folder: String
  ) throws(TrainingError) -> TrainingSet {
    guard let material = material as? StarterMaterial else {
      throw TrainingError(.unsuitablePictures, "nothing is composed in a run without starters")
    }
    do throws(FileError) { try FilePath.makeFolders(folder) } catch {
      throw TrainingError(.file, "\(folder): \(error)")
    }
    let pictures = material.composed(side: side, isMeasured: part == .measured)
    var set = TrainingSet(labels: material.labels, pictures: [])
    for place in 0..<pictures.count {
      let (image, objects) = try pictures.picture(place)
      let path = "\(folder)/\(part.rawValue)-\(place + 1).png"
      do throws(ImageError) { try image.write(to: path, as: .png) } catch {
        throw TrainingError(.file, "\(error)")
      }
      set.pictures.append(TrainingPicture(path: path, objects: objects))
    }
    return set
  }
}
