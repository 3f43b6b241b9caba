// Fovea - tests: the files of Darknet networks, and what becomes of them.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct DarknetModelTests {
  private let plain = DarknetExample(
    layers: DarknetExample.toHead, floats: DarknetExample.headFloats())

  @Test func modelIsANetworkWithSuppression() throws {
    let model = try plain.model()
    guard case .image(let image) = model.inputs[0].type else { throw Missing(what: "an image") }
    #expect((image.width, image.height) == (64, 32))
    #expect(image.colorSpace == .rgb)
    #expect(try model.network.outputs == ["confidence", "coordinates"])
    #expect(try model.network.operationSet == "CoreML7")
    let suppression = try model.suppression
    #expect(suppression.classLabels == .int64s([0, 1]))
    #expect(suppression.perClass)
    #expect(suppression.confidenceThreshold == 0.25 && suppression.iouThreshold == 0.45)
    #expect(try plain.model("tiny.weights") == model)
  }

  @Test func grayNetworksReadGrayPictures() throws {
    var example = plain
    example.net = example.net.replacing("channels=3", with: "channels=1")
    example.floats = DarknetExample.headFloats(1)
    guard case .image(let image) = try example.model().inputs[0].type else {
      throw Missing(what: "an image")
    }
    #expect(image.colorSpace == .grayscale)
    for channels in ["0", "2", "4"] {
      example.net = plain.net.replacing("channels=3", with: "channels=\(channels)")
      #expect(try formatError { _ = try example.model() }.fieldPath == "line 4 of tiny.cfg")
    }
  }

  @Test func sizeOfPicturesMayBeAnother() throws {
    let model = try plain.model(size: ImageFeature.Size(width: 32, height: 96))
    guard case .tensor(let type) = try model.network.inputs[0].type else {
      throw Missing(what: "a tensor")
    }
    #expect(type.knownShape == [1, 3, 96, 32])
    for size in [0, -5, 1 << 20, .max] {
      #expect(throws: ModelFormatError.self) {
        try plain.model(size: ImageFeature.Size(width: size, height: size))
      }
    }
  }

  @Test func weightsAreNotCopied() throws {
    let stored = StoredBytes(plain.weights)
    struct OneFile: ModelFolder {
      let weights: StoredBytes
      func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? { weights }
    }
    let model = try ModelDescription(
      anyFormat: Array(plain.text.utf8), fileName: "tiny.cfg", folder: OneFile(weights: stored))
    // Constants of one file count once, as large as the file's part that they are.
    #expect(try model.network.storedByteCount >= 4 * plain.floats)
    #expect(try model.network.storedByteCount <= stored.count + 2000)
  }

  @Test(arguments: ["tiny.names", "obj.names", "coco.names", "voc.names"])
  func namesLieBeside(_ file: String) throws {
    var example = plain
    example.otherFiles[file] = Array(" cat\r\ntraffic light \n\n\n".utf8)
    #expect(try example.model().suppression.classLabels == .strings(["cat", "traffic light"]))
    example.otherFiles[file] = Array("cat\ndog\nbird".utf8)
    #expect(try example.model().suppression.classLabels == .int64s([0, 1]))
  }

  @Test func ownNamesComeFirst() throws {
    var example = plain
    example.otherFiles = ["coco.names": Array("a\nb".utf8), "tiny.names": Array("c\nd".utf8)]
    #expect(try example.model().suppression.classLabels == .strings(["c", "d"]))
  }

  // MARK: Weights

  @Test func headersOfBothVersionsAreRead() throws {
    for (version, count) in [([0, 1, 0], 4), ([0, 2, 0], 8), ([0, 2, 5], 8)] {
      var example = plain
      example.header = DarknetExample.header(
        version[0], version[1], version[2], imagesBytes: count)
      #expect(try example.operations() == plain.operations(), "\(version)")
      #expect(try example.model("tiny.weights") == example.model())
    }
  }

  @Test func weightsHaveToEndWithTheLayers() throws {
    for (floats, code) in [
      (plain.floats - 1, ModelFormatError.Code.truncated), (plain.floats + 1, .invalidWeights),
    ] {
      var example = plain
      example.floats = floats
      let error = try formatError { _ = try example.model() }
      #expect(error.code == code)
      #expect(error.fieldPath.hasSuffix("tiny.weights"))
      #expect(error.byteOffset == (code == .truncated ? 20 + 4 * 14 : 20 + 4 * plain.floats))
    }
    for count in [0, 3, 12, 19] {
      var example = plain
      example.otherFiles["tiny.weights"] = Array(plain.weights.prefix(count))
      let error = try formatError { _ = try example.model() }
      #expect(error.fieldPath == "tiny.weights", "\(count): \(error)")
    }
  }

  @Test func otherFilesInPlaceOfWeightsAreNamed() throws {
    var example = plain
    example.otherFiles["tiny.weights"] = Array("version https://git-lfs.github.com/spec".utf8)
    #expect(try formatError { _ = try example.model() }.code == .gitLargeFilePointer)
    example.otherFiles["tiny.weights"] = Array("<!DOCTYPE html><html></html>".utf8)
    #expect(try formatError { _ = try example.model() }.code == .notAModel)
  }

  @Test(arguments: [("tiny.cfg", "tiny.weights"), ("tiny.weights", "tiny.cfg")])
  func missingFileIsNamed(given: String, missing: String) throws {
    let bytes = given == "tiny.cfg" ? Array(plain.text.utf8) : plain.weights
    let error = try formatError {
      _ = try ModelDescription(anyFormat: bytes, fileName: given, folder: EmptyFolder())
    }
    #expect(error.code == .missingField)
    #expect(error.found.contains(missing))
    let alone = try formatError {
      _ = try ModelDescription(anyFormat: bytes, fileName: "", folder: EmptyFolder())
    }
    #expect(alone.remedy.contains("two files"))
  }

  // MARK: Heads

  @Test func headsHaveToFitTheirInput() throws {
    let changes = [
      ("mask=0,1", "mask=0,3"), ("mask=0,1", "mask=0,-1"), ("mask=0,1", "mask=0"),
      ("classes=2", "classes=3"), ("classes=2", "classes=0"), ("4,4", "4"), ("4,4", "4,0"),
      ("classes=2", "classes=2\nscale_x_y=0"), ("anchors", "anchor"),
    ]
    for (old, new) in changes {
      var example = plain
      example.head = example.head.replacing(old, with: new)
      #expect(throws: ModelFormatError.self, "\(new)") { try example.model() }
    }
    var example = plain
    example.head = ""
    #expect(try formatError { _ = try example.model() }.code == .unsupportedModelType)
  }

  @Test func maskStandsForAllAnchorsWithoutOne() throws {
    var example = plain
    example.head = "[yolo]\nanchors=8,16, 16,8\nclasses=2\n"
    #expect(try example.operations() == plain.operations())
  }

  @Test func regionsHaveTheirLimits() throws {
    var example = plain
    example.head = "[region]\nanchors=1,2,3,4\nclasses=2\nnum=2\nsoftmax=1\n"
    #expect(try example.operations().contains { $0.kind == "softmax" })
    for (old, new) in [
      ("num=2", "num=3"), ("num=2", ""), ("softmax=1", "coords=5"), ("softmax=1", "tree=x"),
      ("softmax=1", "background=1"),
    ] {
      var example = example
      example.head = example.head.replacing(old, with: new)
      #expect(throws: ModelFormatError.self, "\(new)") { try example.model() }
    }
    example.head = example.head.replacing("softmax=1", with: "softmax=0")
    #expect(try !example.operations().contains { $0.kind == "softmax" })
  }

  // MARK: Shared data

  @Test(.enabled(if: SharedData.isPresent))
  func brokenNetworksAreRefused() throws {
    let folder = SharedFolder(path: "mlprogram/bad/darknet")
    let files = try SharedData.files(in: folder.path)
    #expect(files.count >= 40)
    for file in files {
      let error = try formatError {
        _ = try ModelDescription(
          anyFormat: try SharedData.bytes("\(folder.path)/\(file)"), fileName: file, folder: folder)
      }
      let name = file.prefix { $0 != "." }
      #expect(
        error.fieldPath.contains(name) || name == "nan", "\(file): \(error)")
    }
  }
}
