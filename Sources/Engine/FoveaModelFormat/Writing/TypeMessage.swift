// Fovea - types of values of programs as messages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Writes `ValueType` and `NamedValueType` messages of MILSpec.
enum TypeMessage {
  /// A name and a type.
  static func named(_ value: TensorProgram.Value) -> [UInt8] {
    ValueMessage.message { named in
      named.text(1, value.name)
      named.bytes(2, type(value.type))
    }
  }

  /// A type.
  static func type(_ type: ValueType) -> [UInt8] {
    ValueMessage.message { message in
      switch type {
      case .tensor(let tensor): message.bytes(1, self.tensor(tensor))
      case .list(let element, let count):
        message.message(2) { list in
          list.bytes(1, self.type(element))
          list.bytes(2, dimension(count))
        }
      case .tuple(let parts):
        message.message(3) { tuple in for part in parts { tuple.bytes(1, self.type(part)) } }
      case .dictionary(let key, let value):
        message.message(4) { dictionary in
          dictionary.bytes(1, self.type(key))
          dictionary.bytes(2, self.type(value))
        }
      case .state(let wrapped): message.message(5) { $0.bytes(1, self.type(wrapped)) }
      }
    }
  }

  private static func tensor(_ type: TensorType) -> [UInt8] {
    ValueMessage.message { tensor in
      tensor.integer(1, type.element.messageNumber ?? 0)
      guard let shape = type.shape else { return tensor.integer(2, -1) }
      if !shape.isEmpty { tensor.integer(2, shape.count) }
      for size in shape { tensor.bytes(3, dimension(size)) }
    }
  }

  private static func dimension(_ size: Int?) -> [UInt8] {
    ValueMessage.message { dimension in
      if let size {
        dimension.message(1) { $0.integer(1, size) }
      } else {
        dimension.message(2) { _ in }
      }
    }
  }
}
