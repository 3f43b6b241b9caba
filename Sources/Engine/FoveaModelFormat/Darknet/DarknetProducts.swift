// Fovea - layers of Darknet that multiply planes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension DarknetReader {
  /// An earlier layer times the layer before, element by element.
  mutating func sam(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    let (factor, planes) = (try input(of: section), try source(section))
    guard factor.shape == planes.shape else {
      throw mismatch(factor, planes, expected: "planes of one size", section)
    }
    return try product(factor, planes, section)
  }

  /// An earlier layer times the layer before, which has one number for each channel; or one plane
  /// for all channels, with `scale_wh`.
  mutating func scaleChannels(
    _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue {
    let (factor, planes) = (try input(of: section), try source(section))
    let fits =
      try section.flag("scale_wh")
      ? factor.shape == [1, 1, planes.height, planes.width]
      : factor.shape == [1, planes.channels, 1, 1]
    guard fits else {
      throw mismatch(
        factor, planes, expected: "one number for each channel, or one plane with scale_wh=1",
        section)
    }
    return try product(factor, planes, section)
  }

  /// The one earlier layer that a section names.
  private func source(_ section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    guard let numbers = try section.integers("from"), numbers.count == 1 else {
      throw section.error(
        .missingField, found: "not one number in 'from'", expected: "from=-2 and the like")
    }
    return try values(numbers, "from", section)[0]
  }

  private mutating func product(
    _ factor: DarknetValue, _ planes: DarknetValue, _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue {
    let function = try activation(section, default: .linear)
    var result = planes
    result.name = name(section)
    result = try program.planes(
      "mul", ["x": planes.argument, "y": factor.argument], to: result)
    return try function.apply(to: result, &program)
  }

  private func mismatch(
    _ factor: DarknetValue, _ planes: DarknetValue, expected: String, _ section: DarknetSection
  ) -> ModelFormatError {
    func words(_ value: DarknetValue) -> String {
      "\(value.channels) planes of \(value.width)x\(value.height)"
    }
    return section.error(
      .invalidValue, "from",
      found: "\(words(planes)), and \(words(factor)) of the layer before", expected: expected)
  }
}
