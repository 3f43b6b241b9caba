// Fovea - the classes of a model's inputs and outputs.
// SPDX-License-Identifier: Apache-2.0

/// The class of a model's inputs.
struct InputClass {
  let name: String
  let properties: [ClassProperty]

  var text: String {
    let parts =
      [variables, provider, initializer(properties.map(\.declaredType))] + shaped + pictures
    return """
      /// What the model reads.
      class \(name): MLFeatureProvider {
      \(parts.joined(separator: "\n\n"))
      }
      """
  }

  private var variables: String {
    properties.map { property in
      let absent = property.isOptional ? " = nil" : ""
      return """
          /// \(property.comment)
          var \(property.name): \(property.declaredType)\(absent)
        """
    }.joined(separator: "\n\n")
  }

  private var provider: String {
    let names = properties.map(\.literal).joined(separator: ", ")
    let cases = properties.map { property in
      let value = property.isOptional ? "$0" : "self.\(property.name)"
      let made = property.featureValue(value)
      return """
            case \(property.literal): return \
        \(property.isOptional ? "self.\(property.name).map { \(made) }" : made)
        """
    }
    return """
        var featureNames: Set<String> { [\(names)] }

        func featureValue(for featureName: String) -> MLFeatureValue? {
          switch featureName {
      \(cases.joined(separator: "\n"))
          default: return nil
          }
        }
      """
  }

  private func initializer(_ types: [String]) -> String {
    let parameters = zip(properties, types).map { property, type in
      "\(property.name): \(type)" + (property.isOptional ? " = nil" : "")
    }
    let lines = properties.map { "    self.\($0.name) = \($0.name)" }
    return """
        init(\(parameters.joined(separator: ", "))) {
      \(lines.joined(separator: "\n"))
        }
      """
  }

  /// A form that takes shaped arrays.
  private var shaped: [String] {
    guard properties.contains(where: \.isArray) else { return [] }
    let parameters = properties.map { property in
      "\(property.name): \(property.shapedType ?? property.declaredType)"
        + (property.isOptional && !property.isArray ? " = nil" : "")
    }
    let given = properties.map { property in
      guard property.isArray else { return "\(property.name): \(property.name)" }
      return "\(property.name): "
        + (property.isOptional
          ? "\(property.name).map { MLMultiArray($0) }" : "MLMultiArray(\(property.name))")
    }
    return [
      """
        convenience init(\(parameters.joined(separator: ", "))) {
          self.init(\(given.joined(separator: ", ")))
        }
      """
    ]
  }

  /// Forms that take pictures of other sizes, or files of such.
  private var pictures: [String] {
    guard properties.contains(where: \.isImage) else { return [] }
    let forms = [("With", "cgImage", "CGImage"), ("At", "imageAt", "URL")]
    let initializers = forms.map { suffix, label, type in
      let parameters = properties.map { property in
        let known =
          property.isImage ? "\(property.identifier)\(suffix) \(property.name)" : property.name
        return "\(known): \(property.isImage ? type : property.declaredType)"
          + (property.isOptional && !property.isImage ? " = nil" : "")
      }
      let given = properties.map { property in
        "\(property.name): "
          + (property.isImage
            ? property.picture("\(label): \(property.name)") : property.name)
      }
      return """
          convenience init(\(parameters.joined(separator: ", "))) throws {
            self.init(\(given.joined(separator: ", ")))
          }
        """
    }
    let setters = properties.filter(\.isImage).flatMap { property in
      let upper = property.identifier.prefix(1).uppercased() + property.identifier.dropFirst()
      return forms.map { _, label, type in
        """
          func set\(upper)(with \(property.name): \(type)) throws {
            self.\(property.name) = \(property.picture("\(label): \(property.name)"))
          }
        """
      }
    }
    return initializers + setters
  }
}

/// The class of a model's outputs.
struct OutputClass {
  let name: String
  let properties: [ClassProperty]

  var text: String {
    let values = properties.map { property in
      let feature = "self.provider.featureValue(for: \(property.literal))!"
      let value = """
          /// \(property.comment)
          var \(property.name): \(property.swiftType) { \(property.value(of: feature)) }
        """
      guard let scalar = property.scalar else { return value }
      return value + """


          /// \(property.comment)
          var \(property.identifier)ShapedArray: MLShapedArray<\(scalar)> {
            MLShapedArray<\(scalar)>(self.\(property.name))
          }
        """
    }
    let parameters = properties.map { "\($0.name): \($0.swiftType)" }
    let given = properties.map { "\($0.literal): \($0.featureValue($0.name))" }
    return """
      /// What the model writes.
      class \(name): MLFeatureProvider {
        private let provider: any MLFeatureProvider

      \(values.joined(separator: "\n\n"))

        var featureNames: Set<String> { self.provider.featureNames }

        func featureValue(for featureName: String) -> MLFeatureValue? {
          self.provider.featureValue(for: featureName)
        }

        init(\(parameters.joined(separator: ", "))) {
          self.provider = try! MLDictionaryFeatureProvider(
            dictionary: [\(given.joined(separator: ", "))])
        }

        init(features: any MLFeatureProvider) { self.provider = features }
      }
      """
  }
}
