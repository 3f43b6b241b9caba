// Fovea - tests of arrays behind the names of Core ML.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Foundation
import FoveaApple
import Testing

@Suite("Arrays by the names of Core ML") struct ArrayTests {
  @Test("Elements are found by place and by indices") func subscripts() throws {
    let array = try MLMultiArray(shape: [2, 3], dataType: .float32)
    for index in 0..<6 { array[index] = NSNumber(value: index * index) }
    #expect(array[[1 as NSNumber, 2 as NSNumber]].intValue == 25)
    #expect(array[[0, 1] as [NSNumber]] == 1 && array.count == 6)
    #expect(array.strides == [3, 1] && array.shape == [2, 3])
    array[[1, 0]] = 7.5
    #expect(array.dataPointer.assumingMemoryBound(to: Float.self)[3] == 7.5)
    #expect(throws: MLModelError.self) { try MLMultiArray(shape: [-1], dataType: .double) }
    #expect(throws: MLModelError.self) {
      try MLMultiArray(shape: [1_099_511_627_776, 1_099_511_627_776], dataType: .double)
    }
  }

  @Test("Strides lead through memory of somebody else, which is given back") func views() throws {
    nonisolated(unsafe) var isReleased = false
    var memory: [Double] = (0..<12).map(Double.init)
    try memory.withUnsafeMutableBytes { bytes in
      let base = try #require(bytes.baseAddress)
      let view = try MLMultiArray(
        dataPointer: base + 8, shape: [3, 2], dataType: .double, strides: [4, 2],
        deallocator: { _ in isReleased = true })
      #expect((0..<6).map { view[$0].intValue } == [1, 3, 5, 7, 9, 11])
      view[[2, 1] as [NSNumber]] = -1
      let shaped = MLShapedArray<Double>(view)
      #expect(shaped.scalars == [1, 3, 5, 7, 9, -1] && shaped.shape == [3, 2])
      #expect((view.copy() as? MLMultiArray)?.isEqual(view) == true)
    }
    #expect(isReleased && memory[11] == -1)
  }

  @Test("Types keep their range") func types() throws {
    let ints = try MLMultiArray([1, 2, 300])
    #expect(ints.dataType == .int32 && ints[2] == 300)
    let halves = try MLMultiArray(shape: [2], dataType: .float16)
    halves[0] = 0.1
    #expect(halves[0].floatValue == Float(Float16(0.1)))
    #expect(MLShapedArray<Float>(converting: ints).scalars == [1, 2, 300])
    #expect(MLMultiArrayDataType.double.rawValue == 65600)
    #expect(MLMultiArrayDataType.float32.rawValue == 65568)
    let values = try UnsafeBufferPointer<Int32>(ints)
    #expect(Array(values) == [1, 2, 300])
    #expect(throws: MLModelError.self) { try UnsafeBufferPointer<Float>(ints) }
    ints.withUnsafeMutableBufferPointer(ofType: Int32.self) { pointer, strides in
      pointer[0] = Int32(strides[0])
    }
    #expect(ints[0] == 1)
  }

  @Test("Arrays stand one behind the other") func concatenation() throws {
    let a = MLMultiArray(MLShapedArray<Float>(scalars: [1, 2, 3, 4], shape: [2, 2]))
    let b = MLMultiArray(MLShapedArray<Float>(scalars: [5, 6], shape: [2, 1]))
    let both = MLMultiArray(concatenating: [a, b], axis: 1, dataType: .double)
    #expect((0..<6).map { both[$0].intValue } == [1, 2, 5, 3, 4, 6] && both.shape == [2, 3])
  }

  @Test("Slices share scalars and shapes change") func slices() {
    var array = MLShapedArray<Int32>(scalars: Array(0..<24), shape: [2, 3, 4])
    #expect(array[1, 2].scalars == [20, 21, 22, 23] && array[1].shape == [3, 4])
    #expect(array[scalarAt: 1, 0, 3] == 15 && array[1][2][3].scalar == 23)
    #expect(array[0..<1, 1..., 2].scalars == [6, 10])
    array[scalarAt: [0, 0, 0]] = 9
    #expect(array.scalars[0] == 9 && array.count == 2 && array.map(\.count) == [3, 3])
    #expect(array.transposed().shape == [4, 3, 2])
    #expect(array.transposed(permutation: [0, 2, 1])[scalarAt: 1, 3, 2] == 23)
    #expect(array.reshaped(to: [24]).scalarCount == 24 && array.strides == [12, 4, 1])
    let wide = MLShapedArray(concatenating: [array, array], alongAxis: 1)
    #expect(wide.shape == [2, 6, 4] && wide[scalarAt: 1, 5, 3] == 23)
  }
}
