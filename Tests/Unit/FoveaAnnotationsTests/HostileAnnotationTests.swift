// Fovea - tests: documents that try to use up memory, time or the stack.
// SPDX-License-Identifier: Apache-2.0
import FoveaAnnotations
import FoveaTestSupport
import Testing

@Suite struct HostileAnnotationTests {
  private static func refusal(_ form: AnnotationForm, _ text: String) -> String {
    do throws(AnnotationError) {
      let raw = try RawAnnotations(Array(text.utf8), of: form)
      return "read: \(raw.pictures.count)"
    } catch {
      return error.description
    }
  }

  @Test func entitiesAndDepthOfXMLAreRefused() {
    let laughs = (1...9).map { "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);\">" }.joined()
    let own = "entities of its own are refused; write the texts out"
    for text in [
      "<!DOCTYPE a [<!ENTITY l0 \"ha\">\(laughs)]><annotation>&l9;</annotation>",
      "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><annotation>&x;</annotation>",
      "<!DOCTYPE a SYSTEM \"http://h/a.dtd\"><annotation><filename>&x;</filename></annotation>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM \"http://h/p\">%p;]><annotation/>",
    ] {
      #expect(Self.refusal(.voc, text).contains(own), "\(Self.refusal(.voc, text))")
    }
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(Self.refusal(.voc, deep).contains("has elements inside 32 others"))
    let long = "<annotation><filename>" + String(repeating: "x", count: 1 << 17)
    #expect(Self.refusal(.voc, long).contains("has a text of more than 65536 bytes"))
    #expect(
      Self.refusal(.voc, "<annotation>\n<filename>\n").contains("line 3: ends within an element"))
    #expect(Self.refusal(.cvat, "<annotations><image/></annotations>").contains("without name"))
    #expect(Self.refusal(.cvat, "<annotations><track/></annotations>").contains("CVAT for images"))
    #expect(Self.refusal(.voc, "").contains("is no XML"))
  }

  @Test func depthAndNamesOfYAMLAreRefused() {
    func refusal(_ text: String) -> String {
      do throws(AnnotationError) {
        return "names: \(try YOLODescription(Array(text.utf8)).names)"
      } catch {
        return error.description
      }
    }
    #expect(refusal("a: &x [1]\nnames: *x\n").contains("line 1: gives values names"))
    #expect(refusal("names: *x\n").contains("gives values names"))
    #expect(refusal(String(repeating: "[", count: 50_000)).contains("has values inside 17 others"))
    #expect(refusal(String(repeating: "- a\n", count: 200_000)).contains("has too many values"))
    #expect(refusal(String(repeating: "#", count: 2 << 20)).contains("more than 1048576 bytes"))
    #expect(refusal("names: [a\n").contains("is no YAML"))
    #expect(refusal("names: {5000000: a}").contains("key '5000000'"))
    #expect(refusal("nc: 3\nnames: [a]").contains("nc is 3, and names has 1"))
    #expect(refusal("nc: 99999999999999999999").contains("expected the number of classes"))
    #expect(refusal("") == "names: []" && refusal("names: {1: b}") == #"names: ["0", "b"]"#)
  }

  @Test func tablesAreReadByTheLetter() {
    let header = "name,label,xMin,xMax,yMin,yMax\n"
    for (rows, words) in [
      ("a.jpg,b,1,2\n", "line 2: has 4 cells, and the first line 6"),
      ("a.jpg,b,1,x,3,4\n", "line 2: xMax is 'x', not a number"),
      ("a.jpg,b,1,nan,3,4\n", "xMax is 'nan'"), ("a.jpg,\"b\n,1,2,3,4\n", "line 2: a quoted cell"),
      ("a.jpg,\"b\"c,1,2,3,4\n", "something stands behind a quoted cell"),
      (",b,1,2,3,4\n", "names no picture"),
      ("a.jpg,\"x\ny\",1,2,3,4\n\na.jpg,b,1,2,3,?\n", "line 5: yMax is '?'"),
      ("a.jpg,\(String(repeating: "b", count: 1 << 17)),1,2,3,4", "more than 65536 bytes"),
    ] {
      #expect(Self.refusal(.csv, header + rows).contains(words), "\(rows.prefix(40))")
    }
    #expect(Self.refusal(.csv, "a,b\n1,2\n").contains("does not name the columns"))
    #expect(Self.refusal(.csv, header + "a.jpg,,,,,\n") == "read: 1")
  }

  @Test func depthAndNumbersOfJSONAreRefused() {
    let deep = "[{\"image\": \"a\", \"x\": " + String(repeating: "[", count: 100_000)
    #expect(Self.refusal(.createML, deep).contains("more than 64 arrays and objects"))
    let text = """
      [{"image": "a", "annotations": [{"label": "b", "coordinates": \
      {"x": 1e300, "y": 2, "width": 3, "height": 4}}]}]
      """
    #expect(Self.refusal(.createML, text) == "read: 1")
    let raw = try? RawAnnotations(Array(text.utf8), of: .createML)
    let set = raw.map { AnnotatedSet($0, width: 9, height: 9) }
    #expect(set?.findings.map(\.kind) == [.boxOutside])
    #expect(
      Self.refusal(
        .coco,
        #"{"images":[],"categories":[],"annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}"#
      )
      .contains("image 1 and category 1, which are not both listed"))
  }

  @Test func librariesThatAreMissingAreNamed() {
    for (error, package) in [
      (
        LibraryProbe.refusalOfXML(fileName: "libnone.so.1"),
        "install libexpat1 (the name in Debian)"
      ),
      (LibraryProbe.refusalOfYAML(fileName: "libnone.so.1"), "install libyaml-0-2 (the name in"),
      // A library without the functions.
      (LibraryProbe.refusalOfXML(fileName: "libyaml-0.so.2"), "install libexpat1"),
    ] {
      #expect(error?.kind == .libraryUnavailable)
      #expect(error?.description.contains(package) == true)
    }
    #expect(LibraryProbe.refusalOfXML(fileName: "libexpat.so.1") == nil)
  }

  /// Megabytes of a picture inside the file are passed over.
  @Test func thePictureInsideIsNotDecoded() throws {
    let text = """
      {"imageData": "\(String(repeating: "QUJD", count: 1 << 20))", "imagePath": "a.jpg", \
      "shapes": [{"label": "b", "points": [[1, 2], [3, 4]]}]}
      """
    let bytes = Array(text.utf8)
    let seconds = try threadSeconds {
      let raw = try RawAnnotations(bytes, of: .labelMe)
      #expect(raw.pictures[0].boxes.count == 1)
    }
    #expect(seconds < (BuildConfiguration.isSwiftOptimized ? 0.1 : 2))
  }

  @Test func aHundredThousandBoxesTakeLessThanASecond() throws {
    let count = BuildConfiguration.isSwiftOptimized ? 100_000 : 10_000
    var text = #"{"images":["#
    text += (0..<1000).map { #"{"id":\#($0),"file_name":"\#($0).jpg","width":640,"height":480}"# }
      .joined(separator: ",")
    text += #"],"categories":[{"id":1,"name":"b"}],"annotations":["#
    text += (0..<count).map {
      #"{"id":\#($0 + 1),"image_id":\#($0 % 1000),"category_id":1,"bbox":[\#($0 / 1000).25,\#($0 % 300).5,20.125,30.75],"area":600,"iscrowd":0,"segmentation":[[1.5,2.5,3.5,4.5]]}"#
    }.joined(separator: ",")
    let bytes = Array((text + "]}").utf8)
    let seconds = try threadSeconds {
      let set = AnnotatedSet(try RawAnnotations(bytes, of: .coco), width: 640, height: 480)
      #expect(set.boxCount == count)
    }
    #expect(seconds < 1)
  }
}
