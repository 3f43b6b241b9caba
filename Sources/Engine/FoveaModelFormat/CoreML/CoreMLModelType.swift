// Fovea - the kinds of Core ML models.
// SPDX-License-Identifier: Apache-2.0

/// The kinds of models, by the number of their field in a model; named as the specification
/// spells them.
enum CoreMLModelType: Int {
  case pipelineClassifier = 200
  case pipelineRegressor = 201
  case pipeline = 202
  case glmRegressor = 300
  case supportVectorRegressor = 301
  case treeEnsembleRegressor = 302
  case neuralNetworkRegressor = 303
  case bayesianProbitRegressor = 304
  case glmClassifier = 400
  case supportVectorClassifier = 401
  case treeEnsembleClassifier = 402
  case neuralNetworkClassifier = 403
  case kNearestNeighborsClassifier = 404
  case neuralNetwork = 500
  case itemSimilarityRecommender = 501
  case mlProgram = 502
  case customModel = 555
  case linkedModel = 556
  case classConfidenceThresholding = 560
  case oneHotEncoder = 600
  case imputer = 601
  case featureVectorizer = 602
  case dictVectorizer = 603
  case scaler = 604
  case categoricalMapping = 606
  case normalizer = 607
  case arrayFeatureExtractor = 609
  case nonMaximumSuppression = 610
  case identity = 900
  case textClassifier = 2000
  case wordTagger = 2001
  case visionFeaturePrint = 2002
  case soundAnalysisPreprocessing = 2003
  case gazetteer = 2004
  case wordEmbedding = 2005
  case audioFeaturePrint = 2006
  case serializedModel = 3000

  /// The name as the specification spells it.
  var name: String { "\(self)" }

  /// The kind in words, for a message that says what was found.
  var phrase: String {
    switch self {
    case .treeEnsembleClassifier, .treeEnsembleRegressor: "a tree ensemble (\(name))"
    case .visionFeaturePrint: "the system's feature extractor (visionFeaturePrint)"
    default: "a model of type '\(name)'"
    }
  }

  /// What a person can do about a kind that is not read.
  var remedy: String {
    switch self {
    case .visionFeaturePrint, .audioFeaturePrint:
      """
      Its weights live inside Apple's operating systems and not in the file, so it cannot run \
      elsewhere; train a full network instead of transfer learning.
      """
    default: "Only neural networks and ML Programs run here; use one."
    }
  }
}
