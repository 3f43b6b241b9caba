// Fovea - what fovea run is given for the inputs of a model.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// What `fovea run` is given for the inputs of a model: arrays, pictures and numbers by name.
struct RunInputs {
  private var arrays: [String: Tensor] = [:]
  private var pictures: [String: Image] = [:]
  /// The thresholds of a suppression stage.
  private(set) var numbers: [String: Double] = [:]

  /// Reads the files that NAME=VALUE arguments name.
  ///
  /// - Throws: `UsageError` for a name that the model lacks or that comes twice, or for a threshold
  ///   outside 0...1; `CommandFailure` for a file that cannot be read.
  init(_ assignments: [Assignment], for model: Model) throws {
    var taken: Set<String> = []
    for assignment in assignments {
      let (name, value) = (assignment.name, assignment.value)
      guard taken.insert(name).inserted else {
        throw UsageError("--input \(name) is given twice")
      }
      if model.numberInputs.contains(name) {
        numbers[name] = try Self.threshold(name, value)
      } else if let port = model.inputs.first(where: { $0.name == name }) {
        try read(value, for: port)
      } else {
        let names = (model.inputs.map(\.name) + model.numberInputs).map { "'\($0)'" }
        throw UsageError(
          "there is no input '\(name)'; the model's inputs are \(names.joined(separator: ", "))")
      }
    }
  }

  private mutating func read(_ value: String, for port: Model.Port) throws {
    if port.image != nil, ImageList.isImage(value) {
      do throws(ImageError) {
        pictures[port.name] = try Image(contentsOf: value)
      } catch {
        throw CommandFailure("\(error)")
      }
    } else if port.image == nil, port.count == 1, let number = Float(value) {
      arrays[port.name] = try Tensor(shape: port.shape, floats: [number])
    } else if ImageList.isImage(value) {
      throw CommandFailure(
        "\(value): input '\(port.name)' takes an array of shape \(port.shape), which no picture can be"
      )
    } else {
      arrays[port.name] = try Self.array(value)
    }
  }

  private static func array(_ path: String) throws(CommandFailure) -> Tensor {
    do throws(FoveaError) {
      return try Tensor(contentsOf: path)
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// A number in 0...1, written out or as an array of one number.
  private static func threshold(_ name: String, _ value: String) throws -> Double {
    var number = Double(value)
    if value.lowercased().hasSuffix(".npy") {
      let array = try Self.array(value)
      // Arrays are read as floats: 0.45 of 64 bits is 0.45 again, and not the float near it.
      number = array.count == 1 ? Double("\(array.floats()[0])") : nil
    }
    guard let number, (0...1).contains(number) else {
      throw UsageError("--input \(name) is '\(value)'; expected one number in 0...1")
    }
    return number
  }

  // MARK: Sizes

  /// The sizes of inputs that are not those of `model`; `nil` where all are.
  ///
  /// - Parameter scalesPictures: Whether pictures are scaled to the size that the model has.
  func sizes(otherThan model: Model, scalesPictures: Bool) -> ModelLoading.InputSizes? {
    var sizes = ModelLoading.InputSizes()
    for port in model.inputs {
      if port.image != nil {
        let own = ImageSize(width: port.shape[1], height: port.shape[0])
        if let size = imageSize(port), size != own, !scalesPictures {
          sizes.images[port.name] = size
        }
      } else if let array = arrays[port.name], array.shape != port.shape,
        !Self.isNumber(array, for: port)
      {
        sizes.arrays[port.name] = array.shape
      }
    }
    return sizes.images.isEmpty && sizes.arrays.isEmpty ? nil : sizes
  }

  /// The size of what is given for an image; `nil` for what is none.
  private func imageSize(_ port: Model.Port) -> ImageSize? {
    if let picture = pictures[port.name] {
      return ImageSize(width: picture.uprightWidth, height: picture.uprightHeight)
    }
    guard let array = arrays[port.name], array.dataType == port.type,
      array.rank == port.shape.count, array.shape.dropFirst(2) == port.shape.dropFirst(2),
      array.shape.allSatisfy({ $0 > 0 })
    else { return nil }
    return ImageSize(width: array.shape[1], height: array.shape[0])
  }

  /// Whether an array of one number stands for an input of one, whatever their dimensions.
  private static func isNumber(_ array: Tensor, for port: Model.Port) -> Bool {
    array.count == 1 && port.count == 1
  }

  /// The arrays that the model takes, with pictures turned upright and scaled to its size.
  ///
  /// - Throws: `FoveaError`, `DetectionError`.
  func arrays(for model: Model) throws -> [String: Tensor] {
    var result = arrays
    for port in model.inputs {
      if let array = arrays[port.name], Self.isNumber(array, for: port) {
        result[port.name] = try array.reshaped(to: port.shape)
      }
      guard let picture = pictures[port.name] else { continue }
      let session = try Session(model: model)
      try session.fill(port, from: picture)
      result[port.name] = try Tensor(shape: port.shape, uint8s: session.inputCopy(port.name))
    }
    return result
  }
}

/// NAME=VALUE.
struct Assignment {
  var name: String
  var value: String

  /// Whether a picture is given.
  var isPicture: Bool { ImageList.isImage(value) }

  /// Takes a text apart.
  ///
  /// - Throws: `UsageError`.
  init(_ text: String) throws(UsageError) {
    try self.init(text, option: "--input", form: "NAME=FILE or NAME=NUMBER")
  }

  /// Takes the text of an option apart.
  ///
  /// - Parameter allowsNothing: Whether the value may be empty.
  /// - Throws: `UsageError`, which names the form.
  init(
    _ text: String, option: String, form: String, allowsNothing: Bool = false
  ) throws(UsageError) {
    let name = text.prefix { $0 != "=" }
    guard !name.isEmpty, name.count + (allowsNothing ? 0 : 1) < text.count else {
      throw UsageError("\(option) is '\(text)'; expected \(form)")
    }
    self.name = String(name)
    value = String(text.dropFirst(name.count + 1))
  }
}
