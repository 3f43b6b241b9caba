// Fovea - a convolution with its naive answer.
// SPDX-License-Identifier: Apache-2.0
import CFovea

struct ConvolutionCase: CustomStringConvertible {
  var input: [Int]
  var outputChannels: Int
  var groups = 1
  var kernel = [3, 3]
  var stride = [1, 1]
  var dilation = [1, 1]
  var before = [0, 0]
  var after = [0, 0]
  var extent = [0, 0]

  var inputChannels: Int { input[input.count - 3] }
  var weightShape: [Int] { [outputChannels, inputChannels / groups, kernel[0], kernel[1]] }
  var transposedWeightShape: [Int] {
    [inputChannels, outputChannels / groups, kernel[0], kernel[1]]
  }

  var description: String {
    "\(input) -> \(outputChannels), groups \(groups), kernel \(kernel), stride \(stride), "
      + "dilation \(dilation), before \(before), after \(after), extension \(extent)"
  }

  var parameters: fov_convolution {
    fov_convolution(
      output_channels: outputChannels, groups: groups, kernel: (kernel[0], kernel[1]),
      stride: (stride[0], stride[1]), dilation: (dilation[0], dilation[1]),
      before: (before[0], before[1]), after: (after[0], after[1]),
      output_extension: (extent[0], extent[1]))
  }

  /// floor((size + before + after - window) / stride) + 1
  private func outputSize(_ axis: Int) -> Int {
    let size = input[input.count - 2 + axis]
    let window = (kernel[axis] - 1) * dilation[axis] + 1
    return (size + before[axis] + after[axis] - window) / stride[axis] + 1
  }

  private var batch: Int { input.dropLast(3).reduce(1, *) }
  private var rows: Int { input[input.count - 2] }
  private var columns: Int { input[input.count - 1] }

  /// Seven nested loops in double precision, straight from the definition.
  func answer(_ values: [Float], weights: [Float], bias: [Float]) -> DenseArray {
    let height = outputSize(0)
    let width = outputSize(1)
    let perGroup = inputChannels / groups
    var result: [Float] = []
    for n in 0..<batch {
      for o in 0..<outputChannels {
        let first = o / (outputChannels / groups) * perGroup
        for y in 0..<height {
          for x in 0..<width {
            var sum = Double(bias[o])
            for c in 0..<perGroup {
              for ky in 0..<kernel[0] {
                for kx in 0..<kernel[1] {
                  let row = y * stride[0] + ky * dilation[0] - before[0]
                  let column = x * stride[1] + kx * dilation[1] - before[1]
                  guard (0..<rows).contains(row), (0..<columns).contains(column) else { continue }
                  let at = ((n * inputChannels + first + c) * rows + row) * columns + column
                  let weight = ((o * perGroup + c) * kernel[0] + ky) * kernel[1] + kx
                  sum += Double(values[at]) * Double(weights[weight])
                }
              }
            }
            result.append(Float(sum))
          }
        }
      }
    }
    return DenseArray(input.dropLast(3) + [outputChannels, height, width], result)
  }

  /// Every input element adds its kernel to the output.
  func transposedAnswer(_ values: [Float], weights: [Float], bias: [Float]) -> DenseArray {
    let size = (0..<2).map { (axis: Int) -> Int in
      let full: Int = (input[input.count - 2 + axis] - 1) * stride[axis] + kernel[axis]
      return full - before[axis] - after[axis] + extent[axis]
    }
    let outputsPerGroup = outputChannels / groups
    let pixels = size[0] * size[1]
    var sums: [Double] = (0..<batch * outputChannels * pixels).map { (at: Int) -> Double in
      Double(bias[at / pixels % outputChannels])
    }
    for n in 0..<batch {
      for c in 0..<inputChannels {
        for y in 0..<rows {
          for x in 0..<columns {
            let value = Double(values[((n * inputChannels + c) * rows + y) * columns + x])
            for o in 0..<outputsPerGroup {
              let channel = c / (inputChannels / groups) * outputsPerGroup + o
              for ky in 0..<kernel[0] {
                for kx in 0..<kernel[1] {
                  let row = y * stride[0] + ky - before[0]
                  let column = x * stride[1] + kx - before[1]
                  guard (0..<size[0]).contains(row), (0..<size[1]).contains(column) else {
                    continue
                  }
                  let weight = ((c * outputsPerGroup + o) * kernel[0] + ky) * kernel[1] + kx
                  let at = ((n * outputChannels + channel) * size[0] + row) * size[1] + column
                  sums[at] += value * Double(weights[weight])
                }
              }
            }
          }
        }
      }
    }
    return DenseArray(input.dropLast(3) + [outputChannels, size[0], size[1]], sums.map(Float.init))
  }
}
