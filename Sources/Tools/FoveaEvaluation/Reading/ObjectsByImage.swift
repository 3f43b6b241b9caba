// Fovea - objects of many images, image by image.
// SPDX-License-Identifier: Apache-2.0

/// Objects of many images, gathered in the order of a file and handed out image by image.
struct ObjectsByImage<Object: Sendable>: Sendable {
  private var objects: [Object] = []
  private var places: [Int: Range<Int>] = [:]

  /// The images that have objects, ascending.
  var images: [Int] { places.keys.sorted() }
  /// The number of objects.
  var count: Int { objects.count }

  /// The objects in an image, in the order in which they were gathered.
  subscript(image: Int) -> [Object] { places[image].map { Array(objects[$0]) } ?? [] }

  /// Sorts `objects`, whose images are `images`.
  init(_ objects: consuming [Object], images: [Int]) {
    let isGrouped = zip(images, images.dropFirst()).allSatisfy { $0 <= $1 }
    let order =
      isGrouped
      ? Array(images.indices)
      : images.indices.sorted { (images[$0], $0) < (images[$1], $1) }
    self.objects = isGrouped ? objects : order.map { [objects] in objects[$0] }
    var start = 0
    while start < order.count {
      let image = images[order[start]]
      var end = start
      while end < order.count, images[order[end]] == image { end += 1 }
      places[image] = start..<end
      start = end
    }
  }

  /// The first error of a check, image by image.
  func obstacle(
    _ check: (Object, Int) throws(EvaluationError) -> Void
  ) -> EvaluationError? {
    for (image, range) in places.sorted(by: { $0.key < $1.key }) {
      for place in range {
        do throws(EvaluationError) { try check(objects[place], image) } catch { return error }
      }
    }
    return nil
  }
}
