// Fovea - the files that fuzzing begins with.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaImaging
import FoveaRuntime
import FoveaTestSupport

enum FuzzSeeds {
  /// The seeds of a target.
  static func files(of target: FuzzTarget) throws -> [[UInt8]] {
    switch target {
    case .coreMLFiles: LayerNetworks.all.map(\.bytes) + [ShapesDetector.modelBytes()]
    case .modelLoading:
      LayerNetworks.all.flatMap { seed in [0, 1, 2, 3, 0x82].map { [$0] + seed.bytes } }
    case .programTexts: programTexts
    case .compiledFolders:
      [CompiledExample.files, CompiledExample.pipelineFiles].map { FuzzedFolder($0).bytes() }
    case .packages: ProgramExamples.all.map(packageBytes)
    case .programFiles:
      ProgramExamples.all.map { example in
        let weights = example.files[ProgramExamples.weightsPath]
        let number = PackageFuzzing.weights.firstIndex { $0 == weights } ?? 0
        return [UInt8(number)] + (example.files[ProgramExamples.modelPath] ?? [])
      }
    case .blobFiles: blobFiles
    case .programLoading:
      ProgramExamples.all.flatMap { example in
        [0, 1, 2, 3, 0x82].map { [$0] + packageBytes(example) }
      }
    case .programRunning:
      ProgramExamples.all.flatMap { example in
        let text = PackageFuzzing.program(of: example).map(ProgramPrinter.text(of:)) ?? ""
        return [0, 1, 2, 3, 0x82].map { [$0] + Array(text.utf8) }
      }
    case .tensorFlowLiteFiles: TensorFlowLiteExamples.all.map { $0.bytes() }
    case .tensorFlowLiteLoading:
      TensorFlowLiteExamples.all.flatMap { example in
        [0, 1, 2, 3, 0x82].map { [$0] + example.bytes() }
      }
    case .archiveEntries: ArchiveFuzzing.seeds
    case .darknetFiles: DarknetFuzzing.seeds
    case .onnxFiles: ONNXExamples.all.map(\.bytes)
    case .onnxLoading:
      ONNXExamples.all.flatMap { example in [0, 1, 2, 3, 0x82].map { [$0] + example.bytes } }
    case .modelMetadata: MetadataFuzzing.seeds
    case .imageFiles: try images()
    case .arrayFiles: try arrays()
    case .tarFiles: TarWriter.examples.map(\.bytes)
    case .annotationFiles: annotations()
    case .annotationJSON: AnnotationFormFuzzing.jsonSeeds
    case .annotationXML: AnnotationFormFuzzing.xmlSeeds
    case .annotationYAML: AnnotationFormFuzzing.descriptionSeeds
    case .annotationTables: AnnotationFormFuzzing.tableSeeds
    case .motionJPEG: motionJPEG
    case .cameraAnswers: cameraAnswers
    case .motFiles: tracks
    case .codeAnswers: CodeAnswerFuzzing.seeds
    case .textAnswers: TextAnswerFuzzing.seeds
    case .serviceRequests: ServiceFuzzing.seeds
    case .cInterface: cInterface
    case .masks: MaskFuzzing.seeds
    case .boxes:
      (0..<24).map { seed in
        var random = SplitMix(seed: UInt64(seed))
        return (0..<40 + seed * 20).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
    }
  }

  /// Results and ground truth in equal halves, camera motion, and a description of a sequence.
  private static let tracks: [[UInt8]] = {
    let results = (1...12).map { "\($0),1,\($0 * 4),20,30,60,0.9,-1,-1,-1\n" }.joined()
    let truth = (1...12).map { "\($0),7,\($0 * 4),21,30,60,1,1,0.75\n" }.joined()
    let motion = "0 1 0 0 0 1 0\n1\t1.01\t0.02\t-3.5\t-0.02\t1.01\t2\n"
    let sequence = "[Sequence]\nname=a\nframeRate=25\nseqLength=12\nimWidth=640\nimHeight=480\n"
    let cut = UInt8(results.utf8.count * 255 / (results.utf8.count + truth.utf8.count) + 1)
    return [
      [0, cut] + Array((results + truth).utf8), [1, 0] + Array(motion.utf8),
      [2, 0] + Array(("door:10,50,90%,50\n0,0,50,0,50,100,0,100\n" + results).utf8),
      [3, 0] + Array(sequence.utf8),
    ]
  }()

  /// Opens a model, runs it and looks with it; copies a picture, draws on it and writes it.
  private static let cInterface: [[UInt8]] = [
    [0, 0, 2, 2, 48, 0, 9, 1, 4, 4, 0, 6, 3, 0, 6, 3, 2],
    [0, 1, 1, 2, 24, 0, 7, 2, 2, 3, 0, 0, 0, 0, 1, 6, 3, 0, 5, 2, 5, 3],
    [0, 0, 1, 2, 48, 0, 7, 3, 4, 4, 3, 0, 0, 0, 0, 0, 4, 6, 3, 1],
    [3, 48, 0, 7, 0, 4, 4, 6, 4, 2, 0, 1, 40, 20, 20, 40, 40, 0, 90, 4, 3, 0, 1],
    [3, 200, 0, 7, 128, 12, 8, 1, 3, 200, 3, 7, 168, 12, 9, 12, 120, 12, 1],
  ]

  /// Pictures one after another, in parts of an answer, and cut.
  private static var motionJPEG: [[UInt8]] {
    let picture: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 8, 0xFF, 0xD8, 0xFF, 0xD9, 1, 2, 0xFF, 0xDA, 0, 3, 0]
      + [0x11, 0xFF, 0, 0x22, 0xFF, 0xD0, 0x33, 0xFF, 0xD9]
    let head = Array("--b\r\nContent-Length: 3\r\n\r\n".utf8)
    return [
      [3] + picture + picture, [1] + head + picture + head + picture,
      [9] + picture.dropLast(4) + head + picture,
    ]
  }

  /// A driver that can do all, gives 16 x 16 pixels of YUYV, and four buffers.
  private static var cameraAnswers: [[UInt8]] {
    let capability: [UInt8] = [0, 0, 2, 1, 84, 4, 87]
    let format: [UInt8] = [0, 4, 89, 44, 85, 45, 89, 46, 86, 47]
    let answer: [UInt8] = [
      0, 8, 16, 8, 0, 9, 16, 12, 0, 13, 89, 16, 85, 17, 89, 18, 86, 19,
    ]
    let length: [UInt8] = [0, 2, 0, 72, 8, 73, 0, 128]
    let (nothing, picture): ([UInt8], [UInt8]) = ([0, 0], [0, 0, 2, 0, 8, 2, 9])
    let start = capability + format + [255] + answer + nothing + length + length + length + length
    let queued = nothing + nothing + nothing + nothing + nothing
    return [start, start + queued + picture + picture]
  }

  private static func packageBytes(_ example: ProgramExamples.Package) -> [UInt8] {
    FuzzedFolder(example.files).bytes(paths: PackageFuzzing.paths)
  }

  /// Two constants of each type: the first at its place, and one in a second record.
  private static var blobFiles: [[UInt8]] {
    let numbers: [UInt32] = [1, 2, 5, 4, 6, 14, 8, 3, 7, 15, 11, 10, 9, 13, 12, 16, 17]
    return numbers.enumerated().flatMap { index, type in
      var blobs = BlobWriter()
      _ = blobs.add(type: type, (0..<40).map { UInt8($0) })
      let second = blobs.add(type: type, [1, 2, 3, 4, 5, 6, 7, 8])
      return [
        [UInt8(index), 1, 5] + blobs.bytes, [UInt8(index), UInt8(second / 64), 1] + blobs.bytes,
      ]
    }
  }

  /// A text of each version.
  private static let programTexts = [
    CompiledExample.text,
    """
    program(1.0)
    [buildInfo = dict<tensor<string, []>, tensor<string, []>>({{"a", "b"}})]
    {
        func main<ios16>(tensor<fp32, [1, ?]> x) {
                tensor<fp16, [2]> w = constexpr_lut_to_dense()[indices = tensor<uint8, [1]>([2]), \
    lut = tensor<fp16, [2]>(BLOBFILE(path = tensor<string, []>("@model_path/weights/weight.bin"), \
    offset = tensor<uint64, []>(64))), shape = tensor<uint32, [1]>([2])];
                tensor<fp32, [1, ?]> y = mul(x = x, y = tensor<fp32, []>(-0x1.8p-3));
            } -> (y);
    }
    """,
  ].map { Array($0.utf8) }

  private static func images() throws -> [[UInt8]] {
    var files: [[UInt8]] = []
    for (width, height) in [(1, 1), (19, 13), (64, 72)] {
      let rgb = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
      let image = try Image(width: width, height: height, rgb: rgb)
      let jpeg = try image.jpegBytes(quality: 80)
      files += [jpeg, withOrientation(jpeg), try image.pngBytes()]
    }
    let pixels = (0..<35).map { $0 % 3 == 0 }
    files += [
      HandmadeWebP(width: 7, height: 5, second: (green: 90, pixels: pixels)).bytes,
      HandmadeWebP(alpha: 20, hasAlpha: true).bytes,
      HandmadeWebP(after: [("EXIF", HandmadeTIFF.orientation(8, bigEndian: false))]).bytes,
      HandmadeWebP.file([("VP8 ", HandmadeWebP.lossyHeader(width: 16, height: 16) + [0, 0])]),
      SmallImages.heic(quarterTurns: 1, mirror: 0), SmallImages.avif, SmallImages.gif,
      HandmadeTIFF.file(width: 2, height: 2, bits: 16, samples: Array(0..<12), orientation: 6),
      HandmadeTIFF.file(width: 1, height: 2, samples: Array(0..<8), alpha: 2),
    ]
    return files.flatMap { [[0] + $0, [0x43] + $0] }
  }

  /// A JPEG with an EXIF segment, big-endian, orientation 6.
  private static func withOrientation(_ jpeg: [UInt8]) -> [UInt8] {
    jpeg[..<2] + HandmadeTIFF.segment(HandmadeTIFF.orientation(6, bigEndian: true)) + jpeg[2...]
  }

  private static func arrays() throws -> [[UInt8]] {
    var files = [
      try Tensor(shape: [2, 3], floats: [0, 1, -1, .infinity, .nan, .leastNormalMagnitude / 100])
        .npyBytes(),
      try Tensor(shape: [4], uint8s: [0, 1, 128, 255]).npyBytes(),
    ]
    for type in ["<f8", ">f4", "<f2", "<i8", ">i2", "|u1", "<u4", "|b1"] {
      for order in ["True", "False"] {
        let text = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (2, 2), }"
        let header = text + String(repeating: " ", count: 117 - text.utf8.count) + "\n"
        files.append(
          [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
            + (0..<32).map { UInt8($0) })
      }
    }
    return files
  }

  private static func annotations() -> [[UInt8]] {
    let instances = """
      {"images": [{"id": 1, "width": 640, "height": 480, "file_name": "a\\u00e9.jpg"}, {"id": 2}],
       "categories": [{"id": 3, "name": "cat"}],
       "annotations": [{"id": 7, "image_id": 1, "category_id": 3, "bbox": [1, 2.5, 3e1, 4], "area": 120,
       "iscrowd": 0, "segmentation": [[1, 2, 3, 4, 9, 90.5]], "keypoints": [5, 6, 2, 0, 0, 0]}]}
      """
    let crowd = """
      {"images": [{"id": 1, "width": 20, "height": 10}], "categories": [{"id": 3}], "annotations":
       [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 9, 9], "iscrowd": 1, "segmentation":
       {"size": [10, 20], "counts": [20, 30, 150]}}]}
      """
    let results = """
      [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 10.5, 1e-3], "score": 0.75}]
      """
    let shapes = """
      [{"image_id": 1, "category_id": 3, "segmentation": {"size": [10, 20], "counts": "d0n0f4"},
       "keypoints": [1, 2, 0.5, 3, 4, 0.25], "score": 0.5}]
      """
    let lines = "16 0.48 0.63 0.69 0.71\n0.0 1e-1 0.5 0 1\n"
    return [(0, instances), (1, results), (2, lines), (0, crowd), (1, shapes)].map {
      [UInt8($0.0)] + Array($0.1.utf8)
    }
  }
}
