// Fovea - boxes of ML Programs are those that their stored outputs mean.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Detectors whose outputs are decoded by Fovea, against a decoder that stands here alone.
@Suite(.enabled(if: SharedData.isPresent)) struct ProgramDetectionTests {
  /// A row of a network's output.
  struct Row {
    var scores: [Float]
    /// Center x, center y, width, height in fractions of the image.
    var box: [Double]
  }

  /// A stored model, and what its outputs mean.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var head: DetectorHead
    /// Overlaps that are suppressed; 1 for none.
    var overlap = 0.45
    /// The least score of an object; networks of random weights differ.
    var score: Float = 0.5
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "yolov8-fp32", head: .yolo), Case(name: "yolo11-fp16-ios18", head: .yolo),
    Case(name: "yolo11n-full-palette8", head: .yolo),
    Case(name: "yolo26-one2many-fp16", head: .yolo), Case(name: "yolo11-seg-fp16", head: .yolo),
    Case(name: "flexible-enumerated-image", head: .yolo),
    Case(name: "yolo26-end2end-fp16", head: .endToEnd, overlap: 1),
    Case(name: "yolov5-anchors-fp16", head: .yoloAnchors),
    Case(name: "yolox-nano-fp16", head: .yolox, score: 0.15),
    Case(name: "nanodet-fp16", head: .nanodet),
    Case(name: "multifunction", head: .nanodet),
    Case(name: "rtdetr-fp32", head: .detr, overlap: 1),
    Case(name: "rtdetr-fp16-ios18", head: .detr, overlap: 1),
    Case(name: "dfine-fp32", head: .detr, overlap: 1),
  ]

  @Test(arguments: cases)
  func boxesAreThoseOfTheStoredOutputs(_ stored: Case) throws {
    let folder = "mlprogram/\(stored.name)"
    let model = try Model(
      contentsOf: SharedData.url("\(folder)/model.mlpackage").path,
      options: Model.Options(backend: BuildConfiguration.isOptimized ? .float : .blas))
    #expect(model.head?.head == stored.head, "\(model.head?.reason ?? "no head")")
    var request = try DetectObjectsRequest(model: model)
    request.minimumConfidence = stored.score
    let example = try Self.example(of: stored)
    let expected = Self.survivors(
      of: try example.decoder(stored, classes: request.classLabels.count, model).rows(),
      stored)
    #expect(expected.count >= 3, "the test shows nothing")
    let found = try request.perform(on: try example.image)
    #expect(found.count == expected.count)
    for row in expected {
      let best = row.scores.indices.max { row.scores[$0] < row.scores[$1] } ?? 0
      let match = found.filter { $0.bestLabel?.classIndex == best }
        .map { Self.difference($0.boundingBox.verticallyFlipped(), row.box) }.min()
      #expect((match ?? 1) < 2e-4, "\(row.box) of class \(best)")
    }
  }

  /// Random weights give scores of exactly 1 and boxes of any size: they are compared row by row.
  @Test func rowsOfEfficientDetAreThoseOfItsAnchors() throws {
    let stored = Case(name: "efficientdet-palette2", head: .efficientdet)
    let model = try Model(
      contentsOf: SharedData.url("mlprogram/\(stored.name)/model.mlpackage").path,
      options: Model.Options(backend: .blas))
    #expect(model.head?.head == .efficientdet)
    let example = try Self.example(of: stored)
    let session = try Session(model: model)
    try session.setInput(
      model.inputs[0].name,
      to: Tensor(
        shape: model.inputs[0].shape, uint8s: try #require(example.pixels.uint8s())))
    session.run()
    let boxes = try session.output("coordinates").floats()
    let rows = try example.decoder(stored, classes: 10, model).rows()
    #expect(boxes.count == rows.count * 4)
    for (index, row) in rows.enumerated() {
      for (side, expected) in row.box.enumerated() {
        let found = Double(boxes[index * 4 + side])
        #expect(abs(found - expected) < 1e-3 * max(1, abs(expected)), "row \(index)")
      }
    }
  }

  /// The first example of a case.
  static func example(of stored: Case) throws -> Example {
    let folder = "mlprogram/\(stored.name)"
    let info = try #require(try SharedData.json("\(folder)/info.json") as? [String: Any])
    let example = try #require((info["examples"] as? [[String: Any]])?.first)
    let input = try #require((example["inputs"] as? [String: [String: Any]])?.values.first)
    let pixels = try Tensor(
      contentsOf: SharedData.url("\(folder)/\(input["file"] as? String ?? "")").path)
    return Example(folder: folder, pixels: pixels)
  }

  /// The largest difference of any side.
  static func difference(_ found: NormalizedRect, _ box: [Double]) -> Double {
    [
      found.x - (box[0] - box[2] / 2), found.y - (box[1] - box[3] / 2), found.width - box[2],
      found.height - box[3],
    ].map(abs).max() ?? 0
  }

  /// Greedy suppression within each class.
  static func survivors(of rows: [Row], _ stored: Case) -> [Row] {
    func best(_ row: Row) -> Float { row.scores.max() ?? 0 }
    func classOf(_ row: Row) -> Int { row.scores.firstIndex(of: best(row)) ?? 0 }
    var kept: [Row] = []
    for row in rows.filter({ best($0) >= stored.score }).sorted(by: { best($0) > best($1) }) {
      let rivals = kept.filter { classOf($0) == classOf(row) }
      if rivals.allSatisfy({ overlap($0.box, row.box) <= stored.overlap }) { kept.append(row) }
    }
    return kept
  }

  static func overlap(_ a: [Double], _ b: [Double]) -> Double {
    let width = min(a[0] + a[2] / 2, b[0] + b[2] / 2) - max(a[0] - a[2] / 2, b[0] - b[2] / 2)
    let height = min(a[1] + a[3] / 2, b[1] + b[3] / 2) - max(a[1] - a[3] / 2, b[1] - b[3] / 2)
    let shared = max(width, 0) * max(height, 0)
    let all = a[2] * a[3] + b[2] * b[3] - shared
    return all > 0 ? shared / all : 0
  }
}

/// An image and the outputs that belong to it.
struct Example {
  fileprivate var folder: String
  var pixels: Tensor

  var image: Image {
    get throws {
      try Image(
        width: pixels.shape[1], height: pixels.shape[0], rgb: try #require(pixels.uint8s()))
    }
  }

  fileprivate func decoder(
    _ stored: ProgramDetectionTests.Case, classes: Int, _ model: Model
  ) throws -> PlainDecoder {
    var outputs: [[Float]] = []
    for name in model.specification.outputs.map(\.name) {
      outputs.append(
        try Tensor(contentsOf: SharedData.url("\(folder)/output-\(name)-0.npy").path).floats())
    }
    return PlainDecoder(
      head: stored.head, outputs: outputs, classes: classes, width: Double(pixels.shape[1]),
      height: Double(pixels.shape[0]))
  }
}

/// Loops over the numbers of outputs, written from the descriptions of the heads.
private struct PlainDecoder {
  var head: DetectorHead
  var outputs: [[Float]]
  var classes: Int
  var width: Double
  var height: Double

  func rows() throws -> [ProgramDetectionTests.Row] {
    switch head {
    case .yolo:
      let numbers = outputs[0]
      let count = try boxCount(strides: [8, 16, 32])
      return (0..<count).map { box in
        let number = { Double(numbers[$0 * count + box]) }
        return row(
          (0..<classes).map { numbers[(4 + $0) * count + box] },
          [number(0) / width, number(1) / height, number(2) / width, number(3) / height])
      }
    case .yoloAnchors, .yolox:
      return each(5 + classes) { numbers in
        row(
          numbers[5...].map { $0 * numbers[4] },
          [
            Double(numbers[0]) / width, Double(numbers[1]) / height, Double(numbers[2]) / width,
            Double(numbers[3]) / height,
          ])
      }
    case .endToEnd:
      return each(6) { numbers in
        row((0..<classes).map { Int(numbers[5]) == $0 ? numbers[4] : 0 }, corners(numbers))
      }
    case .nanodet: return pairs { corners($0) }
    // No stored model; see DistanceHeadTests, CornerHeadTests and SuppressedHeadTests.
    case .picodet, .yoloNAS, .suppressed, .yolact, .movenet: return []
    case .detr: return pairs { $0.map(Double.init) }
    case .efficientdet: return efficientDetRows()
    }
  }

  private func row(_ scores: [Float], _ box: [Double]) -> ProgramDetectionTests.Row {
    ProgramDetectionTests.Row(scores: scores, box: box)
  }

  private func boxCount(strides: [Int]) throws -> Int {
    strides.reduce(0) { $0 + Int(width) / $1 * (Int(height) / $1) }
  }

  private func each<Result>(_ columns: Int, _ body: ([Float]) -> Result) -> [Result] {
    stride(from: 0, to: outputs[0].count, by: columns).map {
      body(Array(outputs[0][$0..<$0 + columns]))
    }
  }

  private func corners(_ box: [Float]) -> [Double] {
    let (left, top, right, bottom) = (
      Double(box[0]) / width, Double(box[1]) / height, Double(box[2]) / width,
      Double(box[3]) / height
    )
    return [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top]
  }

  private func pairs(_ box: ([Float]) -> [Double]) -> [ProgramDetectionTests.Row] {
    (0..<outputs[1].count / 4).map { index in
      row(
        Array(outputs[0][index * classes..<(index + 1) * classes]),
        box(Array(outputs[1][index * 4..<index * 4 + 4])))
    }
  }

  /// Nine boxes in each cell; small networks multiply the stride by 3.
  private func efficientDetRows() -> [ProgramDetectionTests.Row] {
    var anchors: [(y: Double, x: Double, height: Double, width: Double)] = []
    for level in 3...7 {
      let stride = 1 << level
      for y in 0..<Int(height) / stride {
        for x in 0..<Int(width) / stride {
          for octave in 0..<3 {
            let side = 3 * Double(stride) * pow(2, Double(octave) / 3)
            for (wide, high) in [(1.0, 1.0), (1.4, 0.7), (0.7, 1.4)] {
              anchors.append(
                (
                  (Double(y) + 0.5) * Double(stride), (Double(x) + 0.5) * Double(stride),
                  side * high, side * wide
                ))
            }
          }
        }
      }
    }
    return anchors.enumerated().map { index, anchor in
      let offset = outputs[1][index * 4..<index * 4 + 4].map(Double.init)
      return row(
        Array(outputs[0][index * classes..<(index + 1) * classes]),
        [
          (anchor.x + offset[1] * anchor.width) / width,
          (anchor.y + offset[0] * anchor.height) / height, anchor.width * exp(offset[3]) / width,
          anchor.height * exp(offset[2]) / height,
        ])
    }
  }
}
