// Fovea - images with maps that annotators or instruments made of them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
internal import FoveaFiles
package import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime

/// Images with a map of each, a file of the same name in another folder: `images/a.jpg` and
/// `maps/a.png`.
package struct MapFolder {
  /// An image.
  package struct Entry {
    package var image: String
    package var map: String
  }

  package let entries: [Entry]

  /// The pairs of two folders.
  ///
  /// - Parameter endings: What maps end in.
  /// - Throws: `CommandFailure`, also for an image without a map, or with two.
  package init(
    images: String, maps: String, endings: [String]
  ) throws(CommandFailure) {
    guard let names = SystemInterface.fileNames(in: maps) else {
      throw CommandFailure(
        "\(maps): is no folder; name the folder of the maps, \(endings.joined(separator: " or "))")
    }
    var mapOfStem: [String: String] = [:]
    for name in names.sorted() where endings.contains(where: name.lowercased().hasSuffix) {
      if let other = mapOfStem.updateValue(name, forKey: FilePath.stem(of: name)) {
        throw CommandFailure(
          "\(maps)/\(name): \(other) is a map of the same image; keep one of them")
      }
    }
    var entries: [Entry] = []
    for image in try ImageList.paths(in: images) {
      guard let map = mapOfStem[FilePath.stem(of: image)] else {
        throw CommandFailure(
          "\(image): has no map in \(maps); expected \(FilePath.stem(of: image))"
            + endings.joined(separator: " or "))
      }
      entries.append(Entry(image: image, map: maps + "/" + map))
    }
    self.entries = entries
  }

  /// The numbers of a map, each of which stands for a class; 8 or 16 bits.
  ///
  /// - Throws: `CommandFailure`, also for a map of another size.
  package static func classes(
    _ path: String, size: ImageSize
  ) throws(CommandFailure) -> [UInt16] {
    let map = try numbers(path)
    try check(path, ImageSize(width: map.width, height: map.height), size)
    return map.samples
  }

  /// The depths of a map in meters: floats of a `.npy` file, or levels of a PNG file.
  ///
  /// - Parameter levelsPerMeter: Of PNG files.
  /// - Throws: As above.
  package static func depths(
    _ path: String, size: ImageSize, levelsPerMeter: Double
  ) throws(CommandFailure) -> [Float] {
    guard path.lowercased().hasSuffix(".npy") else {
      let map = try numbers(path)
      try check(path, ImageSize(width: map.width, height: map.height), size)
      return map.samples.map { Float(Double($0) / levelsPerMeter) }
    }
    let array: Tensor
    do {
      array = try Tensor(contentsOf: path)
    } catch {
      throw CommandFailure("\(error)")
    }
    guard array.rank == 2 else {
      throw CommandFailure("\(path): expected floats in rows and columns: (height, width)")
    }
    try check(path, ImageSize(width: array.shape[1], height: array.shape[0]), size)
    return array.floats()
  }

  private static func numbers(
    _ path: String
  ) throws(CommandFailure) -> (width: Int, height: Int, samples: [UInt16]) {
    do {
      return try PNGMaps.numbers(in: FileBytes.read(path, maximumCount: 1 << 28))
    } catch let error as ImageError {
      throw CommandFailure("\(path): \(error.explanation)")
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  private static func check(
    _ path: String, _ found: ImageSize, _ expected: ImageSize
  ) throws(CommandFailure) {
    guard found == expected else {
      throw CommandFailure("\(path): is \(found), and its image is \(expected), upright")
    }
  }
}
