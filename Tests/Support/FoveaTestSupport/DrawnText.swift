// Fovea - tests: pages of letters whose places are known exactly.
// SPDX-License-Identifier: Apache-2.0

/// A page of capitals that are drawn with strokes, dark on light, and where each of them lies.
public struct DrawnText: Sendable {
  /// A letter, and where its ink lies in pixels of the page, which is upright.
  public struct Letter: Sendable {
    /// The capital.
    public let text: Character
    /// The edges of its ink.
    public let left, top, right, bottom: Double
  }

  /// Columns and rows.
  public let width, height: Int
  /// The letters of each line, without spaces.
  public private(set) var lines: [[Letter]] = []
  /// Red, green and blue of every pixel.
  public private(set) var rgb: [UInt8]

  /// The height of capitals between the middles of strokes, in pixels.
  public static let capital = 14.0
  /// The left end of each line, and the top of the first, in pixels.
  public static let (left, top) = (40.0, 40.0)
  private static let (unit, pitch) = (2.0, 28.0)

  /// The page that tests read: three lines, which make no sense upside down.
  public static let sample = DrawnText(["THE MAN WAITED", "TWELVE MEN TALK", "FIVE WHITE LAKE"])

  /// A page of some lines of the letters A, D to F, H, I, K to N, T, V, W and spaces.
  public init(_ texts: [String], width: Int = 300, height: Int = 140) {
    (self.width, self.height) = (width, height)
    rgb = [UInt8](repeating: 225, count: width * height * 3)
    for (index, text) in texts.enumerated() {
      var x = Self.left
      let y = Self.top + Double(index) * Self.pitch
      var letters: [Letter] = []
      for character in text {
        guard let strokes = Self.strokes[character] else {
          x += 4 * Self.unit
          continue
        }
        let ends = strokes.map { $0 * Self.unit + SIMD4(x, y, x, y) }
        for stroke in ends { draw(stroke) }
        let right = ends.map { max($0.x, $0.z) }.max() ?? x
        let half = Self.unit / 2
        letters.append(
          Letter(
            text: character, left: x - half, top: y - half, right: right + half,
            bottom: y + Self.capital + half))
        x = right + 2 * Self.unit
      }
      lines.append(letters)
    }
  }

  /// The pixels of the page upside down.
  public var upsideDown: [UInt8] {
    stride(from: rgb.count - 3, through: 0, by: -3).flatMap { rgb[$0..<$0 + 3] }
  }

  /// Draws a stroke with round ends, from x, y to z, w.
  private mutating func draw(_ stroke: SIMD4<Double>) {
    let (start, along) = (stroke.lowHalf, stroke.highHalf - stroke.lowHalf)
    let columns = Int(min(stroke.x, stroke.z)) - 3...Int(max(stroke.x, stroke.z)) + 3
    let rows = Int(min(stroke.y, stroke.w)) - 3...Int(max(stroke.y, stroke.w)) + 3
    for row in rows where (0..<height).contains(row) {
      for column in columns where (0..<width).contains(column) {
        let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5) - start
        let share = min(max((place * along).sum() / (along * along).sum(), 0), 1)
        let miss = place - share * along
        let ink = min(max(Self.unit / 2 - (miss * miss).sum().squareRoot() + 0.5, 0), 1)
        for at in 3 * (row * width + column)..<3 * (row * width + column) + 3 {
          rgb[at] = min(rgb[at], UInt8(225 - 195 * ink))
        }
      }
    }
  }

  /// From x, y to z, w: units from the upper left, of which capitals are seven high.
  private static let strokes: [Character: [SIMD4<Double>]] = [
    "A": [[0, 7, 2.5, 0], [2.5, 0, 5, 7], [1, 4.5, 4, 4.5]],
    "D": [
      [0, 0, 0, 7], [0, 0, 3, 0], [3, 0, 4.8, 2], [4.8, 2, 4.8, 5], [4.8, 5, 3, 7], [3, 7, 0, 7],
    ],
    "E": [[0, 0, 0, 7], [0, 0, 4.5, 0], [0, 3.5, 3.8, 3.5], [0, 7, 4.5, 7]],
    "F": [[0, 0, 0, 7], [0, 0, 4.5, 0], [0, 3.5, 3.8, 3.5]],
    "H": [[0, 0, 0, 7], [5, 0, 5, 7], [0, 3.5, 5, 3.5]],
    "I": [[0, 0, 0, 7]],
    "K": [[0, 0, 0, 7], [0, 4.5, 4.5, 0], [1.7, 3, 5, 7]],
    "L": [[0, 0, 0, 7], [0, 7, 4.2, 7]],
    "M": [[0, 7, 0, 0], [0, 0, 3, 5], [3, 5, 6, 0], [6, 0, 6, 7]],
    "N": [[0, 7, 0, 0], [0, 0, 5, 7], [5, 7, 5, 0]],
    "T": [[0, 0, 5, 0], [2.5, 0, 2.5, 7]],
    "V": [[0, 0, 2.5, 7], [2.5, 7, 5, 0]],
    "W": [[0, 0, 1.8, 7], [1.8, 7, 3.5, 1], [3.5, 1, 5.2, 7], [5.2, 7, 7, 0]],
  ]
}
