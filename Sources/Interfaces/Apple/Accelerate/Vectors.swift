// Fovea - the module of this name: the sums over vectors that detectors use.
// SPDX-License-Identifier: Apache-2.0
@_exported public import CoreGraphics
@_exported public import CoreVideo
@_exported public import Foundation

public typealias vDSP_Length = UInt
public typealias vDSP_Stride = Int

/// Calls `body` with the place of each element.
private func forEach(_ count: vDSP_Length, _ body: (Int) -> Void) {
  for index in 0..<Int(count) { body(index) }
}

// MARK: A vector and a number

/// C = A + B, for a number B.
public func vDSP_vsadd(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
  _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] + b }
}

public func vDSP_vsaddD(
  _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
  _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] + b }
}

/// C = A B, for a number B.
public func vDSP_vsmul(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
  _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] * b }
}

public func vDSP_vsmulD(
  _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
  _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] * b }
}

/// C = A / B, for a number B.
public func vDSP_vsdiv(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
  _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] / b }
}

public func vDSP_vsdivD(
  _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
  _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  let b = __B.pointee
  forEach(__N) { __C[$0 * __IC] = __A[$0 * __IA] / b }
}

// MARK: One number of a vector

/// The greatest element; minus infinity of none.
public func vDSP_maxv(
  _ __A: UnsafePointer<Float>, _ __I: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
  _ __N: vDSP_Length
) {
  var most = -Float.infinity
  forEach(__N) { most = max(most, __A[$0 * __I]) }
  __C.pointee = most
}

/// The greatest element, and its place among the numbers in memory.
public func vDSP_maxvi(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
  _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
  var (most, place) = (-Float.infinity, 0)
  forEach(__N) { index in
    if __A[index * __IA] > most { (most, place) = (__A[index * __IA], index * __IA) }
  }
  __C.pointee = most
  __I.pointee = vDSP_Length(bitPattern: place)
}

public func vDSP_maxviD(
  _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>,
  _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
  var (most, place) = (-Double.infinity, 0)
  forEach(__N) { index in
    if __A[index * __IA] > most { (most, place) = (__A[index * __IA], index * __IA) }
  }
  __C.pointee = most
  __I.pointee = vDSP_Length(bitPattern: place)
}

/// The sum of the elements.
public func vDSP_sve(
  _ __A: UnsafePointer<Float>, _ __I: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
  _ __N: vDSP_Length
) {
  var sum: Float = 0
  forEach(__N) { sum += __A[$0 * __I] }
  __C.pointee = sum
}

public func vDSP_sveD(
  _ __A: UnsafePointer<Double>, _ __I: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>,
  _ __N: vDSP_Length
) {
  var sum = 0.0
  forEach(__N) { sum += __A[$0 * __I] }
  __C.pointee = sum
}

// MARK: Others

/// C = A transposed: C has `M` rows and `N` columns.
public func vDSP_mtrans(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
  _ __IC: vDSP_Stride, _ __M: vDSP_Length, _ __N: vDSP_Length
) {
  let (rows, columns) = (Int(__M), Int(__N))
  for row in 0..<rows {
    for column in 0..<columns {
      __C[(row * columns + column) * __IC] = __A[(column * rows + row) * __IA]
    }
  }
}

public func vDSP_mtransD(
  _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>,
  _ __IC: vDSP_Stride, _ __M: vDSP_Length, _ __N: vDSP_Length
) {
  let (rows, columns) = (Int(__M), Int(__N))
  for row in 0..<rows {
    for column in 0..<columns {
      __C[(row * columns + column) * __IC] = __A[(column * rows + row) * __IA]
    }
  }
}

/// D = A, held between the numbers B and C.
public func vDSP_vclip(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
  _ __C: UnsafePointer<Float>, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride,
  _ __N: vDSP_Length
) {
  let (least, most) = (__B.pointee, __C.pointee)
  forEach(__N) { __D[$0 * __ID] = min(max(__A[$0 * __IA], least), most) }
}

/// e to the power of each element.
public func vvexpf(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ n: UnsafePointer<Int32>
) { for index in 0..<Int(max(0, n.pointee)) { y[index] = exp(x[index]) } }

public func vvexp(
  _ y: UnsafeMutablePointer<Double>, _ x: UnsafePointer<Double>, _ n: UnsafePointer<Int32>
) { for index in 0..<Int(max(0, n.pointee)) { y[index] = exp(x[index]) } }
