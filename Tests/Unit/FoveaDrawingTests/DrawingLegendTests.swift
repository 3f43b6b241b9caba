// Fovea - tests of legends.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import Testing

@Suite struct DrawingLegendTests {
  private static func legend(_ count: Int) -> DrawingLegend {
    DrawingLegend(
      (0..<count).map {
        .init(text: "class \($0)", color: DrawingColor(red: UInt8($0), green: 90, blue: 9))
      })
  }

  @Test func platesLieBelowEachOtherInTheCorner() {
    let plates = Self.legend(4).instructions(in: ImageSize(width: 640, height: 480)).plates
    #expect(plates.map(\.text.text) == ["class 0", "class 1", "class 2", "class 3"])
    #expect(plates.map(\.fill.red) == [0, 1, 2, 3])
    #expect(plates[0].rect.y == 0 && plates.allSatisfy { $0.rect.x == 0 })
    for (above, below) in zip(plates, plates.dropFirst()) {
      #expect(abs(above.rect.y + above.rect.height - below.rect.y) < 1e-9)
      // Texts lie on their plates.
      let line = below.text.anchor.y
      #expect(line > below.rect.y && line < below.rect.y + below.rect.height)
    }
  }

  @Test func whatHasNoRoomIsCounted() throws {
    let size = ImageSize(width: 300, height: 120)
    let plates = Self.legend(60).instructions(in: size).plates
    let last = try #require(plates.last)
    #expect(plates.count > 1 && plates.count < 60)
    #expect(last.text.text == "\(60 - plates.count + 1) more")
    #expect(last.rect.y + last.rect.height <= 120)
    #expect(Self.legend(0).instructions(in: size).plates.isEmpty)
    #expect(Self.legend(3).instructions(in: ImageSize(width: 4, height: 3)).plates.isEmpty)
  }
}
