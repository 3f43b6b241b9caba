// Fovea - tensors and their views.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import Testing

@Suite struct TensorTests {
  @Test func shapesAreChecked() throws {
    #expect(throws: FoveaError.self) { try Tensor(shape: [2, 3], floats: [1, 2]) }
    for shape in [[-1], [2, -3, 0]] {
      let error = #expect(throws: FoveaError.self) { try Tensor.zeros(shape: shape) }
      #expect(error?.code == .invalidArgument)
    }
    // Also without elements: strides and views step over a size of zero.
    for shape in [[1 << 32, 1 << 32], [.max, 0, 2], [1 << 32, 1 << 32, 0], [0, .max]] {
      let error = #expect(throws: FoveaError.self) {
        try Tensor.zeros(shape: shape, type: .uint8)
      }
      #expect(error?.code == .overflow)
    }
    let scalar = try Tensor(shape: [], floats: [4])
    #expect(scalar.count == 1)
    #expect(scalar[] == 4)
    let empty = try Tensor.zeros(shape: [0, 80])
    #expect(empty.count == 0)
    #expect(empty.floats().isEmpty)
    #expect(try empty.sliced(dimension: 1, 3..<5).floats().isEmpty)
  }

  @Test func viewsShareAndNeverDisturb() throws {
    let original = try tensor([2, 3, 4])
    let turned = try original.transposed(axes: [2, 0, 1])
    #expect(turned.shape == [4, 2, 3])
    #expect(!turned.isContiguous)
    for i in 0..<2 {
      for j in 0..<3 {
        for k in 0..<4 { #expect(turned[k, i, j] == original[i, j, k]) }
      }
    }
    var part = try turned.sliced(dimension: 0, 1..<3)
    #expect(part.shape == [2, 2, 3])
    #expect(part[1, 1, 2] == original[1, 2, 2])
    part[0, 0, 0] = 99
    #expect(part[0, 0, 0] == 99)
    #expect(turned[1, 0, 0] == original[0, 0, 1])
    #expect(part.contiguous().isContiguous)
    #expect(part.contiguous() == part)
    #expect(try original.reshaped(to: [6, 4])[5, 3] == original[1, 2, 3])
    #expect(try turned.reshaped(to: [24]).floats() == turned.floats())
    #expect(original.transposed().transposed() == original)
    #expect(throws: FoveaError.self) { try original.reshaped(to: [5, 5]) }
    #expect(throws: FoveaError.self) { try original.transposed(axes: [0, 0, 1]) }
    #expect(throws: FoveaError.self) { try original.sliced(dimension: 0, 1..<3) }
    #expect(throws: FoveaError.self) { try original.sliced(dimension: 3, 0..<1) }
  }

  @Test func writingConverts() throws {
    var bytes = try Tensor.zeros(shape: [5], type: .uint8)
    for (index, value) in [-4, 2.5, 3.5, 400, .nan].enumerated() { bytes[index] = value }
    #expect(bytes.uint8s() == [0, 2, 4, 255, 0])
    #expect(bytes.floats() == [0, 2, 4, 255, 0])
    #expect(bytes.int8s() == nil)
    var words = try Tensor.zeros(shape: [2], type: .int32)
    words[0] = -1e300
    words[1] = 2_147_483_646
    #expect(words.int32s() == [.min, 2_147_483_646])
    var signed = try Tensor(shape: [1], int8s: [-7])
    #expect(signed[0] == -7)
    signed[0] = 1e9
    #expect(signed.int8s() == [127])
    let floats = try tensor([3])
    #expect(floats.withFloats { $0.count } == 3)
  }

  @Test func equalityLooksAtElements() throws {
    let a = try Tensor(shape: [2, 2], floats: [1, 2, 3, 4])
    #expect(a == a.transposed().transposed())
    #expect(a != a.transposed())
    #expect(a != (try Tensor(shape: [4], floats: [1, 2, 3, 4])))
    #expect(a != (try Tensor(shape: [2, 2], int32s: [1, 2, 3, 4])))
  }
}
