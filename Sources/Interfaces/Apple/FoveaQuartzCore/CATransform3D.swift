// Fovea - maps of space, of which the plane's part is drawn.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

/// A map of space: a row (x, y, z, 1) times these rows.
public struct CATransform3D: Hashable, Sendable {
  public var m11, m12, m13, m14: CGFloat
  public var m21, m22, m23, m24: CGFloat
  public var m31, m32, m33, m34: CGFloat
  public var m41, m42, m43, m44: CGFloat

  public init() { self.init(rows: [CGFloat](repeating: 0, count: 16)) }

  public init(
    m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat, m21: CGFloat, m22: CGFloat,
    m23: CGFloat, m24: CGFloat, m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat,
    m41: CGFloat, m42: CGFloat, m43: CGFloat, m44: CGFloat
  ) {
    (self.m11, self.m12, self.m13, self.m14) = (m11, m12, m13, m14)
    (self.m21, self.m22, self.m23, self.m24) = (m21, m22, m23, m24)
    (self.m31, self.m32, self.m33, self.m34) = (m31, m32, m33, m34)
    (self.m41, self.m42, self.m43, self.m44) = (m41, m42, m43, m44)
  }

  fileprivate init(rows r: [CGFloat]) {
    self.init(
      m11: r[0], m12: r[1], m13: r[2], m14: r[3], m21: r[4], m22: r[5], m23: r[6], m24: r[7],
      m31: r[8], m32: r[9], m33: r[10], m34: r[11], m41: r[12], m42: r[13], m43: r[14],
      m44: r[15])
  }

  fileprivate var rows: [CGFloat] {
    [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
  }
}

public let CATransform3DIdentity = CATransform3DMakeScale(1, 1, 1)

public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }

public func CATransform3DMakeTranslation(
  _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat
) -> CATransform3D {
  CATransform3D(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tx, ty, tz, 1])
}

public func CATransform3DMakeScale(
  _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat
) -> CATransform3D {
  CATransform3D(rows: [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1])
}

/// A turn by an angle in radians around an axis; the identity around one without length.
public func CATransform3DMakeRotation(
  _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat
) -> CATransform3D {
  let length = (x * x + y * y + z * z).squareRoot()
  guard length > 0 else { return CATransform3DIdentity }
  let (x, y, z) = (x / length, y / length, z / length)
  let (c, s) = (cos(angle), sin(angle))
  let t = 1 - c
  var map = CATransform3DIdentity
  (map.m11, map.m12, map.m13) = (t * x * x + c, t * x * y + s * z, t * x * z - s * y)
  (map.m21, map.m22, map.m23) = (t * x * y - s * z, t * y * y + c, t * y * z + s * x)
  (map.m31, map.m32, map.m33) = (t * x * z + s * y, t * y * z - s * x, t * z * z + c)
  return map
}

/// The first map, then the second.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
  let (left, right) = (a.rows, b.rows)
  var product = [CGFloat](repeating: 0, count: 16)
  for row in 0..<4 {
    for column in 0..<4 {
      for step in 0..<4 {
        product[4 * row + column] += left[4 * row + step] * right[4 * step + column]
      }
    }
  }
  return CATransform3D(rows: product)
}

public func CATransform3DTranslate(
  _ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t) }

public func CATransform3DScale(
  _ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t) }

public func CATransform3DRotate(
  _ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t) }

public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
  CATransform3D(rows: [m.a, m.b, 0, 0, m.c, m.d, 0, 0, 0, 0, 1, 0, m.tx, m.ty, 0, 1])
}

public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool {
  t == CATransform3DMakeAffineTransform(CATransform3DGetAffineTransform(t))
}

/// The part of a map that stays in the plane.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform {
  CGAffineTransform(t.m11, t.m12, t.m21, t.m22, t.m41, t.m42)
}
