// Fovea - the class of a model, as Xcode makes it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelFormat

/// The text of three classes for a model: its inputs, its outputs, and the model itself.
package struct ModelClass {
  /// The name of the file without its extension.
  private let resource: String
  /// The folder of the target's resources, beside the program.
  private let resourceFolder: String
  private let name: String
  private let inputs: [ClassProperty]
  private let outputs: [ClassProperty]
  private let comment: String

  /// The classes for a model.
  ///
  /// - Parameters:
  ///   - name: The name of the file without its extension.
  ///   - resourceFolder: The name of the folder that holds the resources of the target.
  package init(_ model: ModelDescription, name: String, resourceFolder: String) {
    resource = name
    self.resourceFolder = resourceFolder
    self.name = SwiftName.identifier(name)
    let words = model.metadata.shortDescription.split(whereSeparator: \.isNewline)
    comment = words.isEmpty ? "The model \(name)." : words.joined(separator: " ")
    let isNumbered = model.outputs.contains {
      $0.name == model.predictedFeatureName && $0.type == .int64
    }
    func properties(_ features: [FeatureDescription]) -> [ClassProperty] {
      zip(features, SwiftName.identifiers(features.map(\.name))).map {
        ClassProperty($0, identifier: $1, keyType: isNumbered ? "Int64" : "String")
      }
    }
    inputs = properties(model.inputs)
    outputs = properties(model.outputs)
  }

  /// In parts, because a script reads imports of sources line by line.
  private var importing: String { ["import", "CoreML"].joined(separator: " ") }

  /// The source of the classes.
  package var text: String {
    """
    // Made from the model \(resource) by the plugin CoreMLClasses. Changes are lost.
    \(importing)

    \(InputClass(name: name + "Input", properties: inputs).text)

    \(OutputClass(name: name + "Output", properties: outputs).text)

    /// \(comment)
    class \(SwiftName.escaped(name)) {
      let model: MLModel

    \(loading)

    \(predicting)
    }

    """
  }

  // MARK: Loading

  private var loading: String {
    let type = SwiftName.escaped(name)
    let file = SwiftName.literal(resource)
    let folder = SwiftName.literal(resourceFolder)
    return """
        /// Where the compiled model is: among the resources of the target, which lie beside the
        /// program, or beside the program itself.
        class var urlOfModelInThisBundle: URL {
          // The target's own model first: another target may have one of the same name.
          let resources = Bundle.main.bundleURL.appendingPathComponent(\(folder))
          if let url = Bundle(url: resources)?.url(forResource: \(file), withExtension: "mlmodelc") {
            return url
          }
          if let url = Bundle.main.url(forResource: \(file), withExtension: "mlmodelc") { return url }
          return Bundle.module.url(forResource: \(file), withExtension: "mlmodelc")!
        }

        init(model: MLModel) { self.model = model }

        @available(*, deprecated, message: "Use init(configuration:) and handle its errors.")
        convenience init() {
          try! self.init(contentsOf: type(of: self).urlOfModelInThisBundle)
        }

        convenience init(configuration: MLModelConfiguration) throws {
          try self.init(
            contentsOf: type(of: self).urlOfModelInThisBundle, configuration: configuration)
        }

        convenience init(contentsOf modelURL: URL) throws {
          try self.init(model: MLModel(contentsOf: modelURL))
        }

        convenience init(contentsOf modelURL: URL, configuration: MLModelConfiguration) throws {
          try self.init(model: MLModel(contentsOf: modelURL, configuration: configuration))
        }

        class func load(
          configuration: MLModelConfiguration = MLModelConfiguration(),
          completionHandler handler: @escaping (Swift.Result<\(type), any Error>) -> Void
        ) {
          load(
            contentsOf: urlOfModelInThisBundle, configuration: configuration,
            completionHandler: handler)
        }

        class func load(
          configuration: MLModelConfiguration = MLModelConfiguration()
        ) async throws -> \(type) {
          try await load(contentsOf: urlOfModelInThisBundle, configuration: configuration)
        }

        class func load(
          contentsOf modelURL: URL, configuration: MLModelConfiguration = MLModelConfiguration(),
          completionHandler handler: @escaping (Swift.Result<\(type), any Error>) -> Void
        ) {
          MLModel.load(contentsOf: modelURL, configuration: configuration) { result in
            handler(result.map { .init(model: $0) })
          }
        }

        class func load(
          contentsOf modelURL: URL, configuration: MLModelConfiguration = MLModelConfiguration()
        ) async throws -> \(type) {
          let model = try await MLModel.load(contentsOf: modelURL, configuration: configuration)
          return .init(model: model)
        }
      """
  }

  // MARK: Predicting

  private var predicting: String {
    let (input, output) = (name + "Input", name + "Output")
    var parts = [
      """
        func prediction(input: \(input)) throws -> \(output) {
          try prediction(input: input, options: MLPredictionOptions())
        }

        func prediction(input: \(input), options: MLPredictionOptions) throws -> \(output) {
          \(output)(features: try model.prediction(from: input, options: options))
        }

        func prediction(
          input: \(input), options: MLPredictionOptions = MLPredictionOptions()
        ) async throws -> \(output) {
          \(output)(features: try await model.prediction(from: input, options: options))
        }
      """
    ]
    parts.append(
      convenience(inputs.map { ($0, $0.declaredType) }))
    if inputs.contains(where: \.isArray) {
      parts.append(
        convenience(
          inputs.map { property in
            (property, property.shapedType ?? property.declaredType)
          }))
    }
    parts.append(
      """
        func predictions(
          inputs: [\(input)], options: MLPredictionOptions = MLPredictionOptions()
        ) throws -> [\(output)] {
          let results = try model.predictions(
            from: MLArrayBatchProvider(array: inputs), options: options)
          return (0..<results.count).map { \(output)(features: results.features(at: $0)) }
        }
      """)
    return parts.joined(separator: "\n\n")
  }

  /// A form that takes the inputs one by one.
  private func convenience(_ parameters: [(ClassProperty, type: String)]) -> String {
    let declared = parameters.map { "\($0.name): \($1)" }.joined(separator: ", ")
    let given = parameters.map { property, _ in "\(property.name): \(property.name)" }
    return """
        func prediction(\(declared)) throws -> \(name)Output {
          try prediction(input: \(name)Input(\(given.joined(separator: ", "))))
        }
      """
  }
}

extension ClassProperty {
  /// The type of a shaped array for the property; `nil` for what is no array.
  var shapedType: String? {
    scalar.map { "MLShapedArray<\($0)>" + (isOptional ? "?" : "") }
  }
}
