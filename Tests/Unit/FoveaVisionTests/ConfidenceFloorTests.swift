// Fovea - requests see the same objects as a run that computes every box.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaRuntime
import FoveaTestSupport
import FoveaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct ConfidenceFloorTests {
  @Test(arguments: [Float(0), 0.001, 0.05, 0.25, 1], CandidateRule.allCases)
  func objectsAreThoseOfTheFullArrays(_ threshold: Float, _ rule: CandidateRule) throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path
    let model = try Model(contentsOf: path)
    var request = try DetectObjectsRequest(model: model)
    request.minimumConfidence = threshold
    request.candidateRule = rule
    request.maximumObservations = 3000
    let image = try ReferenceDetectionTests.input("dog", side: 320)
    let session = try Session(model: model)
    try image.withPixels { pixels throws(FoveaError) in
      try session.fillImageInput(
        "image", from: pixels.bytes, layout: PixelLayout(format: .rgb, width: 320, height: 320))
    }
    session.run()
    let decoder = ConfidenceCoordinatesDecoder(
      classCount: request.classLabels.count, settings: try request.resolvedSettings())
    let expected = try decoder.observations(
      confidence: session.output("raw_confidence").floats().span,
      coordinates: session.output("raw_coordinates").floats().span,
      classLabels: request.classLabels)
    // Twice, so that the second time works in memory that is used already.
    for _ in 0..<2 {
      let found = try request.perform(on: image)
      #expect(found == expected)
    }
    #expect(expected.isEmpty == (threshold == 1))
  }

  @Test func memoryThatWasUsedGivesTheSame() throws {
    var random = SplitMix(seed: 4)
    let memory = PostprocessingMemory()
    for (rows, threshold) in [(400, 0.05), (3, 0.2), (0, 0.25), (90, 0.5), (401, 0)] {
      let confidence = (0..<rows * 7).map { _ in Float.random(in: 0...1, using: &random) }
      let coordinates = (0..<rows * 4).map { _ in Float.random(in: 0...1, using: &random) }
      for rule in CandidateRule.allCases {
        let decoder = ConfidenceCoordinatesDecoder(
          classCount: 7,
          settings: try DetectionSettings(
            minimumConfidence: threshold, iouThreshold: 0.3, candidateRule: rule))
        let labels = (0..<7).map(String.init)
        let fresh = try decoder.observations(
          confidence: confidence.span, coordinates: coordinates.span, classLabels: labels)
        let found = try decoder.observations(
          confidence: confidence.span, coordinates: coordinates.span, classLabels: labels,
          memory: memory)
        #expect(found == fresh)
      }
    }
  }
}

extension ConfidenceFloorTests {
  /// The dog's classes have scores of 1.116 in sum.
  @Test(arguments: CandidateRule.allCases)
  func noObjectOfThePhotographHasAConfidenceAboveOne(_ rule: CandidateRule) throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path
    var request = try DetectObjectsRequest(model: Model(contentsOf: path))
    request.minimumConfidence = 0.01
    request.candidateRule = rule
    request.retainsScores = true
    let result = try request.result(on: Image(contentsOf: SharedData.url("images/dog.jpg").path))
    let scores = try #require(result.scores)
    var network: Set<Float> = []
    for box in 0..<scores.boxCount { network.formUnion(scores.classScores(ofBox: box)) }
    #expect(result.observations.contains { $0.bestLabel?.identifier == "dog" })
    for object in result.observations {
      #expect((0...1).contains(object.confidence))
      #expect(object.labels.allSatisfy { (0...1).contains($0.confidence) })
      let score = object.topConfidence
      #expect(
        [score.nextDown, score, score.nextUp].contains { network.contains($0) },
        "\(object) has a score that the network did not put out")
    }
  }
}
