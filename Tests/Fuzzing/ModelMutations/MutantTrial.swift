// Fovea - what must be true of any bytes at all: they load and agree with the reference, or an error says why not.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime

/// What became of one file.
enum TrialOutcome: Equatable {
  /// Refused by the reader or by lowering, with these words.
  case refused(String)
  /// Loaded by every backend; outputs agree.
  case agreed
  /// Loaded; outputs are too large, or nothing, to be compared, or a run would take too long.
  case loaded
  /// A promise is broken.
  case broken(String)
}

/// Loads and runs a file with every backend.
struct MutantTrial {
  /// Seconds that a refusal, or a load, may take.
  var secondsAllowed = 2.0
  /// Bytes that a session may have.
  var sessionBytes = 64 << 20
  /// Products of the largest network that is run.
  var productsRun: UInt64 = 20_000_000

  /// Outputs beyond this, or errors in them, follow from sums whose order backends may choose.
  private static let largestCompared: Float = 1e6
  /// Bound of the difference to the reference, as a share of the largest output (and at least of 1).
  private static let tolerance: Float = 1e-3

  func outcome(of file: MutantFile) -> TrialOutcome {
    var references: [Tensor]?
    var refusals: [Backend] = []
    var words = ""
    var isCompared = true
    let backends: [Backend] = [.reference, .blas, .float, .int8]
    for backend in backends {
      let start = ContinuousClock.now
      let loaded: Model?
      do throws(FoveaError) {
        loaded = try file.load(
          .init(backend: BackendOptions(backend), maximumSessionBytes: sessionBytes))
      } catch {
        if error.message.isEmpty { return .broken("\(backend.rawValue): an error without words") }
        // More was asked of the system than the process has: nothing had refused it before.
        if error.code == .outOfMemory, !error.message.contains("are allowed") {
          return .broken("\(backend.rawValue): \(error.message)")
        }
        (loaded, words) = (nil, error.message)
      }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      if seconds > secondsAllowed {
        return .broken(
          "\(backend.rawValue): \(loaded == nil ? "refused" : "loaded") after \(seconds) s")
      }
      guard let model = loaded else {
        refusals.append(backend)
        continue
      }
      guard model.nodes.reduce(0, { $0 &+ $1.multiplyAccumulates }) < productsRun else {
        isCompared = false
        continue
      }
      do throws(FoveaError) {
        let found = try outputs(of: model)
        if backend == .reference { references = found }
        guard let references, backend != .reference, backend != .int8 else { continue }
        switch agreement(references, found) {
        case .same: continue
        case .incomparable: isCompared = false
        case .differs(let words):
          guard (try? file.read())?.hasOneAnswer == false else {
            return .broken("\(backend.rawValue): \(words)")
          }
          isCompared = false
        }
      } catch {
        return .broken("\(backend.rawValue) loads and does not run: \(error.message)")
      }
    }
    if refusals.count == backends.count { return .refused(words) }
    // A backend may lack memory where another does not; none may find a fault that the reference does not.
    if refusals.contains(.reference) {
      return .broken("only the reference refuses")
    }
    return isCompared && refusals.isEmpty ? .agreed : .loaded
  }

  /// Runs once on numbers that are the same every time.
  private func outputs(of model: Model) throws(FoveaError) -> [Tensor] {
    let session = try Session(model: model)
    for input in model.inputs {
      let bytes = (0..<input.count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
      let tensor =
        input.type == .uint8
        ? try Tensor(shape: input.shape, uint8s: bytes)
        : try Tensor(shape: input.shape, floats: bytes.map { Float($0) / 128 - 1 })
      try session.setInput(input.name, to: tensor)
    }
    session.run()
    var found: [Tensor] = []
    for output in model.outputs { found.append(try session.output(output.name)) }
    return found
  }

  private enum Agreement {
    case same, incomparable
    case differs(String)
  }

  private func agreement(_ references: [Tensor], _ found: [Tensor]) -> Agreement {
    guard references.map(\.shape) == found.map(\.shape) else { return .differs("other shapes") }
    for (reference, other) in zip(references, found) {
      let (expected, values) = (reference.floats(), other.floats())
      let largest = expected.reduce(1) { max($0, abs($1)) }
      guard expected.allSatisfy({ $0.isFinite }), largest < Self.largestCompared else {
        return .incomparable
      }
      for (index, (a, b)) in zip(expected, values).enumerated()
      where !(abs(a - b) <= Self.tolerance * largest) {
        return .differs("element \(index) is \(b), the reference has \(a)")
      }
    }
    return .same
  }
}
