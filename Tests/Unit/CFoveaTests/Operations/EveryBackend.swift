// Fovea - one operation on every backend, with one thread and two, and from a compiled file.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

extension GraphRunner {
  static let backends: [fov_backend] = [.reference, .blas, .float32, .int8]
}

/// Expects an operation to give the same everywhere: within bounds on every backend, and the same
/// bytes with two threads, from a compiled file, and where its inputs are results themselves.
func expectEverywhere(
  _ inputs: [DenseArray], _ expected: DenseArray, relative: Float = 0, absolute: Float = 0,
  _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation,
  add: AddOperation
) throws {
  for backend in GraphRunner.backends {
    func run(_ place: InputPlace = .inputs, threads: Int = 1, isCompiled: Bool = false) throws
      -> DenseArray
    {
      let options = RunOptions(backend: backend, threads: threads, isCompiled: isCompiled)
      return try GraphRunner.run(inputs, from: place, options: options, add: add)
    }
    func bits(_ array: DenseArray) -> [UInt32] { array.values.map(\.bitPattern) }
    let found = try run()
    expectClose(
      found, expected, relative: relative, absolute: absolute, "\(backend) \(comment())",
      sourceLocation: sourceLocation)
    var others = [("two threads", try run(threads: 2)), ("results", try run(.intermediates))]
    if backend == .float32 || backend == .int8 {
      others.append(("compiled", try run(isCompiled: true)))
    }
    for (name, other) in others {
      #expect(
        bits(other) == bits(found), "\(backend), \(name) \(comment())",
        sourceLocation: sourceLocation)
    }
  }
}

/// Expects a refusal with a status, whose message contains a text.
func expectRefusal(
  _ status: fov_status, _ text: String, shapes: [[Int]],
  sourceLocation: SourceLocation = #_sourceLocation, add: AddOperation
) throws {
  let refusal = try GraphRunner.refusal(shapes: shapes, add: add)
  #expect(refusal?.status == status, sourceLocation: sourceLocation)
  #expect(
    refusal?.message.contains(text) == true, "\(refusal?.message ?? "none")",
    sourceLocation: sourceLocation)
}
