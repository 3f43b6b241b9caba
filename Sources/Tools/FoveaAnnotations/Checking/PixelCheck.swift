// Fovea - pictures that are damaged, or equal.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
internal import FoveaLibc

/// Pictures that are damaged, or equal.
enum PixelCheck {
  /// Pixels along each side that a picture is reduced to where its format allows it.
  private static let reducedSide = 64

  static func findings(
    in set: AnnotatedSet, _ options: AnnotationCheck.Options, progress: (Int) -> Void
  ) -> [AnnotationFinding] {
    var findings: [AnnotationFinding] = []
    var places: [Fingerprint: [Int]] = [:]
    for (place, picture) in set.pictures.enumerated() {
      do throws(ImageError) {
        let file = try ImageFile(contentsOf: picture.path)
        let image = try file.decoded(
          reduction: .covering(width: reducedSide, height: reducedSide))
        places[Fingerprint(picture, image), default: []].append(place)
      } catch {
        findings.append(
          AnnotationFinding(.unreadablePicture, picture.name, error.explanation))
      }
      progress(place + 1)
    }
    let isMeasured = SetSplit(set, share: options.validationShare, seed: options.seed).isMeasured
    for group in places.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
      findings += equalPictures(group, set, isMeasured)
    }
    return findings
  }

  /// What tells most pictures apart.
  private struct Fingerprint: Hashable {
    var width: Int
    var height: Int
    var hash: UInt64

    init(_ picture: AnnotatedSet.Picture, _ image: Image) {
      (width, height) = (picture.width, picture.height)
      hash = PixelCheck.hash(image)
    }
  }

  private static func hash(_ image: Image) -> UInt64 {
    StableHash.of(image.rgb, after: StableHash.of([UInt8(image.storedOrientation)]))
  }

  /// Pictures whose reduced pixels are equal are compared in full size.
  private static func equalPictures(
    _ group: [Int], _ set: AnnotatedSet, _ isMeasured: [Bool]
  ) -> [AnnotationFinding] {
    var ofHash: [UInt64: [Int]] = [:]
    for place in group {
      guard let image = try? Image(contentsOf: set.pictures[place].path) else { continue }
      ofHash[hash(image), default: []].append(place)
    }
    return ofHash.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }.map { places in
      let others = places.dropFirst().map { set.pictures[$0].name }.joined(separator: ", ")
      let areOnBothSides = Set(places.map { isMeasured[$0] }).count > 1
      return AnnotationFinding(
        areOnBothSides ? .equalPictures : .equalPicturesOfOneSide, set.pictures[places[0]].name,
        "the same picture as \(others)" + (areOnBothSides ? "; one trains, the other measures" : "")
      )
    }
  }
}
