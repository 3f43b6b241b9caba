// Fovea - tests of images as planes, and of scales and biases per channel.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct PixelsTests {
  private func add(
    scale: Float = 1 / 255, bias: [Float] = [0.5, -1, 2, 0.25], reverse: Bool = false,
    rankFive: Bool = true
  ) -> AddOperation {
    var parameters = fov_pixels(
      scale: scale, bias: (bias[0], bias[1], bias[2], bias[3]), reverse_channels: reverse,
      rank_five: rankFive)
    return { fov_graph_add_pixels($0, &parameters, $1[0], $2, $3) }
  }

  @Test(arguments: [
    [1, 1], [5, 7], [1, 1, 3], [3, 5, 1], [7, 16, 2], [17, 16, 3], [2, 7, 4],
  ])
  func planesByIndex(_ shape: [Int]) throws {
    var generator = SplitMix(seed: 80)
    let image = (0..<shape.reduce(1, *)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let channels = shape.count == 2 ? 1 : shape[2]
    let bias: [Float] = [0.5, -1, 2, 0.25]
    for reverse in [false, true] {
      let expected = DenseArray([1, channels, shape[0], shape[1]]) { index in
        let source = reverse ? channels - 1 - index[1] : index[1]
        let byte = image[(index[2] * shape[1] + index[3]) * channels + source]
        return Float(byte) * (1 / 255) + bias[index[1]]
      }
      let result = try GraphRunner.run(
        image: image, shape: shape, add: add(reverse: reverse, rankFive: false))
      expectClose(result, expected, absolute: 2e-7)
      let five = try GraphRunner.run(image: image, shape: shape, add: add(reverse: reverse))
      #expect(five == DenseArray([1] + result.shape, result.values))
    }
  }

  @Test func everyByteIsExactWithoutScale() throws {
    let result = try GraphRunner.run(
      image: [UInt8](0...255), shape: [16, 16], add: add(scale: 1, bias: [0, 0, 0, 0]))
    #expect(result.values == (0...255).map { Float($0) })
  }

  @Test func refusals() throws {
    func status(_ shape: [Int], _ add: AddOperation) throws -> fov_status {
      do {
        let bytes = [UInt8](repeating: 0, count: shape.reduce(1, *))
        _ = try GraphRunner.run(image: bytes, shape: shape, add: add)
        return .ok
      } catch let failure as CoreFailure {
        return failure.status
      }
    }
    #expect(try status([4], add()) == .shape_mismatch)
    #expect(try status([1, 4, 4, 3], add()) == .shape_mismatch)
    #expect(try status([4, 4, 5], add()) == .shape_mismatch)
    #expect(try status([4, 4, 3], add(scale: .nan)) == .invalid_argument)
    #expect(try status([4, 4, 3], add(scale: .infinity)) == .invalid_argument)
    #expect(try status([4, 4, 3], add(bias: [0, 0, .nan, 0])) == .invalid_argument)
    // The fourth plane does not exist.
    #expect(try status([4, 4, 3], add(bias: [0, 0, 0, .nan])) == .ok)
  }
}

@Suite struct ChannelAffineTests {
  private func add(_ channels: Int, _ scale: [Float]?, _ bias: [Float]?) -> AddOperation {
    { graph, inputs, result, diagnostic in
      withOptionalPointer(scale) { scale in
        withOptionalPointer(bias) { bias in
          fov_graph_add_channel_affine(
            graph, channels, scale, bias, inputs[0], result, diagnostic)
        }
      }
    }
  }

  private func withOptionalPointer(
    _ values: [Float]?, _ body: (UnsafePointer<Float>?) -> fov_status
  ) -> fov_status {
    values?.withUnsafeBufferPointer { body($0.baseAddress) } ?? body(nil)
  }

  @Test(arguments: InputPlace.allCases)
  func scalesByChannel(_ place: InputPlace) throws {
    var generator = SplitMix(seed: 90)
    for trial in 0..<24 {
      let input = generator.array(generator.shape(rank: trial % 3 + 3, limit: 3000))
      let axis = input.shape.count - 3
      let channels = input.shape[axis]
      let scale = trial % 4 < 2 ? generator.array([channels]).values : nil
      let bias = trial % 2 == 0 ? generator.array([channels]).values : nil
      let result = try GraphRunner.run(
        [input], from: place, add: add(channels, scale, bias))
      let expected = DenseArray(input.shape) { index in
        input[index] * (scale?[index[axis]] ?? 1) + (bias?[index[axis]] ?? 0)
      }
      expectClose(result, expected, absolute: 1e-6)
    }
  }

  @Test func refusals() throws {
    func status(_ channels: Int, _ shape: [Int]) throws -> fov_status {
      let add = add(channels, nil, nil)
      do {
        let count = shape.reduce(1, *)
        let input = DenseArray(shape, [Float](repeating: 0, count: count))
        _ = try GraphRunner.run([input], add: add)
        return .ok
      } catch let failure as CoreFailure {
        return failure.status
      }
    }
    #expect(try status(3, [3, 2, 2]) == .ok)
    #expect(try status(4, [3, 2, 2]) == .shape_mismatch)
    #expect(try status(3, [3, 2]) == .shape_mismatch)
    #expect(try status(0, [3, 2, 2]) == .invalid_argument)
    #expect(try status(.max, [3, 2, 2]) == .out_of_memory)
  }
}
