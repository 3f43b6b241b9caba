// Fovea - which form of annotations a JSON document has, by its keys.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// Which form of annotations a JSON document has, by its keys. Reading ends, with an error, as soon as
/// they tell.
struct JSONKeys {
  /// The form; `nil` where it is none, or not known yet.
  private(set) var form: AnnotationForm?
  /// Whether the keys are those of another kind of document.
  private(set) var isForeign = false
  private var keys: Set<String> = []

  /// Reads as far as needed.
  ///
  /// - Throws: Where the document is damaged, or the form is known.
  mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    if parser.arrayFollows() {
      // An empty list is Create ML's: no pictures.
      form = .createML
      try parser.readArray { parser throws(JSONError) in
        form = nil
        guard parser.objectFollows() else { throw parser.error("is no list of pictures") }
        try parser.readObject { parser, key throws(JSONError) in
          if let text = key.text { keys.insert(text) }
          try parser.skipValue()
        }
        form = Self.form(ofItemWith: keys)
        isForeign = form == nil
        throw parser.error("the form is known")
      }
    } else {
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "shapes", "imagePath": form = .labelMe
        case "_via_img_metadata": form = .via
        case "images", "annotations", "categories":
          keys.insert(key.text ?? "")
          if keys.count == 3 || keys.isSuperset(of: ["images", "annotations"]) { form = .coco }
          if form == nil { return try parser.skipValue() }
        default:
          guard parser.objectFollows(), keys.isEmpty else { return try parser.skipValue() }
          if try Self.isPictureOfVIA(&parser) { form = .via }
        }
        if form != nil { throw parser.error("the form is known") }
      }
    }
  }

  private static func form(ofItemWith keys: Set<String>) -> AnnotationForm? {
    if keys.contains("data") { return .labelStudio }
    let namesPicture = !keys.isDisjoint(with: [
      "imagefilename", "imageFilename", "image", "filename",
    ])
    if namesPicture, !keys.isDisjoint(with: ["annotation", "annotations"]) { return .createML }
    if keys.contains("imagefilename") { return .createML }
    // The minimal form: a task's fields beside its number.
    return keys.contains("id") && (keys.contains("label") || keys.contains("image"))
      && !keys.contains("bbox") ? .labelStudio : nil
  }

  private static func isPictureOfVIA(_ parser: inout JSONPullParser) throws(JSONError) -> Bool {
    var hasName = false, hasRegions = false
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "filename": hasName = true
      case "regions": hasRegions = true
      default: break
      }
      try parser.skipValue()
    }
    return hasName && hasRegions
  }
}
