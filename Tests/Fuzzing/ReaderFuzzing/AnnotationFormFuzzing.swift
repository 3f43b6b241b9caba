// Fovea - fuzzing: annotations in all forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations

enum AnnotationFormFuzzing {
  static let jsonForms: [AnnotationForm] = [.createML, .coco, .labelMe, .labelStudio, .via]
  static let xmlForms: [AnnotationForm] = [.voc, .cvat]
  static let tableForms: [AnnotationForm] = [.csv]

  /// The first byte chooses a form, the second a size. What is read lies in its picture, and is the same when it is written
  /// and read again; or it is refused with words.
  static func read(_ bytes: [UInt8], _ forms: [AnnotationForm]) {
    guard bytes.count >= 2 else { return }
    let rest = Array(bytes.dropFirst(2))
    _ = RawAnnotations.content(of: rest)
    let form = forms[Int(bytes[0] & 15) % forms.count]
    do throws(AnnotationError) {
      var options = AnnotationOptions()
      if bytes[1] & 1 != 0 { options.units = .normalized }
      if bytes[1] & 2 != 0 { options.origin = .bottomLeft }
      if bytes[1] & 4 != 0 { options.anchor = .bottomLeft }
      let raw = try RawAnnotations(rest, of: form, options: options)
      let set = AnnotatedSet(raw, width: 640, height: 480, exif: Int(bytes[0] >> 4) % 8 + 1)
      check(set)
      try checkAgain(set)
    } catch {
      promise(!error.cause.isEmpty && !error.remedy.isEmpty, "an error without words")
    }
  }

  /// YOLO's description of a set.
  static func readDescription(_ bytes: [UInt8]) {
    do throws(AnnotationError) {
      let description = try YOLODescription(bytes)
      promise(description.names.count <= 10_000, "\(description.names.count) names")
    } catch {
      promise(!error.cause.isEmpty && !error.remedy.isEmpty, "an error without words")
    }
  }

  private static func check(_ set: AnnotatedSet) {
    for picture in set.pictures {
      for box in picture.boxes {
        promise(set.classes.indices.contains(box.classIndex), "a label that is not there")
        promise(
          box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0
            && box.maxX <= Double(picture.width) + 1e-6
            && box.maxY <= Double(picture.height) + 1e-6, "\(box) lies outside")
      }
    }
    _ = LabelProbe.findings(set)
  }

  /// What is written of a set is read as the same boxes.
  private static func checkAgain(_ set: AnnotatedSet) throws(AnnotationError) {
    // Nothing is thinner than what is written.
    let isThin = set.pictures.lazy.flatMap(\.boxes).contains { $0.width < 1e-3 || $0.height < 1e-3 }
    for form in [AnnotationForm.createML, .coco, .cvat] where !isThin {
      guard let written = try? WrittenAnnotations(set, form, "/none"),
        let file = written.files.first
      else { continue }
      let raw = try RawAnnotations(Array(file.text.utf8), of: form)
      let again = AnnotatedSet(raw, width: 640, height: 480)
      let boxes = set.pictures.map(\.boxes.count)
      promise(again.pictures.count == boxes.count || form == .csv, "other pictures in \(form)")
    }
  }

  private enum LabelProbe {
    static func findings(_ set: AnnotatedSet) -> Int {
      var options = AnnotationCheck.Options()
      options.decodesPictures = false
      return AnnotationCheck(set, options: options).groups.count
    }
  }

  static let jsonSeeds: [[UInt8]] = [
    #"[{"imagefilename":"a.jpg","annotation":[{"label":"b","coordinates":{"x":40,"y":30,"width":40,"height":4e1}}]}]"#,
    #"{"images":[{"id":5,"file_name":"a.jpg","width":120,"height":80}],"categories":[{"id":3,"name":"b","supercategory":"x"}],"annotations":[{"id":1,"image_id":5,"category_id":3,"bbox":[20,10,40,40],"iscrowd":1}]}"#,
    #"{"version":"5.5.0","shapes":[{"label":"b","points":[[40,30],[60,30]],"shape_type":"circle","flags":{}}],"imagePath":"a.jpg","imageData":null,"imageHeight":80,"imageWidth":120}"#,
    #"[{"id":1,"data":{"image":"/u/ab12cd34-a.jpg"},"annotations":[{"was_cancelled":false,"result":[{"original_width":120,"original_height":80,"value":{"x":16.6,"y":12.5,"width":33.3,"height":50,"rotation":30,"rectanglelabels":["b"]}}]}]}]"#,
    #"{"a.jpg1":{"filename":"a.jpg","size":1,"regions":[{"shape_attributes":{"name":"polygon","all_points_x":[2,3],"all_points_y":[1,9]},"region_attributes":{"label":"b"}}]}}"#,
  ].enumerated().map { [UInt8($0.offset), 0] + Array($0.element.utf8) }

  static let xmlSeeds: [[UInt8]] = [
    "<annotation><filename>a.jpg</filename><size><width>120</width><height>80</height></size><object><name>r &amp; r</name><part><bndbox><xmin>1</xmin></bndbox></part><difficult>1</difficult><bndbox><xmin>20</xmin><ymin>10</ymin><xmax>60</xmax><ymax>50</ymax></bndbox></object></annotation>",
    "<?xml version=\"1.0\"?><annotations><image id=\"0\" name=\"a.jpg\" width=\"120\" height=\"80\"><box label=\"b\" xtl=\"20\" ytl=\"10\" xbr=\"60\" ybr=\"50\" rotation=\"9\"/><polygon label=\"b\" points=\"2,1;6,1\"/></image></annotations>",
    "<!DOCTYPE a [<!ENTITY b \"xx\"><!ENTITY c \"&b;&b;\">]><annotation><object><name>&c;</name></object></annotation>",
  ].enumerated().map { [UInt8($0.offset % 2), 0] + Array($0.element.utf8) }

  static let descriptionSeeds: [[UInt8]] = [
    "path: .\ntrain: images\nval: [a, 'b']\n\nnc: 2\nnames: ['cat', \"box\"]  # two\n",
    "names:\n  0: cat\n  1: box\nkpt_shape: [17, 3]\n", "a: &x 1\nb: *x\n", "{a: [[[[[1]]]]]}",
  ].map { Array($0.utf8) }

  static let tableSeeds: [[UInt8]] = [
    "name,label,xMin,xMax,yMin,yMax\na.jpg,\"b,\"\"c\",20,60,10,50\r\n",
    "filename;width;height;class;xmin;ymin;xmax;ymax\na.jpg;120;80;b;2;1;6;5\na.jpg;120;80;;;;;\n",
    "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsGroupOf\na,x,b,1,0.1,0.5,0.1,0.6,1\n",
  ].map { [0, 0] + Array($0.utf8) }
}
