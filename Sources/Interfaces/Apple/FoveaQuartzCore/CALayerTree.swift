// Fovea - layers in layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import Foundation

extension CALayer {
  /// The layers in this one, the lowest first; `nil` where there are none.
  public var sublayers: [CALayer]? {
    get { children.isEmpty ? nil : children }
    set {
      let layers = newValue ?? []
      for child in children where !layers.contains(child) { child.superlayer = nil }
      children = []
      for layer in layers { addSublayer(layer) }
    }
  }

  public func insertSublayer(_ layer: CALayer, at index: UInt32) {
    insert(layer, at: Int(index))
  }

  public func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
    layer.removeFromSuperlayer()
    insert(layer, at: sibling.flatMap(children.firstIndex(of:)) ?? 0)
  }

  public func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
    layer.removeFromSuperlayer()
    let place = sibling.flatMap(children.firstIndex(of:)).map { $0 + 1 }
    insert(layer, at: place ?? children.count)
  }

  public func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
    guard oldLayer !== newLayer, children.contains(oldLayer) else { return }
    insertSublayer(newLayer, above: oldLayer)
    oldLayer.removeFromSuperlayer()
  }

  func insert(_ layer: CALayer, at index: Int) {
    // A layer in itself would never end.
    var above: CALayer? = self
    while let next = above {
      if next === layer { return }
      above = next.superlayer
    }
    layer.removeFromSuperlayer()
    children.insert(layer, at: min(index, children.count))
    layer.superlayer = self
    setNeedsLayout()
  }
}
