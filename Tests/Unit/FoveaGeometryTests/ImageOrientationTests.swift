// Fovea - tests of the eight orientations.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import Testing

@Suite struct ImageOrientationTests {
  /// Upright rows of the stored image "ab" over "cd" over "ef", turned by hand.
  static let turned: [Int: [String]] = [
    1: ["ab", "cd", "ef"], 2: ["ba", "dc", "fe"], 3: ["fe", "dc", "ba"], 4: ["ef", "cd", "ab"],
    5: ["ace", "bdf"], 6: ["eca", "fdb"], 7: ["fdb", "eca"], 8: ["bdf", "ace"],
  ]

  @Test(arguments: ImageOrientation.allCases)
  func agreesWithAnImageTurnedByHand(_ orientation: ImageOrientation) throws {
    let stored = ["ab", "cd", "ef"].map(Array.init)
    let upright = try #require(Self.turned[orientation.rawValue]).map(Array.init)
    let size = orientation.uprightSize(of: ImageSize(width: 2, height: 3))
    #expect(size == ImageSize(width: upright[0].count, height: upright.count))
    #expect(orientation.storedSize(of: size) == ImageSize(width: 2, height: 3))
    for row in 0..<3 {
      for column in 0..<2 {
        let (u, v) = ((Double(column) + 0.5) / 2, (Double(row) + 0.5) / 3)
        let (x, y) = orientation.upright(u: u, v: v)
        let found = upright[Int(y * Double(size.height))][Int(x * Double(size.width))]
        #expect(found == stored[row][column])
        let back = orientation.stored(x: x, y: y)
        #expect(abs(back.u - u) < 1e-12 && abs(back.v - v) < 1e-12)
      }
    }
  }

  @Test func rawValuesAreThoseOfEXIF() {
    #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(ImageOrientation.right.rawValue == 6 && ImageOrientation.left.rawValue == 8)
    #expect(ImageOrientation.allCases.filter(\.swapsSides).map(\.rawValue) == [5, 6, 7, 8])
    for value in [0, -1, 9, Int.max, Int.min] { #expect(ImageOrientation(exif: value) == .up) }
    #expect(ImageOrientation(exif: 7) == .rightMirrored)
  }

  @Test func inverseIsAnInvolution() {
    for orientation in ImageOrientation.allCases {
      #expect(orientation.inverse.inverse == orientation)
    }
  }
}
