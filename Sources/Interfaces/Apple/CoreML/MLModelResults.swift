// Fovea - what a model computed, as values of the types that it declares.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import FoveaModelValues
package import FoveaRuntime

/// What a model computed, as values of the types that it declares.
package struct ModelResults {
  private let model: Model

  package init(_ model: Model) { self.model = model }

  /// The declared outputs by name.
  ///
  /// - Throws: `MLModelError` where memory lacks.
  package func values(of tensors: [String: Tensor]) throws -> [String: MLFeatureValue] {
    let file = model.specification
    var values: [String: MLFeatureValue] = [:]
    for feature in file.outputs {
      if let tensor = tensors[feature.name] {
        values[feature.name] = try value(of: tensor, feature.type)
      }
    }
    if !file.predictedFeatureName.isEmpty {
      try addLabel(tensors[file.predictedProbabilitiesName], to: &values)
    }
    return values
  }

  private func value(of tensor: Tensor, _ type: FeatureType) throws -> MLFeatureValue {
    let floats = tensor.floats()
    switch type {
    case .image(let image):
      return MLFeatureValue(pixelBuffer: try Self.picture(floats, tensor.shape, image))
    case .double: return MLFeatureValue(double: Double(floats.first ?? 0))
    case .int64: return MLFeatureValue(int64: Int64(floats.first.map { Double($0) } ?? 0))
    case .multiArray(let feature):
      return MLFeatureValue(
        multiArray: try Self.array(floats, tensor.shape, MLMultiArrayDataType(feature.dataType)))
    default:
      return MLFeatureValue(multiArray: try Self.array(floats, tensor.shape, .float32))
    }
  }

  private static func array(
    _ floats: [Float], _ shape: [Int], _ type: MLMultiArrayDataType
  ) throws -> MLMultiArray {
    let array = try MLMultiArray(sizes: shape, type: type)
    let target = array.dataPointer
    switch type {
    case .float32:
      floats.withUnsafeBytes { source in
        if let base = source.baseAddress { target.copyMemory(from: base, byteCount: source.count) }
      }
    case .double:
      let doubles = target.assumingMemoryBound(to: Double.self)
      for (index, value) in floats.enumerated() { doubles[index] = Double(value) }
    default: for (index, value) in floats.enumerated() { array.setNumber(Double(value), at: index) }
    }
    return array
  }

  /// Planes of numbers in 0...255 as a picture.
  private static func picture(
    _ floats: [Float], _ shape: [Int], _ image: ImageFeature
  ) throws -> CVPixelBuffer {
    let (height, width) = (shape.suffix(2).first ?? 0, shape.last ?? 0)
    let isHalf = image.colorSpace == .grayscaleFloat16
    let isGray = image.colorSpace.channelCount == 1
    let format =
      isHalf
      ? kCVPixelFormatType_OneComponent16Half
      : isGray ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_32BGRA
    var buffer: CVPixelBuffer?
    let area = width * height
    guard floats.count == area * (isGray ? 1 : 3),
      CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == kCVReturnSuccess,
      let buffer
    else {
      throw MLModelError(.generic, "an output of the shape \(shape) is no picture")
    }
    func byte(_ value: Float) -> UInt8 {
      value.isNaN ? 0 : UInt8(min(max(value.rounded(), 0), 255))
    }
    let isRedFirst = image.colorSpace == .rgb
    for y in 0..<height {
      let row = buffer.base + y * buffer.rowBytes
      for x in 0..<width {
        let place = y * width + x
        if isHalf {
          row.storeBytes(of: Float16(floats[place]), toByteOffset: 2 * x, as: Float16.self)
        } else if isGray {
          row.storeBytes(of: byte(floats[place]), toByteOffset: x, as: UInt8.self)
        } else {
          let pixel = (row + 4 * x).assumingMemoryBound(to: UInt8.self)
          pixel[isRedFirst ? 2 : 0] = byte(floats[place])
          pixel[1] = byte(floats[area + place])
          pixel[isRedFirst ? 0 : 2] = byte(floats[2 * area + place])
          pixel[3] = 255
        }
      }
    }
    return buffer
  }

  /// The class with the greatest probability, and all probabilities by label.
  private func addLabel(
    _ chances: Tensor?, to values: inout [String: MLFeatureValue]
  ) throws {
    let file = model.specification
    guard let chances = chances?.floats(), let labels = model.classLabels,
      chances.count == labels.count,
      let best = chances.indices.max(by: { chances[$0] < chances[$1] })
    else { return }
    let isNumber = file.outputs.contains {
      $0.name == file.predictedFeatureName && $0.type == .int64
    }
    values[file.predictedFeatureName] =
      isNumber
      ? MLFeatureValue(int64: Int64(labels[best]) ?? 0) : MLFeatureValue(string: labels[best])
    var all: [AnyHashable: NSNumber] = [:]
    for (label, chance) in zip(labels, chances) {
      all[isNumber ? AnyHashable(Int64(label) ?? 0) : AnyHashable(label)] = NSNumber(
        value: Double(chance))
    }
    values[file.predictedProbabilitiesName] = try MLFeatureValue(dictionary: all)
  }
}
