// Fovea - annotations written as XML: Pascal VOC and CVAT.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Pascal VOC's file of one picture.
enum VOCWriter {
  static func text(of picture: AnnotatedSet.Picture, in set: AnnotatedSet) -> String {
    var text = """
      <annotation>
        <folder>\(MarkupText.escaped(PathText.folder(of: picture.name)))</folder>
        <filename>\(MarkupText.escaped(picture.name))</filename>
        <size><width>\(picture.width)</width><height>\(picture.height)</height><depth>3</depth></size>
        <segmented>0</segmented>

      """
    for box in picture.boxes {
      let edges = [("xmin", box.x), ("ymin", box.y), ("xmax", box.maxX), ("ymax", box.maxY)]
      let numbers = edges.map { "<\($0)>\(BoxNumber.text($1))</\($0)>" }.joined()
      text += """
          <object>
            <name>\(MarkupText.escaped(set.classes[box.classIndex]))</name>
            <pose>Unspecified</pose>
            <truncated>0</truncated>
            <difficult>\(box.isIgnored ? 1 : 0)</difficult>
            <bndbox>\(numbers)</bndbox>
          </object>

        """
    }
    return text + "</annotation>\n"
  }
}

/// CVAT's file of images, version 1.1.
enum CVATWriter {
  static func text(of set: AnnotatedSet) -> String {
    var text = """
      <?xml version="1.0" encoding="utf-8"?>
      <annotations>
        <version>1.1</version>

      """
    for (place, picture) in set.pictures.enumerated() {
      text += """
          <image id="\(place)" name="\(MarkupText.escaped(picture.name))" width="\(picture.width)" \
        height="\(picture.height)">

        """
      for box in picture.boxes {
        let edges = [("xtl", box.x), ("ytl", box.y), ("xbr", box.maxX), ("ybr", box.maxY)]
        let numbers = edges.map { "\($0)=\"\(BoxNumber.text($1))\"" }.joined(separator: " ")
        text += """
              <box label="\(MarkupText.escaped(set.classes[box.classIndex]))" source="manual" \
          occluded="0" \(numbers) z_order="0"/>

          """
      }
      text += "  </image>\n"
    }
    return text + "</annotations>\n"
  }
}
