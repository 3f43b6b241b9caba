// Fovea - tiny programs for tests.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

/// A program that reads "x" of [1, 4, 6, 8] and, unless a test says otherwise, writes "y".
struct ProgramBuilder {
  var writer = ProgramWriter()
  var blobs = BlobWriter()
  var outputs = ["y"]

  /// A program of one operation.
  init(
    _ kind: String, _ arguments: KeyValuePairs<String, ProgramWriter.Argument>,
    results: [String] = ["y"], types: [Int] = []
  ) {
    writer.add(kind, arguments, results: results, types: types)
    outputs = results
  }

  /// A program of several operations.
  init(_ fill: (inout ProgramWriter) -> Void) { fill(&writer) }

  /// Loads the program.
  func model(
    _ backend: BackendOptions = .reference, maximumSessionBytes: Int = 1 << 28
  ) throws -> Model {
    let folder = ProgramFolder(files: ["weights/weight.bin": blobs.bytes])
    let file: ModelDescription
    do throws(ModelFormatError) {
      file = try ModelDescription(bytes: writer.model(outputs: outputs), folder: folder)
    } catch { throw FoveaError(error) }
    return try Model(
      file: file, name: "test",
      options: .init(backend: backend, maximumSessionBytes: maximumSessionBytes))
  }

  /// Runs the program on zeros and returns the elements of its first output.
  func run() throws -> [Float] {
    let session = try Session(model: model())
    session.run()
    return try session.output(outputs[0]).floats()
  }

  /// Seconds of the processor in which a program is refused, however much it asks for. That takes 3
  /// where Swift is optimized, and hours without the limits that are tested: slow machines,
  /// unoptimized loops and sanitizers lie between.
  static let soon: Double = 90

  /// The words with which the program is refused, soon.
  func refusal(
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    var message = ""
    let time = threadSeconds {
      do {
        _ = try model()
        Issue.record("the program is not refused", sourceLocation: sourceLocation)
      } catch let error as FoveaError {
        message = error.message
      } catch { Issue.record(error, sourceLocation: sourceLocation) }
    }
    #expect(time < Self.soon, "refused after \(time) s", sourceLocation: sourceLocation)
    #expect(
      !message.isEmpty && message.count < 2000, "\(message.prefix(200))",
      sourceLocation: sourceLocation)
    return message
  }
}

private struct ProgramFolder: ModelFolder {
  var files: [String: [UInt8]]

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    files[path.description].map { StoredBytes($0) }
  }
}
