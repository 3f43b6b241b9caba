// Fovea - annotations written as JSON: Create ML, COCO and LabelMe.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// Create ML's list of pictures.
enum CreateMLWriter {
  static func text(of set: AnnotatedSet) -> String {
    let pictures = set.pictures.map { picture in
      let boxes = picture.boxes.map { box in
        let number = { BoxNumber.text($0) }
        return """
          {"label": \(JSONText.quoted(set.classes[box.classIndex])), "coordinates": \
          {"x": \(number(box.x + box.width / 2)), "y": \(number(box.y + box.height / 2)), \
          "width": \(number(box.width)), "height": \(number(box.height))}}
          """
      }
      return """
        {"imagefilename": \(JSONText.quoted(picture.name)), "annotation": \
        [\(boxes.joined(separator: ", "))]}
        """
    }
    return "[" + pictures.joined(separator: ",\n") + "]\n"
  }
}

/// COCO's file of instances.
enum CocoWriter {
  static func text(of set: AnnotatedSet) -> String {
    let categories = set.classes.enumerated().map { place, label in
      "{\"id\": \(place + 1), \"name\": \(JSONText.quoted(label))}"
    }
    var images: [String] = []
    var annotations: [String] = []
    for picture in set.pictures {
      let id = images.count + 1
      images.append(
        """
        {"id": \(id), "file_name": \(JSONText.quoted(picture.name)), \
        "width": \(picture.width), "height": \(picture.height)}
        """)
      for box in picture.boxes {
        let numbers = [box.x, box.y, box.width, box.height].map { BoxNumber.text($0) }
        annotations.append(
          """
          {"id": \(annotations.count + 1), "image_id": \(id), \
          "category_id": \(box.classIndex + 1), "bbox": [\(numbers.joined(separator: ", "))], \
          "area": \(BoxNumber.text(box.width * box.height)), "iscrowd": \(box.isIgnored ? 1 : 0)}
          """)
      }
    }
    func list(_ name: String, _ items: [String]) -> String {
      "\"\(name)\": [\n\(items.joined(separator: ",\n"))\n]"
    }
    return "{" + list("images", images) + ",\n" + list("categories", categories) + ",\n"
      + list("annotations", annotations) + "}\n"
  }
}

/// LabelMe's file of one picture.
enum LabelMeWriter {
  static func text(
    of picture: AnnotatedSet.Picture, in set: AnnotatedSet, below root: String
  ) -> String {
    let shapes = picture.boxes.map { box in
      let corners = [(box.x, box.y), (box.maxX, box.maxY)].map { x, y in
        "[\(BoxNumber.text(x)), \(BoxNumber.text(y))]"
      }
      return """
        {"label": \(JSONText.quoted(set.classes[box.classIndex])), \
        "points": [\(corners.joined(separator: ", "))], "group_id": null, "description": "", \
        "shape_type": "rectangle", "flags": {}}
        """
    }
    let file = PathText.normalized(PathText.joined(root, picture.name))
    let path = PathText.relative(
      from: PathText.folder(of: file), to: PathText.normalized(picture.path))
    return """
      {"version": "5.5.0", "flags": {}, "shapes": [\(shapes.joined(separator: ",\n"))], \
      "imagePath": \(JSONText.quoted(path ?? picture.name)), "imageData": null, \
      "imageHeight": \(picture.height), "imageWidth": \(picture.width)}

      """
  }
}
