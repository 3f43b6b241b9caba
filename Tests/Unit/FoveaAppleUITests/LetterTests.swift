// Fovea - tests of letters, shadows and transactions of layers.
// SPDX-License-Identifier: Apache-2.0
import QuartzCore
import Testing

@Suite("Letters and shadows of layers") struct LetterTests {
  private func label(_ words: String) -> CATextLayer {
    let text = CATextLayer()
    text.frame = CGRect(x: 0, y: 0, width: 200, height: 60)
    text.string = words
    text.fontSize = 20
    text.foregroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
    return text
  }

  @Test("Letters stand at the top, left, in the middle or right") func alignment() throws {
    let text = label("HHH")
    let left = try #require(try LayerPixels(text, width: 200, height: 60).touched)
    #expect(left.columns.lowerBound < 4 && left.columns.upperBound < 70)
    // Capitals are about 0.73 of the font's size, and stand about 0.2 below the top.
    #expect((3...6).contains(left.rows.lowerBound) && (17...21).contains(left.rows.upperBound))
    text.alignmentMode = .right
    let right = try #require(try LayerPixels(text, width: 200, height: 60).touched)
    #expect(right.columns.upperBound > 195 && right.columns.count == left.columns.count)
    text.alignmentMode = .center
    let middle = try #require(try LayerPixels(text, width: 200, height: 60).touched)
    #expect(abs(middle.columns.lowerBound + middle.columns.upperBound - 199) <= 2)
    let colors = try LayerPixels(text, width: 200, height: 60).samples
    #expect(colors.contains([0, 0, 255, 255]))
    #expect(colors.allSatisfy { $0[0] == 0 && $0[2] == $0[3] })
  }

  @Test("Letters grow with their size, weight and lines, and are wrapped") func sizes() throws {
    let text = label("brown fox")
    let plain = try LayerPixels(text, width: 200, height: 60).alpha
    text.font = "Helvetica-Bold" as CFString
    #expect(try LayerPixels(text, width: 200, height: 60).alpha > 1.2 * plain)
    text.fontSize = 10
    #expect(try LayerPixels(text, width: 200, height: 60).alpha < 0.5 * plain)
    text.fontSize = 20
    text.frame.size.width = 80
    text.isWrapped = true
    let rows = try #require(try LayerPixels(text, width: 200, height: 60).touched).rows
    #expect(rows.count > 30)
    text.isWrapped = false
    text.truncationMode = .end
    let line = try #require(try LayerPixels(text, width: 200, height: 60).touched)
    #expect(line.rows.count < 25 && line.columns.upperBound < 81)
  }

  @Test("A shadow has the area of what throws it") func shadow() throws {
    let root = filled(0, 0, 80, 80, nil)
    let box = filled(30, 30, 20, 10, red)
    box.shadowOpacity = 0.5
    box.shadowOffset = CGSize(width: 0, height: 20)
    box.shadowRadius = 2
    box.shadowColor = blue
    root.addSublayer(box)
    let pixels = try LayerPixels(root, width: 80, height: 80)
    #expect(pixels[40, 35] == [255, 0, 0, 255])
    #expect(pixels[40, 55][2] > 120 && pixels[40, 55][0] == 0)
    #expect(abs(pixels.alpha - 200 - 100) < 6)
    box.shadowRadius = 0
    let sharp = try LayerPixels(root, width: 80, height: 80)
    #expect(sharp[30, 50] == [0, 0, 128, 128] && sharp[29, 50] == [0, 0, 0, 0])
  }

  @Test("Transactions are nested, and tell when they end") func transactions() {
    var order: [Int] = []
    CATransaction.begin()
    CATransaction.setValue(kCFBooleanTrue, forKey: kCATransactionDisableActions)
    CATransaction.setCompletionBlock { order.append(1) }
    CATransaction.begin()
    #expect(CATransaction.disableActions())
    CATransaction.setDisableActions(false)
    CATransaction.setAnimationDuration(2)
    #expect(!CATransaction.disableActions() && CATransaction.animationDuration() == 2)
    CATransaction.setCompletionBlock { order.append(2) }
    CATransaction.commit()
    #expect(CATransaction.disableActions() && CATransaction.animationDuration() == 0.25)
    CATransaction.commit()
    #expect(order == [2, 1] && !CATransaction.disableActions())
    let start = CACurrentMediaTime()
    #expect(start > 0 && CACurrentMediaTime() >= start)
  }
}
