// Fovea - fovea annotations propose: what a model finds, for a person to correct.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaAnnotationCommands
internal import FoveaAnnotations
internal import FoveaCommandLine
internal import FoveaModelCommands

/// Writes what a model finds as annotations. Pictures whose scores are nearest to the threshold come
/// first: correcting these teaches most.
enum ProposeAction {
  static let options: [CommandDescription.Option] = [
    .model,
    .init(name: "--only", value: "A,B", help: "with propose: only objects of these classes"),
    .init(
      name: "--confidence", value: "0...1",
      help: "with propose: least confidence (default 0.25)"),
  ]

  static func run(_ arguments: ArgumentList) throws {
    let output = try arguments.output()
    let form = try arguments.choice("--to", AnnotationForm.self) ?? .createML
    let threshold = try arguments.fraction("--confidence") ?? 0.25
    var set: AnnotatedSet
    do throws(AnnotationError) {
      set = try AnnotatedSet(picturesAlone: arguments.operands[1])
    } catch {
      throw CommandFailure("\(error)")
    }
    for finding in set.findings { SystemInterface.writeError("\(finding)\n") }
    let source = ModelSource(arguments)
    var proposal = try Proposal(source, only: arguments.names("--only"), threshold, arguments)
    var doubts: [(place: Int, doubt: Double)] = []
    for place in set.pictures.indices {
      SystemInterface.writeProgress("looking at picture \(place + 1)/\(set.pictures.count)")
      let doubt = try proposal.add(to: &set.pictures[place])
      doubts.append((place, doubt))
    }
    SystemInterface.writeProgress("")
    set.classes = proposal.labels
    doubts.sort { ($0.doubt, $0.place) < ($1.doubt, $1.place) }
    set.pictures = doubts.map { set.pictures[$0.place] }
    try AnnotationOutput.write(set, as: form, to: output)
    let document = ProposalDocument(
      path: output, form: form.rawValue, confidence: threshold, boxes: set.boxCount,
      pictures: zip(set.pictures, doubts).map { picture, doubt in
        .init(
          name: picture.name, boxes: picture.boxes.count,
          doubt: doubt.doubt.isFinite ? NumberText.rounded(doubt.doubt, digits: 4) : nil)
      })
    if arguments.has("--json") {
      try JSONOutput.write(document)
    } else {
      SystemInterface.writeOutput(document.text)
    }
  }
}

/// What a model finds, as boxes of a set.
private struct Proposal {
  /// The labels that were found, in the order in which they were.
  private(set) var labels: [String] = []
  private let request: DetectObjectsRequest
  private let settings: DetectionSettings
  private let threshold: Double

  init(
    _ source: ModelSource, only: [String]?, _ threshold: Double, _ arguments: ArgumentList
  ) throws {
    self.threshold = threshold
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(source, arguments)
    do throws(DetectionError) {
      var request = try DetectObjectsRequest(model: model, pool: pool)
      // What is just below says where the model doubts, too.
      request.minimumConfidence = Float(threshold / 2)
      if let only { request.allowedLabels = Set(only) }
      self.request = request
      settings = try request.resolvedSettings()
    } catch {
      throw error.reported(file: source.name)
    }
  }

  /// Adds what is found to a picture.
  ///
  /// - Returns: How near a score is to the threshold; infinite where nothing was found.
  mutating func add(to picture: inout AnnotatedSet.Picture) throws -> Double {
    let result: DetectObjectsResult
    do throws(DetectionError) {
      result = try request.result(
        on: ImageFile(toDetectIn: picture.path), orientation: nil, settings: settings)
    } catch {
      throw error.reported(file: picture.path)
    }
    var doubt = Double.infinity
    for object in result.observations {
      let score = Double(object.topConfidence)
      doubt = min(doubt, abs(score - threshold))
      guard score >= threshold, let label = object.bestLabel?.identifier else { continue }
      let box = object.boundingBox.clamped.toImageCoordinates(result.imageSize, origin: .upperLeft)
      guard box.width > 0, box.height > 0 else { continue }
      picture.boxes.append(
        .init(
          classIndex: place(of: label), x: box.x, y: box.y, width: box.width, height: box.height))
    }
    return doubt
  }

  private mutating func place(of label: String) -> Int {
    if let place = labels.firstIndex(of: label) { return place }
    labels.append(label)
    return labels.count - 1
  }
}

private struct ProposalDocument: Encodable {
  struct Picture: Encodable {
    var name: String
    var boxes: Int
    /// How near a score is to the threshold.
    var doubt: Double?
  }

  var path: String
  var form: String
  var confidence: Double
  var boxes: Int
  /// Those to look at first.
  var pictures: [Picture]

  var text: String {
    var text = "\(path): \(form), \(pictures.count) pictures, \(boxes) boxes\n"
    for picture in pictures.prefix(3) {
      text += "  look at \(picture.name) first: \(picture.boxes) boxes\n"
    }
    return text
  }
}
