// Fovea - tests of contact sheets.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import FoveaPlots
import Testing

@Suite struct ContactSheetTests {
  @Test func withoutImagesThereIsNoSheet() {
    let error = #expect(throws: DrawingError.self) { try ContactSheet([]).rendered() }
    #expect(error?.reason == .nothingToDraw)
  }

  #if Drawing
    private func single(_ red: UInt8, _ width: Int, _ height: Int) throws -> Image {
      let rgb = (0..<width * height * 3).map { $0 % 3 == 0 ? red : 0 }
      return try Image(width: width, height: height, rgb: rgb)
    }

    /// Gaps are 11 pixels where letters have their smallest size.
    private let gap = 11

    @Test func imagesLieRowByRow() throws {
      // Cells of 64: images of 64 x 40 as they are, 33 x 20 not enlarged.
      let reds: [UInt8] = [40, 80, 120, 160, 200]
      let entries = try reds.enumerated().map { index, red in
        ContactSheet.Entry(try single(red, index == 4 ? 33 : 64, index == 4 ? 20 : 40))
      }
      let sheet = try ContactSheet(entries, columns: 2, cellSide: 64).rendered()
      #expect(sheet.width == gap + 2 * (64 + gap))
      #expect(sheet.height == gap + 2 * (40 + gap) + 20 + gap)
      func center(_ column: Int, _ row: Int, _ height: Int) -> DrawingColor {
        sheet.color(
          gap + column * (64 + gap) + 32, gap + row * (40 + gap) + height / 2)
      }
      #expect(center(0, 0, 40).red == 40 && center(1, 0, 40).red == 80)
      #expect(center(0, 1, 40).red == 120 && center(1, 1, 40).red == 160)
      #expect(center(0, 2, 20).red == 200)
      // The sheet's own color in the gaps and where the sixth image would be.
      #expect(sheet.color(gap + 64 + gap / 2, 30).red == 250)
      #expect(center(1, 2, 20).red == 250)
    }

    @Test func imagesThatFitKeepTheirPixels() throws {
      let image = try patternedImage(50, 40)
      let sheet = try ContactSheet([.init(image)], cellSide: 64).rendered()
      for y in 0..<40 {
        for x in 0..<50 { #expect(sheet.color(gap + x, gap + y) == image.color(x, y)) }
      }
    }

    @Test func smallImagesAreEnlargedInSquares() throws {
      let image = try patternedImage(20, 10)
      let sheet = try ContactSheet([.init(image)], cellSide: 64).rendered()
      #expect(sheet.width == 60 + 2 * gap && sheet.height == 30 + 2 * gap)
      for y in 0..<30 {
        for x in 0..<60 {
          #expect(sheet.color(gap + x, gap + y) == image.color(x / 3, y / 3))
        }
      }
    }

    @Test func largeImagesAreAveraged() throws {
      // Columns of black and white in turn become gray, not the one or the other.
      let rgb = (0..<400 * 300 * 3).map { UInt8($0 / 3 % 2 == 0 ? 0 : 255) }
      let image = try Image(width: 400, height: 300, rgb: rgb)
      let sheet = try ContactSheet([.init(image)], cellSide: 100).rendered()
      #expect(sheet.width == 100 + 2 * gap && sheet.height == 75 + 2 * gap)
      for x in 10..<90 {
        let color = sheet.color(gap + x, gap + 37)
        #expect(abs(Int(color.red) - 128) <= 12, "column \(x): \(color.red)")
      }
    }

    @Test func captionsLieBelowAndTitlesAbove() throws {
      let image = try single(9, 64, 40)
      func hasText(_ sheet: Image, _ rows: Range<Int>) -> Bool {
        rows.contains { y in (0..<sheet.width).contains { sheet.color($0, y).red < 128 } }
      }
      let plain = try ContactSheet([.init(image)], cellSide: 64).rendered()
      #expect(!hasText(plain, 51..<plain.height))
      let captioned = try ContactSheet([.init(image, caption: "left")], cellSide: 64).rendered()
      #expect(captioned.height == plain.height + 19)
      #expect(hasText(captioned, 52..<captioned.height))
      let titled = try ContactSheet([.init(image)], cellSide: 64, title: "Title").rendered()
      #expect(titled.height == plain.height + 22)
      #expect(hasText(titled, 0..<33))
    }

    @Test func boxesAreDrawnAtTheSheetsScale() throws {
      let box = LabeledBox(
        label: "", classIndex: 2,
        boundingBox: NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
      let annotated = AnnotatedImage(try single(9, 400, 400), boxes: [box])
      let sheet = try ContactSheet([.init(annotated)], cellSide: 100).rendered()
      // The left line runs along x 25 of the cell, 2 wide.
      for y in 30..<70 {
        #expect(sheet.color(gap + 24, gap + y) == DrawingColor.labelPalette[2])
        #expect(sheet.color(gap + 25, gap + y) == DrawingColor.labelPalette[2])
      }
      #expect(sheet.color(gap + 50, gap + 50).red == 9)
    }

    @Test func sheetsHaveLimits() throws {
      let wide = try single(9, 2000, 1)
      let error = #expect(throws: DrawingError.self) {
        try ContactSheet(Array(repeating: .init(wide), count: 20), columns: 20, cellSide: 2000)
          .rendered()
      }
      guard case .tooLarge = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  #endif
}
