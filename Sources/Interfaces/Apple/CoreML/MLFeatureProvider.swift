// Fovea - values by name.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// Values by name, such as the inputs of a model.
public protocol MLFeatureProvider {
  var featureNames: Set<String> { get }

  func featureValue(for featureName: String) -> MLFeatureValue?
}

/// Values in a dictionary.
public final class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider {
  public let dictionary: [String: MLFeatureValue]

  package init(values: [String: MLFeatureValue]) {
    dictionary = values
    super.init()
  }

  /// Values of the types that features have, or feature values.
  ///
  /// - Throws: `MLModelError` with the code `featureType` for a value of another type.
  public init(dictionary: [String: Any]) throws {
    var values: [String: MLFeatureValue] = [:]
    for (name, value) in dictionary {
      guard let feature = try MLFeatureValue(anything: value) else {
        throw MLModelError(
          .featureType,
          "the value of '\(name)' is a \(type(of: value)); numbers, strings, MLMultiArray, "
            + "CVPixelBuffer and dictionaries of numbers are features")
      }
      values[name] = feature
    }
    self.dictionary = values
    super.init()
  }

  public var featureNames: Set<String> { Set(dictionary.keys) }

  public func featureValue(for featureName: String) -> MLFeatureValue? { dictionary[featureName] }

  public subscript(featureName: String) -> MLFeatureValue? { dictionary[featureName] }
}

/// The inputs or outputs of several runs.
public protocol MLBatchProvider {
  var count: Int { get }

  func features(at index: Int) -> any MLFeatureProvider
}

/// The inputs or outputs of several runs, in an array.
public final class MLArrayBatchProvider: NSObject, MLBatchProvider {
  public let array: [any MLFeatureProvider]

  public init(array: [any MLFeatureProvider]) {
    self.array = array
    super.init()
  }

  /// Values by name, one for each run.
  ///
  /// - Throws: `MLModelError` for lists of different lengths, or a value that is no feature.
  public convenience init(dictionary: [String: [Any]]) throws {
    let count = dictionary.values.first?.count ?? 0
    guard dictionary.values.allSatisfy({ $0.count == count }) else {
      throw MLModelError(.generic, "the lists of a batch have different lengths")
    }
    self.init(
      array: try (0..<count).map { index in
        try MLDictionaryFeatureProvider(dictionary: dictionary.mapValues { $0[index] })
      })
  }

  public var count: Int { array.count }

  public func features(at index: Int) -> any MLFeatureProvider { array[index] }
}
