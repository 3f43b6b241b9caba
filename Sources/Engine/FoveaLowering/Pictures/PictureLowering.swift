// Fovea - lowering a model with a picture in the place of an array.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
internal import FoveaGeometry
package import FoveaModelValues
internal import FoveaNetworkTasks
internal import FoveaProgramEnds

extension ModelLowering {
  /// Lowers a file, with a picture in the place of an array if the options ask for one.
  ///
  /// What a network expects in the place of pixels may follow from its head, which is known when the
  /// network is lowered. So one whose file does not say it is lowered again if the first guess was
  /// wrong.
  package static func lowerForPictures(
    _ file: ModelDescription, options: ModelOptions
  ) throws(FoveaError) -> LoweredModel {
    let form = PictureForm(of: file)
    do throws(FoveaError) {
      return try lowerForPictures(file, form, options)
    } catch {
      throw error.naming(sizeOf: form, options)
    }
  }

  private static func lowerForPictures(
    _ file: ModelDescription, _ form: PictureForm?, _ options: ModelOptions
  ) throws(FoveaError) -> LoweredModel {
    guard let wish = options.pictures else { return try lower(file, options: options) }
    guard let form else {
      guard !wish.isSpecific || wish.mayBeIdle else { throw noPicture(file) }
      return try lower(file, options: options)
    }
    let stated = try form.numbers(stated: file)
    let first = try form.with(stated ?? PictureNumbers(), wish)
    // A head counts whether its outputs are wanted or not.
    var decoding = options
    decoding.decodesHead = true
    let isKnown = stated?.leavesColor == false && !wish.needsEvidence
    let lowered = try lower(file, options: isKnown ? options : decoding, picture: first)
    if lowered.needsSample { return lowered }
    if wish.needsEvidence, !lowered.looksAtPictures { return try lower(file, options: options) }
    var numbers = stated ?? form.numbers(of: lowered)
    if stated?.leavesColor == true { numbers?.color = form.numbers(of: lowered)?.color }
    let settled =
      try numbers.map { numbers throws(FoveaError) in
        try form.with(numbers, wish)
      } ?? first
    if settled == first, isKnown || options.decodesHead { return lowered }
    return try lower(file, options: options, picture: settled)
  }

  /// The model with a picture in the place of an array, and constants in the place of inputs that
  /// follow from its size.
  static func withPicture(
    _ form: PictureForm?, _ file: ModelDescription, _ options: ModelOptions
  ) -> ModelDescription {
    guard let form else { return file }
    let file = form.applied(to: file)
    guard options.pictures?.keepsOtherInputs != true else { return file }
    let size = options.imageSizes[form.input] ?? options.imageSize
    return KnownInputs.filled(
      file, beside: form.input, width: size?.width ?? form.image.width,
      height: size?.height ?? form.image.height)
  }

  private static func noPicture(_ file: ModelDescription) -> FoveaError {
    let isImage = file.inputs.contains(where: \.type.isImage)
    return FoveaError(
      .invalidArgument,
      isImage
        ? "numbers for pixels are named; the model reads images, and says itself what they are"
        : "numbers for pixels are named; the model has not exactly one input that can be a picture:"
          + " an array of 1 or 3 channels, rows and columns")
  }
}

extension FoveaError {
  /// The error of sizes that do not fit each other, with the size that was chosen for what the file
  /// leaves open: then it is not the file that is damaged.
  fileprivate func naming(sizeOf form: PictureForm?, _ options: ModelOptions) -> FoveaError {
    guard message.hasSuffix(FoveaError.damaged), let image = form?.image,
      image.allowedSizes != .fixed,
      options.arrayShapes.isEmpty, options.imageSizes.isEmpty
    else { return self }
    let size = options.imageSize.map { "\($0)" } ?? "\(image.width)x\(image.height)"
    return FoveaError(
      code,
      message.dropLast(FoveaError.damaged.count)
        + "the file leaves the size of pictures open, and it may not fit \(size), which is "
        + (options.imageSize == nil ? "assumed: name another one (--size)" : "asked for"),
      formatError: formatError)
  }
}

extension PictureForm {
  /// The numbers that the file itself states.
  fileprivate func numbers(
    stated file: ModelDescription
  ) throws(FoveaError) -> PictureNumbers? {
    let said = try PictureNumbers.stated(by: file.metadata)
    if let said, !said.isCustom { return said }
    if let function = file.firstFunction,
      PixelScaling.isInside(
        function, input: input, numbers: { try? ConstantValue($0).floats() })
    {
      return PictureNumbers(
        scale: [1], bias: [0], reason: "the network scales pixels itself", leavesColor: true)
    }
    if let said { return said }
    guard hasIntegers else { return nil }
    return PictureNumbers(scale: [1], bias: [0], reason: "it reads integers")
  }

  /// The numbers that networks of the kind of a lowered one expect; `nil` for the usual ones.
  fileprivate func numbers(of lowered: LoweredModel) -> PictureNumbers? {
    if let reason = lowered.head?.imageNetReason {
      var numbers = PictureNumbers.imageNet
      numbers.reason = reason
      return numbers
    }
    if let head = lowered.head?.head {
      return PictureNumbers(of: head, side: min(image.width, image.height))
    }
    if lowered.probabilities != nil { return .imageNet }
    guard let task = lowered.task else { return nil }
    var numbers = PictureNumbers.imageNet
    numbers.reason =
      "networks that write \(task.text) are trained with the mean and deviation of ImageNet"
    return numbers
  }
}

extension LoweredModel {
  /// What a network plainly does that writes a map or an embedding; `nil` for others.
  fileprivate var task: NetworkTask? {
    guard let image = inputs.first?.image, inputs.count == 1 else { return nil }
    let found = TaskRecognition(
      file,
      TaskRecognition.Interface(
        outputs: outputs.map { NetworkOutput(name: $0.name, shape: $0.shape, image: $0.image) },
        rows: image.height, columns: image.width, classCount: classLabels?.count))
    guard let task = found.plain?.task else { return nil }
    return [.semantic, .depth, .embedding].contains(task) ? task : nil
  }

  /// Whether the model is plainly a detector or a classifier.
  fileprivate var looksAtPictures: Bool {
    let names = outputs.map { $0.name.lowercased() }
    return head != nil || suppression != nil || probabilities != nil
      || ModelLowering.decodedNames.allSatisfy(names.contains)
  }
}
