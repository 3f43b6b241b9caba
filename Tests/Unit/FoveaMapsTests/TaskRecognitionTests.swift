// Fovea - tests of telling what a network does.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaNetworkTasks
import FoveaTestSupport
import Testing

/// The file counts first, then shapes and last operations; the rest is refused.
@Suite struct TaskRecognitionTests {
  private func plain(_ model: Model) throws -> NetworkTask? {
    try model.readingPictures().tasks.plain?.task
  }

  private func refusal(
    _ model: Model, _ task: NetworkTask
  ) throws -> TaskRecognition.Refusal? {
    let tasks = try model.readingPictures().tasks
    return #expect(throws: TaskRecognition.Refusal.self) { try tasks.reading(of: task) }
  }

  @Test func shapesAndLastOperationsTell() throws {
    let scores = try MapNetworks.model([1, 6, 6, 8]) { writer in
      writer.floats("w", (0..<72).map { Float($0 % 7) }, [6, 3, 2, 2])
      writer.add("Conv", ["x", "w"], ["y"], ["strides": .ints([2, 2])])
    }
    #expect(try plain(scores) == .semantic)
    let map = try MapNetworks.model([1, 12, 16], type: 7) { writer in
      writer.add("ArgMax", ["x"], ["y"], ["axis": .int(1), "keepdims": .int(0)])
    }
    #expect(try plain(map) == .semantic)
    #expect(try plain(MapNetworks.clipped()) == .image)
    #expect(try plain(MapNetworks.gray()) == .depth)
    #expect(try plain(MapNetworks.means("length")) == .embedding)
    #expect(try plain(MapNetworks.means(nil, output: "embedding")) == .embedding)
    let larger = try MapNetworks.model([1, 3, 24, 32]) { writer in
      writer.floats("scales", [1, 1, 2, 2])
      writer.add("Resize", ["x", "", "scales"], ["y"], ["mode": .string("nearest")])
    }
    #expect(try plain(larger) == .image)
  }

  /// Three channels of the picture's size, a share for each place, a row of numbers.
  @Test func whatFitsSeveralTasksNeedsAWord() throws {
    let colors = try MapNetworks.colors([:])
    #expect(try plain(colors) == nil)
    for task in [NetworkTask.semantic, .image] {
      #expect(try refusal(colors, task)?.canInsist == true)
      #expect(
        try colors.readingPictures().tasks.reading(of: task, insists: true).output == "y")
    }
    let share = try MapNetworks.gray(ending: "Sigmoid").readingPictures().tasks
    #expect(share.plain == nil)
    #expect(try share.reading(of: .semantic).task == .semantic)
    #expect(try share.reading(of: .depth).task == .depth)
    let mask = try MapNetworks.model([1, 1, 12, 16], output: "segment_back") { writer in
      writer.integers("axes", [1])
      writer.add("ReduceMax", ["x", "axes"], ["segment_back"], ["keepdims": .int(1)])
    }
    #expect(try plain(mask) == .semantic)
    #expect(try refusal(MapNetworks.means(nil), .embedding)?.canInsist == true)
    #expect(try refusal(MapNetworks.gray(), .semantic)?.remedy?.contains("fovea depth") == true)
  }

  @Test func theFileCountsMoreThanShapes() throws {
    #expect(try plain(MapNetworks.gray(["task": "semantic"])) == .semantic)
    #expect(try plain(MapNetworks.colors(["head": "SemanticSegment"])) == .semantic)
    #expect(
      try plain(MapNetworks.gray(["com.apple.coreml.model.preview.type": "imageSegmenter"]))
        == .semantic)
    let stranger = try refusal(MapNetworks.gray(["task": "pose"]), .depth)
    #expect(stranger?.evidence.contains("task = pose") == true)
    #expect(stranger?.remedy?.contains("fovea detect") == true)
  }

  @Test func severalOutputsNeedAName() throws {
    let bytes = MapNetworks.bytes([1, 1, 12, 16]) { writer in
      writer.integers("axes", [1])
      writer.add("ReduceMean", ["x", "axes"], ["y"], ["keepdims": .int(1)])
      writer.add("ReduceMax", ["x", "axes"], ["z"], ["keepdims": .int(1)])
      writer.output("z", [1, 1, 12, 16])
    }
    let tasks = try Model(bytes: bytes, name: "two").readingPictures().tasks
    #expect(tasks.plain == nil)
    let refusal = #expect(throws: TaskRecognition.Refusal.self) {
      try tasks.reading(of: .depth)
    }
    #expect(refusal?.needsName == true && refusal?.evidence.contains("'z', 'y'") == true)
    #expect(try tasks.reading(of: .depth, output: "z").output == "z")
  }

  /// Ranges are followed through what scales and moves numbers.
  @Test func rangesFollowFromLastOperations() throws {
    func range(_ add: (inout ONNXWriter) -> Void) throws -> ClosedRange<Double>? {
      let model = try MapNetworks.model([1, 3, 12, 16], add)
      return OutputTrace(model.specification).range(of: "y")
    }
    #expect(try range { $0.add("Sigmoid", ["x"]) } == 0...1)
    let scaled = try range { writer in
      writer.floats("half", [127.5], [])
      writer.add("Tanh", ["x"], ["t"])
      writer.add("Mul", ["t", "half"], ["m"])
      writer.add("Add", ["m", "half"])
    }
    #expect(scaled == 0...255)
    let divided = try range { writer in
      writer.floats("low", [0], [])
      writer.floats("high", [510], [])
      writer.floats("two", [2], [])
      writer.add("Clip", ["x", "low", "high"], ["c"])
      writer.add("Div", ["c", "two"])
    }
    #expect(divided == 0...255)
    #expect(try range { $0.add("Relu", ["x"]) } == nil)
  }
}
