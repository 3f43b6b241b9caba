// Fovea - tests of requests with a network of the program, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing
import Vision

/// Both interfaces are compared, and the older one is compared with answers by others. Networks are
/// chosen for the whole process, so that these tests take turns with those.
extension ChosenModelTests {
  @Test("Each newer request without a network says what to set") func newerNeedsNetworks() async {
    let picture = try! ModelTests.plain(0, 0, 255, side: 9)
    let requests: [(any VisionRequest, String)] = [
      (ClassifyImageRequest(), "imageClassification"),
      (GenerateImageFeaturePrintRequest(), "featurePrint"),
      (GeneratePersonSegmentationRequest(), "personSegmentation"),
      (GenerateForegroundInstanceMaskRequest(), "instanceMasks"),
      (GeneratePersonInstanceMaskRequest(), "instanceMasks"),
    ]
    var results = 0
    for await result in ImageRequestHandler(picture).performAll(requests.map(\.0)) {
      guard case .error(_, let error) = result, case VisionError.dataUnavailable(let text) = error
      else {
        Issue.record("\(result)")
        continue
      }
      #expect(text.contains("VisionModels.\(requests[results].1)"))
      results += 1
    }
    #expect(results == requests.count && ClassifyImageRequest().supportedIdentifiers.isEmpty)
  }

  @Test("A touched object is cut out", .enabled(if: SharedData.isPresent))
  func newerCutouts() async throws {
    let folder = SharedData.url("tasks/segment-yolo11-coreml-half-double-size")
    VisionModels.instanceMasks = folder.appendingPathComponent("model.mlpackage")
    defer { VisionModels.instanceMasks = nil }
    let url = folder.appendingPathComponent("input.png")
    let older = VNGenerateForegroundInstanceMaskRequest()
    let handler = VNImageRequestHandler(url: url)
    try handler.perform([older])
    let observation = try #require(older.results?.first)
    let numbers = Self.bytes(observation.instanceMask, 1)
    let width = CVPixelBufferGetWidth(observation.instanceMask)
    let height = CVPixelBufferGetHeight(observation.instanceMask)
    // The last object that is seen, touched at the middle of one of its pixels.
    let number = try #require(numbers.max())
    let pixel = try #require(numbers.firstIndex(of: number))
    let point = NormalizedPoint(
      imagePoint: CGPoint(x: Double(pixel % width) + 0.5, y: Double(height - pixel / width) - 0.5),
      in: CGSize(width: width, height: height))
    let cutout = try #require(try await Cutout(url, at: point))
    let chosen = IndexSet(integer: Int(number))
    #expect(cutout.count == observation.allInstances.count)
    #expect(
      Self.bytes(cutout.mask, 4)
        == Self.bytes(try observation.generateMask(forInstances: chosen), 4))
    #expect(
      Self.bytes(cutout.pixels, 4)
        == Self.bytes(
          try observation.generateMaskedImage(
            ofInstances: chosen, from: handler, croppedToInstancesExtent: true), 4))
    #expect(cutout.numbers.size == CGSize(width: width, height: height))
    #expect(cutout.numbers.pixel(at: point) == Float(number) / 255)
    // The newer observation of the older one, stored and read again.
    let newer = InstanceMaskObservation(observation)
    let copy = try JSONDecoder().decode(
      InstanceMaskObservation.self, from: JSONEncoder().encode(newer))
    #expect(copy == newer && copy.uuid == observation.uuid)
    #expect(copy.allInstances == observation.allInstances && copy.instanceAtPoint(point) == chosen)
    #expect(throws: VisionError.self) { try copy.generateMask(for: IndexSet(integer: 0)) }
    let people = try #require(try await GeneratePersonInstanceMaskRequest().perform(on: url))
    #expect(people.allInstances.count <= cutout.count)
    #expect(people.originatingRequestDescriptor == .generatePersonInstanceMaskRequest(.revision1))
  }

  @Test("A matte of people has their pixels", .enabled(if: SharedData.isPresent))
  func newerPeople() async throws {
    let folder = SharedData.url("tasks/semantic-yolo26-onnx-map")
    VisionModels.personSegmentation = folder.appendingPathComponent("model.onnx")
    defer { VisionModels.personSegmentation = nil }
    let image = try Self.picture(folder.appendingPathComponent("input.png"))
    let older = VNGeneratePersonSegmentationRequest()
    try VNImageRequestHandler(cgImage: image).perform([older])
    let expected = Self.bytes(try #require(older.results?.first).pixelBuffer, 1)
    let matte = try #require(await newerMatte(image))
    #expect(matte.width == image.width && matte.height == image.height)
    let request = GeneratePersonSegmentationRequest()
    let observation = try await request.perform(on: image)
    try observation.withUnsafePointer { pointer in
      #expect(expected.elementsEqual(UnsafeRawBufferPointer(start: pointer, count: expected.count)))
    }
    #expect(expected.contains(255) && expected.contains(0))
    request.outputPixelFormatType = kCVPixelFormatType_32BGRA
    await #expect(throws: VisionError.self) { try await request.perform(on: image) }
    #expect(request.supportedOutputPixelFormats.contains(kCVPixelFormatType_OneComponent8))
  }

  @Test("A newer program gets the words of its network", .enabled(if: SharedData.isPresent))
  func newerWords() async throws {
    let folder = SharedData.url("tasks/classify-yolo11-onnx-center")
    VisionModels.imageClassification = folder.appendingPathComponent("model.onnx")
    defer { VisionModels.imageClassification = nil }
    let url = folder.appendingPathComponent("input.png")
    let tags = try await newerTags(url, above: 0.1)
    #expect(Set(tags.words.keys) == ["bus", "truck"] && tags.known > 5 && tags.codes == 0)
    #expect(abs(try #require(tags.words["bus"]) - 0.508) < 0.002)
  }

  @Test("A catalog ranks by the distance of prints") func newerPrints() async throws {
    let pictures = try PlainPictures()
    defer { pictures.folder.remove() }
    VisionModels.featurePrint = pictures.model
    defer { VisionModels.featurePrint = nil }
    let catalog = NewerCatalog()
    for url in [pictures.far, pictures.one, pictures.near] { try await catalog.add(url) }
    let matches = try await catalog.matches(pictures.one)
    #expect(matches.map(\.name) == ["one.png", "near.png", "far.png"])
    for (found, distance) in zip(matches, [0.0, 5, 190]) {
      #expect(abs(found.distance - distance) < 1e-3)
    }
    let print = try await GenerateImageFeaturePrintRequest().perform(on: pictures.near)
    #expect(print.elementCount == 3 && print.elementType == .float && print.data.count == 12)
    let copy = try JSONDecoder().decode(
      FeaturePrintObservation.self, from: JSONEncoder().encode(print))
    #expect(try copy == print && copy.distance(to: print) == 0)
  }
}

extension BodyPoseTests {
  @Test("A newer program gets the same joints", .enabled(if: SharedData.isPresent))
  func newerJoints() async throws {
    let folder = SharedData.url("tasks/pose-yolo11-coreml-half")
    VisionModels.bodyPose = folder.appendingPathComponent("model.mlpackage")
    defer { VisionModels.bodyPose = nil }
    let url = folder.appendingPathComponent("input.png")
    let older = VNDetectHumanBodyPoseRequest()
    try VNImageRequestHandler(url: url).perform([older])
    let person = try #require(older.results?.first)
    let found = try await CurlCounter.joints(url)
    #expect(found.count == older.results?.count && found.all.count == 19)
    #expect(found.arm == [.leftShoulder, .leftElbow, .leftWrist])
    for (name, same) in [
      (CurlCounter.Name.nose, VNHumanBodyPoseObservation.JointName.nose), (.neck, .neck),
      (.root, .root), (.leftWrist, .leftWrist), (.rightWrist, .rightWrist),
      (.leftKnee, .leftKnee), (.rightAnkle, .rightAnkle), (.leftEar, .leftEar),
    ] {
      let (joint, point) = (try #require(found.all[name]), try person.recognizedPoint(same))
      #expect(joint.location.cgPoint == point.location && joint.confidence == point.confidence)
    }
    let newer = HumanBodyPoseObservation(person)
    #expect(newer.allJoints() == found.all && newer.uuid == person.uuid)
    let copy = try JSONDecoder().decode(
      HumanBodyPoseObservation.self, from: JSONEncoder().encode(newer))
    #expect(copy == newer && copy.availableJointNames.count == 19)
    // A bent arm has an angle, which does not depend on the order of its ends.
    let angle = CurlCounter.angle(of: found.all, (.leftShoulder, .leftElbow, .leftWrist))
    let same = CurlCounter.angle(of: found.all, (.leftWrist, .leftElbow, .leftShoulder))
    #expect(angle == nil ? same == nil : abs(angle! - same!) < 1e-9)
  }
}
