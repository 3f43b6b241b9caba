// Fovea - how a file stores codes, and what they weigh.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A choice of codes for a layer.
struct CodeForm: Hashable {
  var kind: QuantizationOptions.Kind
  var bits: Int
  /// Whether all channels share one scale; for linear codes.
  var sharesScale: Bool
}

extension QuantizationOptions {
  /// The codes with these options and some bits.
  func form(bits: Int) -> CodeForm {
    CodeForm(kind: kind, bits: bits, sharesScale: sharesScale && kind == .linear)
  }
}

/// How a file stores the codes of a layer.
enum CodeStorage: Hashable {
  /// A layer of a neural network: tables and scales in single precision, any number of bits.
  case network
  /// A constant of a program. Tables and scales have the precision of the constant. From iOS 18 on
  /// codes are elements of fewer than 8 bits; before they are bytes of packed bits.
  case program(isHalf: Bool, hasSmallElements: Bool)

  /// Whether tables and scales are halves.
  var isHalf: Bool {
    if case .program(isHalf: true, _) = self { true } else { false }
  }

  /// Whether offsets of linear codes are codes themselves.
  var hasIntegerZeros: Bool { self != .network }

  /// The numbers of bits that codes can have.
  func bits(_ kind: QuantizationOptions.Kind) -> [Int] {
    switch (self, kind) {
    case (.network, _): Array(1...8)
    case (.program(_, let isSmall), .linear): isSmall ? [4, 8] : [8]
    case (.program(_, let isSmall), _): isSmall ? [1, 2, 3, 4, 6, 8] : [1, 2, 4, 6, 8]
    }
  }

  /// The most bytes by which an operation that decodes is longer than a constant.
  fileprivate var operationByteCount: Int { self == .network ? 0 : 200 }

  /// Bytes of weights as codes, with what describes them.
  func byteCount(_ form: CodeForm, weights: Int, channels: Int) -> Int {
    let codes = (weights * form.bits + 7) / 8
    let scales = form.sharesScale ? 1 : channels
    switch self {
    case .network:
      let description = form.kind == .linear ? 8 * scales : 4 << form.bits
      return codes + description + 16
    case .program(let isHalf, _):
      let size = isHalf ? 2 : 4
      guard form.kind == .linear else {
        return ProgramBlobs.byteCount(codes, elements: weights)
          + ProgramBlobs.byteCount(size << form.bits, elements: 1 << form.bits)
      }
      return ProgramBlobs.byteCount(codes, elements: weights)
        + ProgramBlobs.byteCount(size * scales, elements: scales)
        + ProgramBlobs.byteCount((scales * form.bits + 7) / 8, elements: scales)
    }
  }
}

extension QuantizableLayer {
  /// Bytes of the weights as codes, with what describes them.
  func codedByteCount(_ form: CodeForm) -> Int {
    storage.byteCount(form, weights: layout.count, channels: layout.channelCount)
  }

  /// Whether the file becomes smaller with codes.
  func isSmaller(_ form: CodeForm) -> Bool {
    codedByteCount(form) + storage.operationByteCount < storedByteCount
  }
}

extension CodeStorage {
  /// What both storages can do.
  func common(with other: CodeStorage) -> CodeStorage {
    guard case .program(let isHalf, let mine) = self, case .program(_, let others) = other else {
      return self
    }
    return .program(isHalf: isHalf, hasSmallElements: mine && others)
  }
}
