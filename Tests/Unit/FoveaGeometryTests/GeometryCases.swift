// Fovea - geometries on which the tests agree, and how near two numbers are.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport

/// The part of a geometry that is no number.
struct GeometryChoice: Hashable, CustomStringConvertible {
  let orientation: ImageOrientation
  let action: ImageCropAndScaleAction
  let anchor: PaddingAnchor

  static let all = ImageOrientation.allCases.flatMap { orientation in
    ImageCropAndScaleAction.allCases.flatMap { action in
      PaddingAnchor.allCases.map {
        GeometryChoice(orientation: orientation, action: action, anchor: $0)
      }
    }
  }

  var description: String { "\(orientation) \(action) \(anchor)" }

  /// A geometry of an **upright** size, so that all choices show the same image.
  func geometry(
    upright: ImageSize, region: NormalizedRect = .fullImage, model: ImageSize
  ) throws -> ImageGeometry {
    try ImageGeometry(
      storedSize: orientation.storedSize(of: upright), orientation: orientation,
      regionOfInterest: region, cropAndScaleAction: action, paddingAnchor: anchor,
      modelSize: model)
  }
}

extension SplitMix {
  /// A side from 1 to `largest`: often 1, a small number or a prime, else any order of magnitude.
  mutating func side(upTo largest: Int) -> Int {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: 1
    case 1: Int.random(in: 1...min(16, largest), using: &self)
    case 2: min(largest, [2, 3, 7, 31, 97, 211, 997, 1021, 4093, 16381][Int(next() % 10)])
    case 3: largest - Int.random(in: 0..<min(3, largest), using: &self)
    default: min(largest, 1 << Int.random(in: 0...20, using: &self) + Int(next() % 97))
    }
  }

  /// A size with independent sides, so that aspects are extreme.
  mutating func size(upTo largest: Int) -> ImageSize {
    ImageSize(width: side(upTo: largest), height: side(upTo: largest))
  }

  /// A region of interest with sides of at least a hundredth; the whole image every fourth time.
  mutating func region() -> NormalizedRect {
    guard next() % 4 != 0 else { return .fullImage }
    let width = Double.random(in: 0.01...1, using: &self)
    let height = Double.random(in: 0.01...1, using: &self)
    return NormalizedRect(
      x: Double.random(in: 0...(1 - width), using: &self),
      y: Double.random(in: 0...(1 - height), using: &self), width: width, height: height)
  }
}

/// The greatest difference between two rectangles' numbers.
func distance(_ a: NormalizedRect, _ b: NormalizedRect) -> Double {
  max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height))
}

/// The greatest difference between two rectangles' numbers; infinite for different origins.
func distance(_ a: ImageRect, _ b: ImageRect) -> Double {
  guard a.origin == b.origin else { return .infinity }
  return max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height))
}

/// The greatest difference between two points' numbers.
func distance(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
  max(abs(a.x - b.x), abs(a.y - b.y))
}
