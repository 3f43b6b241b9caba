// Fovea - a model that clients name.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaLibc
internal import FoveaRuntime

/// A model that clients name.
package final class ServedModel: Sendable {
  /// How a model is opened.
  package struct Source: Sendable {
    /// The name that clients use.
    package var name: String
    /// Opens it to find objects in pictures.
    package var forPictures: @Sendable () throws -> DetectObjectsRequest
    /// Opens it as its file describes it, for arrays.
    package var forArrays: @Sendable () throws -> Model

    package init(
      name: String, forPictures: @escaping @Sendable () throws -> DetectObjectsRequest,
      forArrays: @escaping @Sendable () throws -> Model
    ) {
      (self.name, self.forPictures, self.forArrays) = (name, forPictures, forArrays)
    }
  }

  /// The name that clients use.
  package let name: String
  /// The request that finds objects.
  package let request: DetectObjectsRequest
  /// Opened when arrays are asked for first: most clients send pictures.
  private let arrays: Locked<ArraysState>
  private let source: Source

  private enum ArraysState {
    case unopened
    case opened(ArrayModel)
    case refused(ServiceRefusal)
  }

  /// Opens a model.
  ///
  /// - Throws: What opening throws.
  init(_ source: Source) throws {
    self.source = source
    name = source.name
    request = try source.forPictures()
    _ = try request.resolvedSettings()
    arrays = Locked(.unopened)
  }

  /// The model for arrays.
  ///
  /// - Throws: A refusal with the cause, the same each time.
  func arrayModel() throws(ServiceRefusal) -> ArrayModel {
    try arrays.withLock { state throws(ServiceRefusal) in
      switch state {
      case .opened(let model): return model
      case .refused(let refusal): throw refusal
      case .unopened: break
      }
      do {
        let model = try ArrayModel(source.forArrays())
        state = .opened(model)
        return model
      } catch {
        let refusal = ServiceRefusal(500, "the model '\(name)' cannot be opened: \(error)")
        state = .refused(refusal)
        throw refusal
      }
    }
  }

  /// The objects in the bytes of a picture.
  ///
  /// - Parameter confidence: The least confidence; `nil` for the model's own.
  /// - Throws: A refusal of 400 for what is no picture, else of 500.
  func objects(
    in bytes: [UInt8], confidence: Double?, iou: Double? = nil, labels: Set<String>? = nil
  ) throws(ServiceRefusal) -> DetectObjectsResult {
    var request = request
    if let confidence { request.minimumConfidence = Float(confidence) }
    if let iou { request.iouThreshold = iou }
    if let labels { request.allowedLabels = labels }
    do throws(DetectionError) {
      let file: ImageFile
      do throws(ImageError) { file = try ImageFile(bytes: bytes) } catch { throw .image(error) }
      return try request.result(on: file)
    } catch {
      switch error {
      case .image, .invalidRequest: throw ServiceRefusal(400, "\(error)")
      default: throw ServiceRefusal(500, "\(error)")
      }
    }
  }
}

/// Why a client does not get what it asked for.
package struct ServiceRefusal: Error, Hashable, Sendable {
  /// The status of HTTP.
  package var status: Int
  /// One line with the cause, and the remedy where there is one.
  package var words: String

  package init(_ status: Int, _ words: String) { (self.status, self.words) = (status, words) }
}
