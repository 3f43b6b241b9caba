// Fovea - the pictures of a run as annotations, for fovea evaluate and the report.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaMeasurement
internal import FoveaTraining

/// The pictures of one side of a run, as a file of annotations that `fovea evaluate` reads.
struct ReportedSet {
  /// The folder of the pictures.
  let folder: String
  /// The file of annotations.
  let path: String

  /// Writes the file.
  ///
  /// - Throws: `.unsuitablePictures`, `.file`.
  init(_ set: TrainingSet, folder: String, path: String) throws(TrainingError) {
    (self.folder, self.path) = (folder, path)
    let annotated = try Self.annotated(set, folder)
    do throws(AnnotationError) {
      // COCO's form can also say that an object is neither to be found nor missed.
      try annotated.write(as: .coco, to: path)
    } catch {
      throw TrainingError(.file, "\(error)")
    }
  }

  /// The pictures with sizes, and boxes in pixels.
  private static func annotated(
    _ set: TrainingSet, _ folder: String
  ) throws(TrainingError) -> AnnotatedSet {
    var pictures: [AnnotatedSet.Picture] = []
    for picture in set.pictures {
      do throws(ImageError) {
        let size = try PictureSize(contentsOf: picture.path, orientation: nil).upright
        let (width, height) = (Double(size.width), Double(size.height))
        pictures.append(
          AnnotatedSet.Picture(
            name: name(of: picture.path, below: folder), path: picture.path, width: size.width,
            height: size.height,
            boxes: picture.objects.map {
              AnnotatedSet.Box(
                classIndex: $0.label, x: $0.x * width, y: $0.y * height, width: $0.width * width,
                height: $0.height * height, isIgnored: $0.weight <= 0)
            }))
      } catch {
        throw TrainingError(.unsuitablePictures, "\(error)")
      }
    }
    return AnnotatedSet(classes: set.labels, pictures: pictures)
  }

  /// A path below a folder, as annotations have it.
  static func name(of path: String, below folder: String) -> String {
    let root = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  /// The images with what is in them, as `fovea evaluate` reads them.
  var images: AnnotatedImages {
    get throws {
      try AnnotatedImages(annotations: path, folder: folder, orientation: nil)
    }
  }
}
