// Fovea - real files load, and broken ones are refused with a reason.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct RealModelTests {
  /// Unoptimized, Fovea's own kernels take seconds for a real network.
  static let backend: Backend = {
    #if DEBUG
      .blas
    #else
      .float
    #endif
  }()

  @Test(.enabled(if: SharedData.isPresent), arguments: ["models", "models/fixtures", "odd"])
  func everyModelOfAFolderLoadsAndRuns(folder: String) throws {
    let files = try SharedData.files(in: folder, suffix: ".mlmodel")
    #expect(!files.isEmpty)
    for file in files where !file.hasPrefix("yolov3") {
      let model = try Model(
        contentsOf: SharedData.url("\(folder)/\(file)").path,
        options: Model.Options(backend: .init(Self.backend)))
      #expect(model.name == String(file.dropLast(8)))
      #expect(model.backend == Self.backend)
      #expect(model.fileByteCount == (try SharedData.bytes("\(folder)/\(file)")).count)
      let session = try Session(model: model)
      session.run()
      for output in model.outputs {
        let values = try session.output(output.name)
        #expect(values.shape == output.shape)
        #expect(values.floats().allSatisfy { $0.isFinite }, "\(file) \(output.name)")
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func theInterfaceOfADetectorIsThatOfItsFile() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path
    let model = try Model(contentsOf: path)
    #expect(model.inputs.map(\.name) == ["image"])
    #expect(model.inputs[0].type == .uint8)
    #expect(model.inputs[0].shape == [320, 320, 3])
    #expect(model.inputs[0].image?.colorSpace == .rgb)
    #expect(model.outputs.map(\.name) == ["raw_confidence", "raw_coordinates"])
    #expect(model.outputs.map(\.shape) == [[1500, 80], [1500, 4]])
    #expect(model.suppression?.iouThresholdInputName == "iouThreshold")
    #expect(model.classLabels?.count == 80)
    #expect(model.classLabels?.first == "person")
    let stopped = try Model(contentsOf: path, options: Model.Options(lastStage: 0))
    #expect(stopped.suppression == nil)
    #expect(stopped.outputs == model.outputs)
    #expect(stopped.classLabels?.count == 80)
    let error = #expect(throws: FoveaError.self) {
      try Model(contentsOf: path, options: Model.Options(lastStage: 2))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func packedWeightsStayPacked() throws {
    let options = Model.Options(backend: .blas)
    let coded = try Model(
      contentsOf: SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path,
      options: options)
    let floats = try Model(
      contentsOf: SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path, options: options)
    #expect(coded.memory.weightBytes < floats.memory.weightBytes / 2)
    #expect(coded.memory.weightBytes < coded.fileByteCount + coded.fileByteCount / 4)
    #expect(coded.nodes.contains { $0.operation == "convolution" })
    #expect(coded.nodes.reduce(0) { $0 + $1.weightBytes } <= coded.memory.weightBytes)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func brokenModelsAreRefused() throws {
    for file in try SharedData.files(in: "bad/models", suffix: "") {
      let path = SharedData.url("bad/models/\(file)").path
      do {
        _ = try Model(contentsOf: path)
        Issue.record("\(file) was loaded")
      } catch let error {
        #expect(error.message.hasPrefix(path), "\(error)")
        #expect(error.message.count > path.count + 20, "\(error)")
        if ProcessInfo.processInfo.environment["FOVEA_PRINT"] != nil {
          print(file, ":", error.code.rawValue, error.message.dropFirst(path.count))
        }
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func theBytesOfTheFileDoNotStay() throws {
    let model = try Model(contentsOf: SharedData.url("models/fixtures/lut3.mlmodel").path)
    guard case .pipeline(let pipeline) = model.specification.body,
      case .neuralNetwork(let network) = pipeline.stages[0].model.body,
      case .convolution(let layer) = network.layers[0].kind
    else {
      Issue.record("lut3 is no longer a convolution in a pipeline")
      return
    }
    #expect(layer.weights.bytes.isEmpty)
    #expect(layer.bias?.bytes.isEmpty == true)
    #expect(layer.weights.encodingName == "3-bit lookup table")
  }

  /// Files with a few bytes changed load or are refused; none of them may end the process.
  @Test(.enabled(if: SharedData.isPresent), arguments: ["valid-float32", "valid-Int8LUT"])
  func changedBytesNeverEndTheProcess(name: String) throws {
    let original = try SharedData.bytes("odd/\(name).mlmodel")
    var random = MMIXGenerator(state: 42)
    func next(_ bound: Int) -> Int { Int((random.next() >> 33) % UInt64(bound)) }
    var refused = 0
    for _ in 0..<600 {
      var bytes = original
      for _ in 0...next(4) { bytes[next(bytes.count)] = UInt8(next(256)) }
      do {
        _ = try Model(bytes: bytes, name: name)
      } catch {
        #expect(!error.message.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 50)
    #expect(refused < 600)
  }
}
