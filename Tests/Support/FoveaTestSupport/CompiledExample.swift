// Fovea - a compiled model that is small and has a bit of everything.
// SPDX-License-Identifier: Apache-2.0

/// The files of compiled models, written from the description of their layout.
public enum CompiledExample {
  /// A program that halves an image and adds constants of many kinds; it is a text of version 1.3.
  public static let text = """
    program(1.3)
    [buildInfo = dict<string, string>({{"coremlc-version", "1.\\"2\\""}, {"a", "b"}})]
    {
        func main<ios18>(tensor<fp32, [1, 3, 2, 2]> image) [FlexibleShapeInformation = \
    tuple<tuple<string, dict<string, tensor<int32, [?]>>>>((("DefaultShapes", {{"x", [2, 4]}})))] {
                fp32 half = const()[name = string("half"), val = fp32(0x1p-1)];
                tensor<fp32, [1, 3, 2, 2]> halved = mul(x = image, y = half)[name = string("op_1")];
                tensor<fp16, [2]> w = const()[name = string("w"), val = tensor<fp16, [2]>\
    (BLOBFILE(path = string("@model_path/weights/weight.bin"), offset = uint64(64)))];
                tensor<uint3, [3]> codes = const()[val = tensor<uint3, [3]>([1, 2, 3])];
                tensor<bool, []> flag = const()[val = tensor<bool, []>(true)];
                tensor<int32, [0]> empty = const()[val = tensor<int32, [0]>([])];
                tensor<fp32, [1, 1, 2, 2]> a, tensor<fp32, [1, 2, 2, 2]> b = split(\
    axis = int32(1), split_sizes = tensor<int32, [2]>([1, 2]), x = halved);
                tensor<fp32, [1, 3, 2, 2]> y = concat(axis = int32(-3), interleave = flag, \
    values = (a, b))[name = string("op_2")];
                tensor<fp32, [2, 2]> odd = const()[val = tensor<fp32, [2, 2]>([[-inf, nan], \
    [-0x1.8p-3, 0x1.fffffep+127]])];
                string label = classify(classes = list<string, 2>([string("cat"), "dog"]), \
    probabilities = y);
            } -> (y, label);
    }
    """

  /// One constant: the halves 1 and -2.
  public static let weights = weightFile(type: 1, [0x00, 0x3C, 0x00, 0xC0])

  /// The description message of the program.
  public static let message = ProtobufWriter { writer in
    writer.data(1, ModelBuilder.image("image", width: 2, height: 2))
    writer.data(10, ModelBuilder.array("y", [1, 3, 2, 2]))
    writer.message(100) { metadata in
      metadata.string(3, "nobody")
      metadata.message(100) { entry in
        entry.string(1, "names")
        entry.string(2, "{0: 'cat'}")
      }
    }
  }.bytes

  /// The files of the compiled model, by path.
  public static let files = [
    "model.mil": Array(text.utf8),
    "coremldata.bin": description(message),
    "weights/weight.bin": weights,
  ]

  /// The files of a pipeline of two such models, one behind the other.
  public static let pipelineFiles: [String: [UInt8]] = {
    var files = ["coremldata.bin": description(message, type: 202, version: 1)]
    for (path, bytes) in CompiledExample.files {
      files["model0/\(path)"] = bytes
      files["model1/\(path)"] = bytes
    }
    files["modelNames/coremldata.bin"] =
      ProtobufWriter { writer in
        writer.fixed(UInt64(2))
        for name in ["first", "second"] {
          writer.fixed(UInt64(name.utf8.count))
          writer.raw(Array(name.utf8))
        }
      }.bytes
    return files
  }()

  /// `coremldata.bin` with a ModelDescription message.
  public static func description(
    _ message: [UInt8], type: UInt32 = 502, version: UInt32 = 9
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.fixed(type)
      writer.fixed(version)
      writer.raw([UInt8](repeating: 0, count: 20))
      writer.fixed(UInt64(7))
      writer.raw(Array("generic".utf8) + [UInt8(version)] + [UInt8](repeating: 0, count: 31))
      writer.fixed(UInt64(message.count))
      writer.raw(message)
      writer.fixed(type)
      writer.raw([UInt8](repeating: 0, count: 12))
    }.bytes
  }

  /// A file of constants with one record at byte 64.
  public static func weightFile(type: UInt32, _ data: [UInt8]) -> [UInt8] {
    ProtobufWriter { writer in
      writer.fixed(UInt32(1))
      writer.fixed(UInt32(2))
      writer.raw([UInt8](repeating: 0, count: 56))
      writer.fixed(UInt32(0xDEAD_BEEF))
      writer.fixed(type)
      writer.fixed(UInt64(data.count))
      writer.fixed(UInt64(128))
      writer.raw([UInt8](repeating: 0, count: 40))
      writer.raw(data)
    }.bytes
  }
}
