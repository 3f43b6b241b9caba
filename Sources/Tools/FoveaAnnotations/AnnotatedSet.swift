// Fovea - pictures with the boxes that people drew on them.
// SPDX-License-Identifier: Apache-2.0

/// What labels say of an object beside its box, in pixels of the upright picture.
package struct PlacedShape: Hashable, Sendable {
  /// A place in pixels from the upper left.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double
  }

  /// The corners of an outline, or of a turned box; empty where there is none.
  package var outline: [Point]
  /// The key points, `nil` for one that nobody labeled; empty where there are none.
  package var keypoints: [Point?]
}

/// Pictures with the boxes that people drew on them, whatever program they used.
///
///     let set = try AnnotatedSet(pictures: "pictures", annotations: "annotations.json")
///     for picture in set.pictures {
///       for box in picture.boxes { print(picture.name, set.classes[box.classIndex], box.x, box.y) }
///     }
///
/// Boxes are in pixels of the **upright** picture, counted from its upper left, and lie inside it.
/// What had to be changed or left out for this stands in `findings`.
public struct AnnotatedSet: Hashable, Sendable {
  /// A picture with its boxes.
  public struct Picture: Hashable, Sendable {
    /// The path below the folder of pictures, with "/" between its parts.
    public var name: String
    /// The path that opens the file.
    public var path: String
    /// Columns of the upright picture.
    public var width: Int
    /// Rows of the upright picture.
    public var height: Int
    /// The boxes, in the order of the annotations.
    public var boxes: [Box]

    /// Creates a picture.
    public init(name: String, path: String, width: Int, height: Int, boxes: [Box]) {
      (self.name, self.path, self.width, self.height) = (name, path, width, height)
      self.boxes = boxes
    }
  }

  /// A box around an object.
  public struct Box: Hashable, Sendable {
    /// The place of its label in the classes of the set.
    public var classIndex: Int
    /// Left edge in pixels.
    public var x: Double
    /// Upper edge in pixels.
    public var y: Double
    /// Width in pixels.
    public var width: Double
    /// Height in pixels.
    public var height: Double
    /// Whether the object is neither to be found nor missed: `difficult` objects of Pascal VOC, crowds
    /// of COCO, groups of Open Images.
    public var isIgnored: Bool
    /// What the labels say beside the box, for evaluations; `nil` elsewhere.
    package var shape: PlacedShape?

    /// Creates a box.
    public init(
      classIndex: Int, x: Double, y: Double, width: Double, height: Double, isIgnored: Bool = false
    ) {
      (self.classIndex, self.x, self.y) = (classIndex, x, y)
      (self.width, self.height, self.isIgnored) = (width, height, isIgnored)
    }

    /// Right edge in pixels.
    public var maxX: Double { x + width }
    /// Lower edge in pixels.
    public var maxY: Double { y + height }
  }

  /// The form that the annotations were read from; `nil` for a set that was made otherwise.
  public var form: AnnotationForm?
  /// The files of annotations that were read.
  package var files: [String] = []
  /// The labels. Those of YOLO and COCO keep the order of their file; others are sorted.
  public var classes: [String]
  /// Whether the annotations give numbers and no names: `classes` are "0", "1" and so on.
  public var hasNumbersForClasses = false
  /// The pictures, sorted by name. One without boxes is background.
  public var pictures: [Picture]
  /// What was noticed while the annotations were read.
  public var findings: [AnnotationFinding]

  /// Creates a set.
  public init(classes: [String], pictures: [Picture], findings: [AnnotationFinding] = []) {
    (self.classes, self.pictures, self.findings) = (classes, pictures, findings)
  }

  /// The number of boxes in all pictures.
  public var boxCount: Int { pictures.reduce(0) { $0 + $1.boxes.count } }
}
