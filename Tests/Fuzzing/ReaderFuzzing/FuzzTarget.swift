// Fovea - what is fed with bytes that a fuzzer chooses.
// SPDX-License-Identifier: Apache-2.0

/// A reader or a computation that takes any bytes. What it promises is checked on the way; a breach ends the process.
enum FuzzTarget: String, CaseIterable {
  /// Core ML files, as far as their description.
  case coreMLFiles = "fuzz_core_ml_files"
  /// Core ML files, loaded and run.
  case modelLoading = "fuzz_model_loading"
  /// Programs in their text form.
  case programTexts = "fuzz_program_texts"
  /// Compiled Core ML models, as folders in memory.
  case compiledFolders = "fuzz_compiled_folders"
  /// Packages, as folders in memory.
  case packages = "fuzz_packages"
  /// Model files with programs, beside constants that never change.
  case programFiles = "fuzz_program_files"
  /// Files of constants.
  case blobFiles = "fuzz_blob_files"
  /// Packages, loaded and run.
  case programLoading = "fuzz_program_loading"
  /// Programs in their text form, loaded and run.
  case programRunning = "fuzz_program_running"
  /// TensorFlow Lite files, as far as their description.
  case tensorFlowLiteFiles = "fuzz_tensorflow_lite_files"
  /// TensorFlow Lite files, loaded and run.
  case tensorFlowLiteLoading = "fuzz_tensorflow_lite_loading"
  /// Archives behind models, what is deflated in them, and names in dictionaries.
  case archiveEntries = "fuzz_archive_entries"
  /// Darknet's layers and weights, loaded and run.
  case darknetFiles = "fuzz_darknet_files"
  /// ONNX files, as far as their description.
  case onnxFiles = "fuzz_onnx_files"
  /// ONNX files, loaded and run.
  case onnxLoading = "fuzz_onnx_loading"
  /// What metadata say of outputs, which requests then look at.
  case modelMetadata = "fuzz_model_metadata"
  /// Images of all formats, with their EXIF.
  case imageFiles = "fuzz_image_files"
  /// Arrays of NumPy.
  case arrayFiles = "fuzz_array_files"
  /// Tar archives.
  case tarFiles = "fuzz_tar_files"
  /// COCO's JSON and YOLO's lines.
  case annotationFiles = "fuzz_annotation_files"
  /// Annotations in the five forms of JSON.
  case annotationJSON = "fuzz_annotation_json"
  /// Pascal VOC and CVAT.
  case annotationXML = "fuzz_annotation_xml"
  /// YOLO's descriptions of sets.
  case annotationYAML = "fuzz_annotation_yaml"
  /// Tables of boxes.
  case annotationTables = "fuzz_annotation_tables"
  /// MOTChallenge's text, tracked and measured.
  case motFiles = "fuzz_mot_files"
  /// Suppression, regions and maps, on numbers of any bits.
  case boxes = "fuzz_boxes"
  /// Masks as text, and masks of planes of any numbers.
  case masks = "fuzz_masks"
  /// Motion JPEG, as it comes from a server.
  case motionJPEG = "fuzz_motion_jpeg"
  /// Answers of a camera's driver.
  case cameraAnswers = "fuzz_camera_answers"
  /// Answers of the process that reads codes.
  case codeAnswers = "fuzz_code_answers"
  /// Answers of the process that reads text.
  case textAnswers = "fuzz_text_answers"
  /// Requests to the detection service.
  case serviceRequests = "fuzz_service_requests"
  /// Calls of the C interface.
  case cInterface = "fuzz_c_interface"

  /// Feeds the target once.
  func feed(_ bytes: [UInt8]) {
    switch self {
    case .coreMLFiles: ModelFuzzing.read(bytes)
    case .modelLoading: ModelFuzzing.load(bytes)
    case .programTexts: ProgramFuzzing.readText(bytes)
    case .compiledFolders: ProgramFuzzing.readFolder(bytes)
    case .packages: PackageFuzzing.readPackage(bytes)
    case .programFiles: PackageFuzzing.readProgram(bytes)
    case .blobFiles: PackageFuzzing.readBlobs(bytes)
    case .programLoading: PackageFuzzing.load(bytes)
    case .programRunning: PackageFuzzing.runText(bytes)
    case .tensorFlowLiteFiles: TensorFlowLiteFuzzing.read(bytes)
    case .tensorFlowLiteLoading: TensorFlowLiteFuzzing.load(bytes)
    case .archiveEntries: ArchiveFuzzing.read(bytes)
    case .darknetFiles: DarknetFuzzing.read(bytes)
    case .onnxFiles: ONNXFuzzing.read(bytes)
    case .onnxLoading: ONNXFuzzing.load(bytes)
    case .modelMetadata: MetadataFuzzing.read(bytes)
    case .imageFiles: ImageFuzzing.read(bytes)
    case .arrayFiles: ArrayFuzzing.read(bytes)
    case .tarFiles: TarFuzzing.read(bytes)
    case .annotationFiles: AnnotationFuzzing.read(bytes)
    case .annotationJSON: AnnotationFormFuzzing.read(bytes, AnnotationFormFuzzing.jsonForms)
    case .annotationXML: AnnotationFormFuzzing.read(bytes, AnnotationFormFuzzing.xmlForms)
    case .annotationYAML: AnnotationFormFuzzing.readDescription(bytes)
    case .annotationTables: AnnotationFormFuzzing.read(bytes, AnnotationFormFuzzing.tableForms)
    case .motFiles: TrackFuzzing.read(bytes)
    case .boxes: BoxFuzzing.compute(bytes)
    case .masks: MaskFuzzing.read(bytes)
    case .motionJPEG: VideoFuzzing.splitMotionJPEG(bytes)
    case .cameraAnswers:
      #if os(Linux)
        VideoFuzzing.readCamera(bytes)
      #endif
    case .codeAnswers: CodeAnswerFuzzing.read(bytes)
    case .textAnswers: TextAnswerFuzzing.read(bytes)
    case .serviceRequests: ServiceFuzzing.read(bytes)
    case .cInterface: CInterfaceFuzzing.call(bytes)
    }
  }
}

/// Ends the process when a promise is broken.
func promise(_ isKept: Bool, _ words: @autoclosure () -> String) {
  if !isKept { fatalError(words()) }
}
