// Fovea - tests of drawings as SVG.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The elements of an XML file in their order, with attributes and text.
private final class ElementList: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? .nan }
  }
  var elements: [Element] = []
  private var open: [Int] = []

  init(_ bytes: [UInt8]) throws {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func named(_ name: String) -> [Element] { elements.filter { $0.name == name } }
}

@Suite struct SVGDrawingTests {
  private let style = DrawingStyle(lineWidth: 4, casingWidth: 2, fontSize: 20)
  private let size = ImageSize(width: 1000, height: 500)

  private func box(_ label: String) -> LabeledBox {
    LabeledBox(
      label: label, classIndex: 2, confidence: 0.956,
      boundingBox: NormalizedRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
  }

  private func parsed(_ label: String, regions: [LabeledRegion] = []) throws -> ElementList {
    let drawing = DrawingInstructions([box(label)], regions: regions, in: size, style: style)
    return try ElementList(drawing.svgBytes())
  }

  @Test func theRootHasTheImagesSize() throws {
    let root = try #require(try parsed("dog").elements.first)
    #expect(root.name == "svg")
    #expect(root.attributes["xmlns"] == "http://www.w3.org/2000/svg")
    #expect(root.attributes["width"] == "1000" && root.attributes["height"] == "500")
    #expect(root.attributes["viewBox"] == "0 0 1000 500")
  }

  @Test func shapesAreTheInstructions() throws {
    let list = try parsed("dog")
    let rects = list.named("rect")
    // Casing and line of the box, then the plate and its border.
    #expect(rects.count == 4)
    for rect in rects.prefix(2) {
      #expect(["x", "y", "width", "height"].map(rect.number) == [100, 200, 300, 200])
      #expect(rect.attributes["fill"] == "none")
    }
    #expect(rects[0].number("stroke-width") == 8 && rects[0].number("stroke-opacity") == 0.75)
    #expect(rects[1].attributes["stroke"] == "#1E87FF" && rects[1].number("stroke-width") == 4)
    #expect(rects[1].attributes["stroke-opacity"] == nil)
    #expect(rects[2].attributes["fill"] == "#1E87FF")
    let text = try #require(list.named("text").first)
    #expect(text.text == "dog 96%")
    #expect(text.number("x") == 105.2 && text.number("y") == 189.4)
    #expect(text.number("font-size") == 20)
    // d 716, o 687, g 716, space 348, digits 696, % 1002 thousandths of 20, rounded to thousandths.
    #expect(text.number("textLength") == 97.22)
    #expect(list.elements.last?.name == "text")
  }

  @Test func labelsAreEscaped() throws {
    for label in ["<&>\"'", "]]>", "größe 車", "a\u{0}b\u{FFFE}c\nd", "</text><script/>"] {
      let list = try parsed(label)
      let expected =
        label.replacingOccurrences(of: "\u{0}", with: " ")
        .replacingOccurrences(of: "\n", with: " ")
        .replacingOccurrences(of: "\u{FFFE}", with: "\u{FFFD}")
      #expect(list.named("text").map(\.text) == [expected + " 96%"])
      #expect(list.elements.count == 6)
    }
  }

  @Test func regionsHaveDashes() throws {
    let region = LabeledRegion(rect: NormalizedRect(x: 0.5, y: 0, width: 0.25, height: 0.5))
    let rects = try parsed("dog", regions: [region]).named("rect")
    #expect(rects[0].attributes["stroke-dasharray"] == nil)
    #expect(rects[1].attributes["stroke-dasharray"] == "20 14")
  }

  @Test func numbersAreShortDecimals() throws {
    let thin = LabeledBox(
      label: "", boundingBox: NormalizedRect(x: 1.0 / 3, y: 0.25, width: 1e-7, height: 0.5))
    let drawing = DrawingInstructions([thin], in: size, style: style)
    let rect = try #require(try ElementList(drawing.svgBytes()).named("rect").first)
    #expect(rect.attributes["x"] == "333.333")
    #expect(rect.attributes["width"] == "0")
    #expect(rect.attributes["y"] == "125")
  }

  #if PNG
    @Test(arguments: [(2, 1), (1, 1), (7, 5), (64, 48), (31, 33)])
    func theImageLiesInTheFile(width: Int, height: Int) throws {
      let image = try patternedImage(width, height, orientation: 6)
      let list = try ElementList(AnnotatedImage(image).svgBytes())
      let element = try #require(list.named("image").first)
      #expect(element.number("width") == Double(height))
      #expect(element.number("height") == Double(width))
      let link = try #require(element.attributes["xlink:href"])
      let prefix = "data:image/png;base64,"
      #expect(link.hasPrefix(prefix))
      let bytes = try #require(Data(base64Encoded: String(link.dropFirst(prefix.count))))
      #expect(try Image(bytes: [UInt8](bytes)) == image.upright())
    }

    @Test func theImageMayBeLeftOut() throws {
      let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box("dog")])
      let list = try ElementList(annotated.svgBytes(embedsImage: false))
      #expect(list.named("image").isEmpty)
      #expect(list.elements.first?.attributes["viewBox"] == "0 0 80 60")
    }

    @Test func viewsPlaceTheImage() throws {
      let place = ImageRect(x: 0, y: 10, width: 100, height: 75, origin: .upperLeft)
      let canvas = DrawingCanvas(width: 100, height: 95, image: place)
      let drawing = DrawingInstructions([], on: canvas)
      let list = try ElementList(drawing.svgBytes(over: patternedImage(8, 6)))
      let image = try #require(list.named("image").first)
      #expect(["x", "y", "width", "height"].map(image.number) == [0, 10, 100, 75])
    }
  #else
    @Test func withoutPNGTheImageCannotLieInTheFile() throws {
      let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box("dog")])
      let error = #expect(throws: DrawingError.self) { try annotated.svgBytes() }
      #expect(error?.reason == .image(.traitDisabled(.png)))
    }
  #endif
}
