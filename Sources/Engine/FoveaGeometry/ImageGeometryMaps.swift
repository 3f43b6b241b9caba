// Fovea - places in a network's input, on the upright image and in the stored one.
// SPDX-License-Identifier: Apache-2.0

extension ImageGeometry {
  /// The size in pixels of one of the images.
  package func size(of space: ImageSpace) -> ImageSize {
    switch space {
    case .model: modelSize
    case .upright: uprightSize
    case .stored: storedSize
    }
  }

  // MARK: Maps

  /// The map from pixels of one image to pixels of another, both counted from the upper left.
  public func map(from source: ImageSpace, to target: ImageSpace) -> AffineMap {
    guard source != target else { return .identity }
    return mapToUpright(from: source).then(mapFromUpright(to: target))
  }

  /// The map from fractions of one image to fractions of another, both counted from `origin`. Use
  /// the lower left for `NormalizedRect` and `NormalizedPoint`, and the upper left for the boxes of
  /// a network.
  ///
  /// From `.model` to `.upright`, the coefficients are the scales and offsets of the common
  /// formulas for `centerCrop` and `scaleToFit`.
  package func normalizedMap(
    from source: ImageSpace, to target: ImageSpace, origin: CoordinateOrigin = .lowerLeft
  ) -> AffineMap {
    guard source != target else { return .identity }
    let map = fractionsToUpright(from: source).then(fractionsFromUpright(to: target))
    guard origin == .lowerLeft else { return map }
    let flip = AffineMap(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 1)
    return flip.then(map).then(flip)
  }

  // MARK: Converting

  /// Converts a rectangle of one image to another image.
  ///
  /// The rectangle is not cut: a box in the padding of the input lies outside the upright image.
  /// Each call composes the map again. For thousands of boxes, call
  /// `normalizedMap(from:to:origin:)` once.
  public func convert(
    _ rect: NormalizedRect, from source: ImageSpace, to target: ImageSpace
  ) -> NormalizedRect {
    normalizedMap(from: source, to: target)(rect)
  }

  /// Converts a point of one image to another image.
  public func convert(
    _ point: NormalizedPoint, from source: ImageSpace, to target: ImageSpace
  ) -> NormalizedPoint {
    let (x, y) = normalizedMap(from: source, to: target)(x: point.x, y: point.y)
    return NormalizedPoint(x: x, y: y)
  }

  /// Converts a rectangle in pixels of one image to another image. It keeps its `origin`, and is
  /// not cut.
  public func convert(
    _ rect: ImageRect, from source: ImageSpace, to target: ImageSpace
  ) -> ImageRect {
    let upperLeft = rect.converted(to: .upperLeft, in: size(of: source))
    return map(from: source, to: target)(upperLeft)
      .converted(to: rect.origin, in: size(of: target))
  }

  /// Converts a point in pixels of one image to another image. It keeps its `origin`.
  public func convert(
    _ point: ImagePoint, from source: ImageSpace, to target: ImageSpace
  ) -> ImagePoint {
    let upperLeft = point.converted(to: .upperLeft, in: size(of: source))
    let (x, y) = map(from: source, to: target)(x: upperLeft.x, y: upperLeft.y)
    return ImagePoint(x: x, y: y, origin: .upperLeft)
      .converted(to: point.origin, in: size(of: target))
  }

  // MARK: By way of the upright image

  private func mapToUpright(from source: ImageSpace) -> AffineMap {
    switch source {
    case .upright: .identity
    case .stored: orientation.uprightMap(storedSize: storedSize)
    case .model:
      placement.pixelMap.then(
        cropAndScaleAction.turn.inverse.uprightMap(storedSize: turnedSize))
    }
  }

  private func mapFromUpright(to target: ImageSpace) -> AffineMap {
    switch target {
    case .upright: .identity
    case .stored: orientation.inverse.uprightMap(storedSize: uprightSize)
    case .model: mapToUpright(from: .model).knownInverse
    }
  }

  private func fractionsToUpright(from source: ImageSpace) -> AffineMap {
    switch source {
    case .upright: .identity
    case .stored: orientation.uprightMap
    case .model:
      placement.fractionMap(model: modelSize, image: turnedSize)
        .then(cropAndScaleAction.turn.inverse.uprightMap)
    }
  }

  private func fractionsFromUpright(to target: ImageSpace) -> AffineMap {
    switch target {
    case .upright: .identity
    case .stored: orientation.inverse.uprightMap
    case .model: fractionsToUpright(from: .model).knownInverse
    }
  }
}

extension AffineMap {
  /// The inverse of a map whose scales are known to be neither zero nor infinite.
  var knownInverse: AffineMap {
    guard let inverse else { preconditionFailure("\(self) has no inverse") }
    return inverse
  }

  /// Where a rectangle goes that counts from the upper left, as the map does.
  func callAsFunction(_ rect: ImageRect) -> ImageRect {
    let (x, y, width, height) = rectangle(
      x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    return ImageRect(x: x, y: y, width: width, height: height, origin: rect.origin)
  }

  /// Where a rectangle in fractions goes, for a map that counts from the lower left.
  package func callAsFunction(_ rect: NormalizedRect) -> NormalizedRect {
    let (x, y, width, height) = rectangle(
      x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    return NormalizedRect(x: x, y: y, width: width, height: height)
  }
}

extension ImageOrientation {
  /// The map from the stored image to the upright one, in fractions from the upper left.
  package var uprightMap: AffineMap {
    let (origin, right, down) = (upright(u: 0, v: 0), upright(u: 1, v: 0), upright(u: 0, v: 1))
    return AffineMap(
      a: right.x - origin.x, b: down.x - origin.x, c: right.y - origin.y, d: down.y - origin.y,
      tx: origin.x, ty: origin.y)
  }

  /// The map from pixels of the stored image to pixels of the upright one, from the upper left.
  package func uprightMap(storedSize: ImageSize) -> AffineMap {
    // The coefficients are -1, 0 and 1: a pixel stays a pixel, and only the origin moves.
    var map = uprightMap
    let size = uprightSize(of: storedSize)
    map.tx *= Double(size.width)
    map.ty *= Double(size.height)
    return map
  }
}
