// Fovea - arguments of image sampling that are refused.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite("Image sampling: refusals")
struct ImageRefusalTests {
  /// An image of 4 x 2, all of it in an output of 2 x 2, and what is changed of that.
  private struct Call {
    var image: fov_image
    var sampling: fov_image_sampling
    var outputBytes = 12
  }

  private func status(
    _ format: fov_pixel_format = .rgb, _ change: (inout Call) -> Void
  ) -> fov_status {
    var random = SplitMix(seed: 1)
    let image = ImageBytes(format, width: 4, height: 2, using: &random)
    var output = [UInt8](repeating: 0xA5, count: 12)
    let status = image.bytes.withUnsafeBufferPointer { data in
      var call = Call(
        image: image.image(data),
        sampling: whole(image, width: 2, height: 2, channels: 3))
      change(&call)
      return fov_image_sample(&call.image, &call.sampling, &output, call.outputBytes)
    }
    if status != .ok { #expect(output.allSatisfy { $0 == 0xA5 }) }
    return status
  }

  @Test(arguments: allFormats)
  func unchangedCallsWork(format: fov_pixel_format) {
    #expect(status(format) { _ in } == .ok)
  }

  // MARK: The image

  @Test func sizesOfZero() {
    #expect(status { $0.image.width = 0 } == .invalid_argument)
    #expect(status { $0.image.height = 0 } == .invalid_argument)
    #expect(status { $0.sampling.width = 0 } == .invalid_argument)
    #expect(status { $0.sampling.height = 0 } == .invalid_argument)
  }

  @Test(arguments: allFormats)
  func rowsThatOverlap(format: fov_pixel_format) {
    #expect(status(format) { $0.image.row_bytes -= 1 } == .invalid_argument)
    #expect(status(format) { $0.image.row_bytes = 0 } == .invalid_argument)
  }

  @Test(arguments: allFormats)
  func dataThatEndsEarly(format: fov_pixel_format) {
    #expect(status(format) { $0.image.data_bytes -= 1 } == .buffer_too_small)
    #expect(status(format) { $0.image.data_bytes = 0 } == .buffer_too_small)
    #expect(status(format) { $0.image.height = 5 } == .buffer_too_small)
  }

  @Test func chromaOutsideTheData() {
    #expect(status(.nv12) { $0.image.chroma_offset += 1 } == .buffer_too_small)
    #expect(status(.nv12) { $0.image.chroma_offset = -1 } == .overflow)
    #expect(status(.nv12) { $0.image.chroma_row_bytes = 3 } == .invalid_argument)
    // A second row of chroma, which is not there; luma has all three.
    #expect(
      status(.nv12) {
        $0.image.height = 3
        $0.image.chroma_offset = 6
      } == .buffer_too_small)
    #expect(
      status(.nv12) {
        $0.image.height = 3
        $0.image.chroma_row_bytes = Int.min
        $0.image.chroma_offset = Int.min
      } == .overflow)
  }

  @Test func chromaOfTwoSteps() {
    // Two samples in each row of U and V, which U has 2 bytes apart.
    func status(stepOfV step: Int) -> fov_status {
      self.status { call in
        let data = call.image.data
        call.image.format = .planar
        call.image.sample_bits = 8
        call.image.chroma_shifts = (1, 0)
        call.image.planes = (
          fov_sample_plane(data: data, data_bytes: 8, row_bytes: 4, step: 1),
          fov_sample_plane(data: data + 8, data_bytes: 6, row_bytes: 3, step: 2),
          fov_sample_plane(data: data + 16, data_bytes: 8, row_bytes: step + 1, step: step)
        )
      }
    }
    #expect(status(stepOfV: 2) == .ok)
    #expect(status(stepOfV: 1) == .invalid_argument)
  }

  /// Negative numbers stand for the upper half of `size_t`.
  @Test(arguments: allFormats)
  func sizesThatDoNotFit(format: fov_pixel_format) {
    #expect(status(format) { $0.image.width = -1 } == .overflow)
    #expect(status(format) { $0.image.width = 1 << 31 } == .overflow)
    #expect(status(format) { $0.image.height = 1 << 31 } == .overflow)
    #expect(
      status(format) {
        $0.image.row_bytes = Int.min
        $0.image.height = 4
      } == .overflow)
  }

  // MARK: The output

  @Test(arguments: [0, 2, 4, -1])
  func channelsOtherThanOneAndThree(channels: Int) {
    #expect(status { $0.sampling.channels = channels } == .invalid_argument)
  }

  @Test func outputThatIsTooSmall() {
    #expect(status { $0.outputBytes = 11 } == .buffer_too_small)
    #expect(status { $0.sampling.width = 3 } == .buffer_too_small)
    #expect(status { $0.sampling.height = 1 << 40 } == .buffer_too_small)
    #expect(status { $0.sampling.width = -1 } == .overflow)
    #expect(
      status {
        $0.sampling.width = 1 << 32
        $0.sampling.height = 1 << 32
      } == .overflow)
  }

  // MARK: Ranges

  @Test func rangesOutside() {
    func range(_ begin: Int, _ end: Int) -> fov_pixel_range {
      fov_pixel_range(begin: begin, end: end)
    }
    for wrong in [range(0, 5), range(-1, 2), range(3, 2), range(2, 2), range(0, 0), range(-2, -1)] {
      #expect(status { $0.sampling.source_columns = wrong } == .invalid_argument)
      #expect(status { $0.sampling.source_rows = wrong } == .invalid_argument)
    }
    for wrong in [range(0, 3), range(-1, 2), range(2, 1), range(3, 3), range(-2, -1)] {
      #expect(status { $0.sampling.content_columns = wrong } == .invalid_argument)
      #expect(status { $0.sampling.content_rows = wrong } == .invalid_argument)
    }
  }

  @Test func outputWithoutContentIsFilled() throws {
    var random = SplitMix(seed: 1)
    let image = ImageBytes(.rgb, width: 4, height: 2, using: &random)
    var sampling = whole(image, width: 2, height: 2, channels: 3)
    sampling.content_rows = fov_pixel_range(begin: 1, end: 1)
    sampling.fill = (1, 2, 3)
    #expect(try sample(image, sampling) == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
  }

  // MARK: The map

  private typealias Field = WritableKeyPath<fov_affine_map, Double>

  @Test func mapsThatAreNotFinite() {
    for field in [\.a, \.b, \.c, \.d, \.tx, \.ty] as [Field] {
      for value in [Double.nan, .infinity, -.infinity] {
        #expect(status { $0.sampling.map[keyPath: field] = value } == .invalid_argument)
      }
    }
    // Finite numbers with infinite products.
    #expect(status { $0.sampling.map.a = .greatestFiniteMagnitude } == .invalid_argument)
  }

  @Test func mapsThatMixOrLoseAxes() {
    #expect(status { $0.sampling.map.b = 1e-9 } == .invalid_argument)
    #expect(status { $0.sampling.map.c = -1 } == .invalid_argument)
    #expect(status { $0.sampling.map.a = 0 } == .invalid_argument)
    #expect(status { $0.sampling.map.d = 0 } == .invalid_argument)
    #expect(
      status { $0.sampling.map = fov_affine_map(a: 0, b: 1, c: 0, d: 0, tx: 0, ty: 0) }
        == .invalid_argument)
    #expect(
      status { $0.sampling.map = fov_affine_map(a: 0, b: 1, c: 1, d: 1, tx: 0, ty: 0) }
        == .invalid_argument)
  }

  /// Maps that lead far away, or nowhere near, read the nearest pixels, as any other.
  @Test(arguments: [fov_image_filter.bilinear, .area])
  func mapsOfAnySize(filter: fov_image_filter) throws {
    var random = SplitMix(seed: 4)
    let image = ImageBytes(.rgb, width: 9, height: 7, using: &random)
    for scale in [1e-300, 1e-20, 1, 1e9, 1e20, 1e300, 1e303] {
      for offset in [0, -1e20, 1e20, 1e300, -1e300, 1e303, -1e303] {
        for sign in [1.0, -1] {
          var sampling = whole(image, width: 5, height: 4, channels: 3)
          sampling.filter = filter
          sampling.map.a = scale * sign
          sampling.map.tx = offset
          let result = try sample(image, sampling)
          // Far to one side there is only the outermost column.
          if offset.magnitude >= 1e20, scale <= 1, filter == .bilinear {
            let column = offset > 0 ? 8 : 0
            let one = fov_pixel_range(begin: column, end: column + 1)
            sampling.source_columns = one
            #expect(try sample(image, sampling) == result)
          }
        }
      }
    }
  }

  // MARK: Enumerators

  @Test func instructionSetsOfOthers() {
    let sets: [fov_instruction_set] = [.avx2, .avx_vnni, .avx512, .avx512_vnni, .neon, .i8mm]
    for set in sets where !fov_instruction_set_is_available(set) {
      #expect(status { $0.sampling.instruction_set = set } == .unsupported)
    }
  }
}
