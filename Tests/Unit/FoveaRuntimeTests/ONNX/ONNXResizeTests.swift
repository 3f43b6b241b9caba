// Fovea - Resize of ONNX in its modes, and by scales that are no ratios.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct ONNXResizeTests {
  private typealias Attribute = ONNXWriter.Attribute

  private func resize(
    _ values: [Float], scales: [Float]? = nil, sizes: [Int]? = nil,
    _ attributes: KeyValuePairs<String, ONNXWriter.Attribute>, set: Int = 18
  ) -> ONNXRunner {
    ONNXRunner(
      "Resize", ONNXArray([1, 1, 1, values.count], values),
      [nil, .floats((scales ?? []).isEmpty ? [] : [1, 1, 1] + (scales ?? []))]
        + (sizes.map { [.integers([1, 1, 1] + $0)] } ?? []),
      attributes, set: set)
  }

  @Test func theStatedScaleCounts() throws {
    // floor(4 * 1.6) = 6 elements, at i / 1.6: the ratio 6 / 4 would give 0, 0, 1, 2, 2, 3.
    try resize(
      [0, 1, 2, 3], scales: [1.6],
      [
        "coordinate_transformation_mode": .string("asymmetric"), "nearest_mode": .string("floor"),
      ]
    ).expect([0, 0, 1, 1, 2, 3])
    try resize(
      [0, 10, 20, 30], scales: [1.6],
      ["mode": .string("linear"), "coordinate_transformation_mode": .string("asymmetric")]
    ).expect([0, 6.25, 12.5, 18.75, 25, 30], within: 1e-4)
  }

  @Test func sizesAreRoundedInSinglePrecision() throws {
    // 10 * 0.7 is 6.9999998 in double precision.
    try resize(
      (0..<10).map { Float($0) }, scales: [0.7],
      ["coordinate_transformation_mode": .string("asymmetric"), "nearest_mode": .string("floor")]
    ).expect([0, 1, 2, 4, 5, 7, 8])
  }

  @Test func linearByTwo() throws {
    try resize([1, 2], scales: [2], ["mode": .string("linear")]).expect([1, 1.25, 1.75, 2])
    try resize(
      [1, 2], scales: [2],
      ["mode": .string("linear"), "coordinate_transformation_mode": .string("align_corners")]
    ).expect([1, 4 / 3, 5 / 3, 2])
  }

  @Test(arguments: ["pytorch_half_pixel", "align_corners"])
  func oneElementIsTheFirst(_ mode: String) throws {
    try resize(
      [3, 5, 9, 11], sizes: [1],
      ["mode": .string("linear"), "coordinate_transformation_mode": .string(mode)]
    ).expect([3])
  }

  @Test(arguments: [
    // At -0.25, 0.25, 0.75 and so on; at 0.5, 2.5, 4.5 below.
    ("round_prefer_floor", [Float](arrayLiteral: 0, 2, 4)), ("round_prefer_ceil", [1, 3, 5]),
    ("floor", [0, 2, 4]), ("ceil", [1, 3, 5]),
  ])
  func nearestInTheMiddle(_ rounding: String, _ expected: [Float]) throws {
    try resize(
      (0..<6).map { Float($0) }, scales: [0.5], ["nearest_mode": .string(rounding)]
    ).expect(expected)
  }

  /// 18 / 2.4 and 1 / (2 / 7) are less than 7.5 and 3.5 in single precision.
  @Test func placesNearTheMiddleAreThere() throws {
    let rounding: KeyValuePairs<String, Attribute> = [
      "coordinate_transformation_mode": .string("asymmetric"),
      "nearest_mode": .string("round_prefer_ceil"),
    ]
    try resize((0..<7).map { Float($0) }, sizes: [2], rounding).expect([0, 4])
    try resize((0..<10).map { Float($0) }, sizes: [24], rounding).expect(
      [0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 9])
  }

  @Test func setTenHasScalesAloneAndNoModes() throws {
    try ONNXRunner(
      "Resize", ONNXArray([1, 1, 1, 3], [1, 2, 3]), [.floats([1, 1, 2, 2])],
      ["mode": .string("nearest")], set: 10
    ).expect([1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3], shape: [1, 1, 2, 6])
    try ONNXRunner(
      "Upsample", ONNXArray([1, 1, 1, 2], [1, 2]), [.floats([1, 1, 1, 2])],
      ["mode": .string("linear")], set: 9
    ).expect([1, 1.5, 2, 2])
  }

  @Test func ratiosOfSidesAreKept() throws {
    try ONNXRunner(
      "Resize", ONNXArray(countingIn: [1, 1, 2, 4]), [nil, nil, .integers([4, 12])],
      [
        "axes": .ints([2, 3]), "keep_aspect_ratio_policy": .string("not_larger"),
        "coordinate_transformation_mode": .string("asymmetric"), "nearest_mode": .string("floor"),
      ]
    ).expect(
      [0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
        + [4, 4, 5, 5, 6, 6, 7, 7], shape: [1, 1, 4, 8])
  }

  @Test func cubicThroughTheMiddle() throws {
    // Between two elements the weights are -3/32, 19/32, 19/32, -3/32 for the factor -0.75.
    try resize(
      [0, 0, 32, 0, 0, 0], scales: [2],
      [
        "mode": .string("cubic"), "coordinate_transformation_mode": .string("asymmetric"),
      ]
    ).expect([0, -3, 0, 19, 32, 19, 0, -3, 0, 0, 0, 0], within: 1e-4)
  }

  @Test func dimensionsOtherThanPlanes() throws {
    try ONNXRunner(
      "Resize", ONNXArray([1, 1, 2, 2], [1, 2, 3, 4]), [nil, .floats([1, 2, 1, 1])],
      ["mode": .string("linear")]
    ).expect([1, 2, 3, 4, 1, 2, 3, 4], shape: [1, 2, 2, 2])
  }

  @Test func scalesOfEveryRunAreNamed() throws {
    let runner = ONNXRunner(ONNXArray([1, 1, 1, 2], [1, 2])) { writer in
      writer.input("scales", [4])
      writer.add("Resize", ["x", "", "scales"])
    }
    #expect(try runner.refusal().contains("its input 2 depends on what the model is given"))
  }

  /// The standard and ONNX Runtime spread the corners over 2.4 and over 2 elements.
  @Test func cornersOfPartsOfElementsAreRefused() throws {
    let runner = resize(
      [1, 2, 3, 4], scales: [0.6],
      ["mode": .string("linear"), "coordinate_transformation_mode": .string("align_corners")])
    #expect(try runner.refusal().contains("export the model with sizes"))
  }

  @Test func otherModesAreNamed() throws {
    let message = try resize(
      [1, 2], scales: [2], ["coordinate_transformation_mode": .string("tf_crop_and_resize")]
    ).refusal()
    #expect(message.contains("tf_crop_and_resize"), "\(message)")
  }
}
