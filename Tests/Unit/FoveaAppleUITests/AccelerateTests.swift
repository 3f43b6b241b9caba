// Fovea - tests of sums over vectors.
// SPDX-License-Identifier: Apache-2.0
import Accelerate
import Testing

@Suite("Sums over vectors") struct AccelerateTests {
  @Test("A softmax of another project's style sums to 1") func softmax() {
    let x: [Float] = [1, 3, 2, -50]
    var result = [Float](repeating: 0, count: x.count)
    var most: Float = 0
    vDSP_maxv(x, 1, &most, vDSP_Length(x.count))
    most = -most
    vDSP_vsadd(x, 1, &most, &result, 1, vDSP_Length(x.count))
    var count = Int32(x.count)
    vvexpf(&result, result, &count)
    var sum: Float = 0
    vDSP_sve(result, 1, &sum, vDSP_Length(result.count))
    vDSP_vsdiv(result, 1, &sum, &result, 1, vDSP_Length(result.count))
    let expected = x.map { exp(Double($0)) / (exp(1.0) + exp(3.0) + exp(2.0) + exp(-50.0)) }
    #expect(zip(result, expected).allSatisfy { abs(Double($0) - $1) < 1e-6 })
  }

  @Test("The greatest element, a transposed matrix, numbers held in a range") func others() {
    let x: [Float] = [4, 9, 1, 7, 3, 8]
    var (most, place): (Float, vDSP_Length) = (0, 0)
    vDSP_maxvi(x, 1, &most, &place, 6)
    #expect(most == 9 && place == 1)
    vDSP_maxvi(x, 2, &most, &place, 3)
    #expect(most == 4 && place == 0)
    var turned = [Float](repeating: 0, count: 6)
    // Two rows of three become three rows of two.
    vDSP_mtrans(x, 1, &turned, 1, 3, 2)
    #expect(turned == [4, 7, 9, 3, 1, 8])
    var (least, greatest, half): (Float, Float, Float) = (3, 8, 0.5)
    vDSP_vclip(x, 1, &least, &greatest, &turned, 1, 6)
    #expect(turned == [4, 8, 3, 7, 3, 8])
    vDSP_vsmul(x, 2, &half, &turned, 1, 3)
    #expect(turned.prefix(3) == [2, 0.5, 1.5])
  }

  @Test("A ramp stays a ramp when it is scaled") func scaling() {
    var pixels: [UInt8] = (0..<8).flatMap { _ in (0..<16).flatMap { [UInt8(16 * $0), 0, 255, 9] } }
    var small = [UInt8](repeating: 0, count: 8 * 4 * 4)
    let error = pixels.withUnsafeMutableBytes { from in
      small.withUnsafeMutableBytes { to in
        var source = vImage_Buffer(
          data: from.baseAddress, height: 8, width: 16, rowBytes: 64)
        var target = vImage_Buffer(data: to.baseAddress, height: 4, width: 8, rowBytes: 32)
        return vImageScale_ARGB8888(&source, &target, nil, vImage_Flags(kvImageNoFlags))
      }
    }
    #expect(error == kvImageNoError)
    for row in 0..<4 {
      // Between the edges the mean of two columns lies 8 above the left one.
      for column in 1..<7 { #expect(small[32 * row + 4 * column] == UInt8(32 * column + 8)) }
      #expect(small[32 * row + 2] == 255 && small[32 * row + 3] == 9)
    }
    var nothing = vImage_Buffer()
    #expect(vImageScale_ARGB8888(&nothing, &nothing, nil, 0) == kvImageNullPointerArgument)
  }
}
