// Fovea - something in annotations that a person should look at.
// SPDX-License-Identifier: Apache-2.0

/// Something in annotations that a person should look at.
public struct AnnotationFinding: Hashable, Sendable {
  /// How much harm is to be expected.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The detector will be wrong, or numbers about it.
    case error
    /// The detector may be worse than it could be.
    case warning
    /// Something was understood in the only way that makes sense.
    case note

    /// Whether one is less grave than another.
    public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
  }

  /// What was found.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Pictures that cannot be read.
    case unreadablePicture
    /// Entries without a picture.
    case missingPicture
    /// Entries that fit several pictures.
    case ambiguousPicture
    /// Pictures without an entry.
    case missingEntry
    /// Units that cannot be pixels.
    case unitsAreNotPixels
    /// Pictures that are equal on both sides of the split.
    case equalPictures
    /// Pictures that are equal.
    case equalPicturesOfOneSide
    /// Boxes that lie outside.
    case boxOutside
    /// Boxes without area.
    case boxWithoutArea
    /// Boxes that reach beyond an edge.
    case boxCut
    /// The same box twice.
    case boxTwice
    /// Boxes with exchanged corners.
    case cornersExchanged
    /// Boxes under 2 pixels.
    case tinyBox
    /// Boxes under 8 pixels of the network's input.
    case smallForNetwork
    /// Labels that differ in case or spaces only.
    case similarLabels
    /// Classes with fewer than 10 boxes.
    case fewBoxes
    /// Very unequal classes.
    case unequalClasses
    /// Boxes of pictures that were not turned upright.
    case storedRows
    /// Boxes of pictures of another size.
    case scaledBoxes
    /// Paths that lead out of the folder.
    case foreignPath
    /// What is no box.
    case leftOut
  }

  /// What was found.
  public var kind: Kind
  /// The picture, or another file; `nil` for the set.
  public var file: String?
  /// What was found, and what was done about it.
  public var text: String

  init(_ kind: Kind, _ file: String? = nil, _ text: String) {
    (self.kind, self.file, self.text) = (kind, file, text)
  }

  /// How much harm is to be expected.
  public var severity: Severity { kind.severity }
}

extension AnnotationFinding.Kind {
  /// How much harm is to be expected.
  public var severity: AnnotationFinding.Severity {
    switch self {
    case .unreadablePicture, .missingPicture, .ambiguousPicture, .unitsAreNotPixels,
      .equalPictures, .boxOutside, .boxWithoutArea, .similarLabels:
      .error
    case .missingEntry, .boxCut, .boxTwice, .tinyBox, .smallForNetwork, .fewBoxes,
      .unequalClasses, .leftOut, .equalPicturesOfOneSide, .cornersExchanged:
      .warning
    case .storedRows, .scaledBoxes, .foreignPath: .note
    }
  }

  /// What was found, in words that follow a number.
  public var title: String {
    switch self {
    case .unreadablePicture: "pictures that cannot be read"
    case .missingPicture: "entries without a picture"
    case .ambiguousPicture: "entries that fit several pictures"
    case .missingEntry: "pictures without an entry"
    case .unitsAreNotPixels: "units that cannot be pixels"
    case .equalPictures: "pictures that are equal on both sides of the split"
    case .equalPicturesOfOneSide: "pictures that are equal"
    case .boxOutside: "boxes that lie outside"
    case .boxWithoutArea: "boxes without area"
    case .boxCut: "boxes that reach beyond an edge"
    case .boxTwice: "the same box twice"
    case .cornersExchanged: "boxes with exchanged corners"
    case .tinyBox: "boxes under 2 pixels"
    case .smallForNetwork: "boxes under 8 pixels of the network's input"
    case .similarLabels: "labels that differ in case or spaces only"
    case .fewBoxes: "classes with fewer than 10 boxes"
    case .unequalClasses: "very unequal classes"
    case .storedRows: "boxes of pictures that were not turned upright"
    case .scaledBoxes: "boxes of pictures of another size"
    case .foreignPath: "paths that lead out of the folder"
    case .leftOut: "what is no box"
    }
  }
}

extension AnnotationFinding: CustomStringConvertible {
  /// One line with the file and what was found in it.
  public var description: String { file.map { "\($0): \(text)" } ?? text }
}
