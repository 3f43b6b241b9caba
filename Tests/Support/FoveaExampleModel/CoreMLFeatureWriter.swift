// Fovea - writing the features of a Core ML interface.
// SPDX-License-Identifier: Apache-2.0

/// Messages `FeatureDescription`: a name and a type.
extension ProtobufMessageWriter {
  /// A square RGB image.
  mutating func writeColorImage(_ name: String, side: Int) {
    write(1, string: name)
    write(3) { type in
      type.write(4) { image in
        image.write(1, integer: side)
        image.write(2, integer: side)
        image.write(3, integer: 20)
      }
    }
  }

  /// An array of doubles of a fixed shape.
  mutating func writeArray(_ name: String, shape: [Int]) {
    write(1, string: name)
    write(3) { type in
      type.write(5) { array in
        array.write(1, packed: shape)
        array.write(2, integer: Self.doubleArray)
      }
    }
  }

  /// An array of doubles with any number of rows.
  mutating func writeRows(_ name: String, columns: Int) {
    write(1, string: name)
    write(3) { type in
      type.write(5) { array in
        array.write(2, integer: Self.doubleArray)
        array.write(31) { range in
          range.write(1) { rows in
            rows.write(1, integer: 0)
            rows.write(2, integer: -1)
          }
          range.write(1) { column in
            column.write(1, integer: columns)
            column.write(2, integer: columns)
          }
        }
      }
    }
  }

  /// One double.
  mutating func writeDouble(_ name: String, isOptional: Bool) {
    write(1, string: name)
    write(3) { type in
      type.write(2) { _ in }
      if isOptional { type.write(1000, bool: true) }
    }
  }

  /// An entry of a map from string to string.
  mutating func writePair(_ key: String, _ value: String, field: Int) {
    write(field) { entry in
      entry.write(1, string: key)
      entry.write(2, string: value)
    }
  }

  private static let doubleArray = 65600
}
