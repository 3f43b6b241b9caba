// Fovea - tests of wrong arrays handed to the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import FoveaExampleModel
import Testing

@Suite struct CWrongArrayTests {
  private static let side = Int64(ShapesDetector.inputSide)

  /// The failure of a run on a picture that `change` has spoiled.
  private static func refused(
    _ model: OpaquePointer, _ change: (inout fovea_array) -> Void
  ) -> Answer {
    var pixels = [UInt8](repeating: 0, count: Int(side * side * 3))
    return withArray("image", fovea_type_uint8, [side, side, 3], &pixels) { array in
      change(&array)
      let input = array
      return failure { fovea_model_run(model, [input], 1, $0, $1) }
    }
  }

  @Test func arraysThatMakeNoSenseAreRefused() throws {
    let model = try openShapes()
    let changes: [((inout fovea_array) -> Void, fovea_status, String)] = [
      ({ $0.size = 10 }, fovea_status_invalid_argument, "fovea_array says that it has 10 bytes"),
      ({ $0.name = nil }, fovea_status_invalid_argument, "no name of an input"),
      ({ $0.type = 0 }, fovea_status_invalid_argument, "has the type 0"),
      ({ $0.type = 99 }, fovea_status_invalid_argument, "has the type 99"),
      ({ $0.rank = 33 }, fovea_status_invalid_argument, "33 dimensions"),
      ({ $0.rank = -1 }, fovea_status_invalid_argument, "-1 dimensions"),
      ({ $0.shape = nil }, fovea_status_invalid_argument, "no shape"),
      ({ $0.data = nil }, fovea_status_invalid_argument, "no bytes were given"),
      ({ $0.byte_count -= 1 }, fovea_status_buffer_too_small, "reaches beyond its memory"),
      ({ $0.byte_count = 0 }, fovea_status_buffer_too_small, "reaches beyond its memory"),
      ({ $0.offset = 1 }, fovea_status_buffer_too_small, "from byte 1 on"),
      ({ $0.offset = .max }, fovea_status_buffer_too_small, "reaches beyond"),
      ({ $0.offset = -1 }, fovea_status_buffer_too_small, "reaches beyond"),
      ({ $0.rank = 2 }, fovea_status_shape_mismatch, "takes uint8 of shape [160, 160, 3]"),
      ({ $0.type = 5 }, fovea_status_invalid_argument, "is an image and takes uint8; int8"),
    ]
    for (change, status, text) in changes {
      let refused = Self.refused(model, change)
      #expect(refused.status == status, "\(text)")
      #expect(refused.message?.contains(text) == true, "\(text): \(refused.message ?? "")")
    }
  }

  @Test(arguments: [
    [-480, 3, 1], [480, -3, 1], [480, 3, .min], [.max, 3, 1], [Int64.max / 2, Int64.max / 2, 1],
  ]) func stridesThatLeaveTheMemoryAreRefused(_ strides: [Int64]) throws {
    let model = try openShapes()
    let refused = strides.withUnsafeBufferPointer { strides in
      Self.refused(model) { $0.strides = strides.baseAddress }
    }
    #expect(refused.status == fovea_status_buffer_too_small)
  }

  @Test(arguments: [
    [-1, 160, 3], [.max, .max, .max], [1 << 62, 4, 1], [.min, 1, 1],
  ]) func shapesThatNoMemoryHoldsAreRefused(_ shape: [Int64]) throws {
    let model = try openShapes()
    let refused = shape.withUnsafeBufferPointer { shape in
      Self.refused(model) { $0.shape = shape.baseAddress }
    }
    #expect(refused.status == fovea_status_invalid_argument)
  }

  @Test func wrongNamesAreRefused() throws {
    let model = try openShapes()
    #expect(
      failure { fovea_model_run(model, nil, 0, $0, $1) }.message
        == "input 'image' is missing; it takes uint8 of shape [160, 160, 3]")
    #expect(failure { fovea_model_run(model, nil, 1, $0, $1) }.message?.contains("NULL") == true)
    let named = "photo".withCString { name in Self.refused(model) { $0.name = name } }
    #expect(named.message?.hasPrefix("there is no input 'photo'") == true)
    var pixels = [UInt8](repeating: 0, count: Int(Self.side * Self.side * 3))
    withArray("image", fovea_type_uint8, [Self.side, Self.side, 3], &pixels) { array in
      let twice = [array, array]
      let refused = failure { fovea_model_run(model, twice, 2, $0, $1) }
      #expect(refused.message == "input 'image' is given twice")
      var other = array
      other.size += 8
      let mixed = [array, other]
      #expect(
        failure { fovea_model_run(model, mixed, 2, $0, $1) }.message?.contains("same size") == true)
      let input = array
      let outputs = answer { fovea_model_run_into(model, [input], 1, [input], 1, $0) }
      #expect(outputs.message?.contains("there is no output 'image'") == true)
      #expect(answer { fovea_model_run_into(model, [input], 1, nil, 0, $0) }.isOK)
    }
  }
}
