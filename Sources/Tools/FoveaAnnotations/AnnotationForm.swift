// Fovea - the forms that annotations are written in.
// SPDX-License-Identifier: Apache-2.0

/// A form of annotations, recognized by content and never by the name of a file.
public enum AnnotationForm: String, Hashable, Sendable, CaseIterable {
  /// Create ML's JSON, also as LabelImg, RectLabel and Roboflow write it.
  case createML = "createml"
  /// COCO's JSON of instances.
  case coco
  /// Pascal VOC: an XML file for each picture.
  case voc
  /// YOLO: a text file for each picture, and a description in YAML.
  case yolo
  /// LabelMe: a JSON file for each picture.
  case labelMe = "labelme"
  /// CVAT's XML for images, version 1.1.
  case cvat
  /// A table with a line for each box: of Turi Create, TensorFlow or Open Images.
  case csv
  /// Label Studio's JSON, complete or minimal. Read only.
  case labelStudio = "label-studio"
  /// JSON of the VGG Image Annotator. Read only.
  case via

  /// The name for people.
  public var title: String {
    switch self {
    case .createML: "Create ML"
    case .coco: "COCO"
    case .voc: "Pascal VOC"
    case .yolo: "YOLO"
    case .labelMe: "LabelMe"
    case .cvat: "CVAT"
    case .csv: "CSV"
    case .labelStudio: "Label Studio"
    case .via: "VIA"
    }
  }

  /// The names of all forms for people, in a sentence.
  package static var allTitles: String { allCases.map(\.title).joined(separator: ", ") }

  /// Whether each picture has a file of its own.
  var hasFileForPicture: Bool { [.voc, .yolo, .labelMe].contains(self) }

  /// Whether a picture without boxes may be missing in the annotations: it is background.
  var leavesOutBackground: Bool { self == .yolo || self == .csv }
}
