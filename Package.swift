// swift-tools-version: 6.1
// Fovea - tiny Core ML object detectors on ordinary CPUs.
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// MARK: Settings

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let cSettings: [CSetting] = [
  .headerSearchPath("CSources"),
  .headerSearchPath("include"),
  .define("NDEBUG", .when(configuration: .release)),
  .define("FOV_HAVE_OPENBLAS", .when(traits: ["OpenBLAS"])),
]

let package = Package(
  name: "fovea",
  products: [
    .library(name: "Fovea", targets: ["Fovea"]),
    .library(name: "FoveaCodesAndText", targets: ["FoveaCodesAndText"]),
    .library(name: "FoveaRuntime", targets: ["FoveaRuntime"]),
    .library(name: "FoveaGeometry", targets: ["FoveaGeometry"]),
    .library(name: "FoveaModelFormat", targets: ["FoveaModelFormat"]),
    .library(name: "FoveaModelValues", targets: ["FoveaModelValues"]),
    .library(name: "FoveaInspection", targets: ["FoveaInspection"]),
    .library(name: "FoveaDisplay", targets: ["FoveaDisplay"]),
    .library(name: "FoveaFollowing", targets: ["FoveaFollowing"]),
    .library(name: "FoveaStills", targets: ["FoveaStills"]),
    .library(name: "FoveaTracking", targets: ["FoveaTracking"]),
    .library(name: "FoveaVideo", targets: ["FoveaVideo"]),
    .library(name: "FoveaMedia", targets: ["FoveaMedia"]),
    .library(name: "FoveaPlots", targets: ["FoveaPlots"]),
    .library(name: "FoveaEvaluation", targets: ["FoveaEvaluation"]),
    .library(name: "FoveaQuantization", targets: ["FoveaQuantization"]),
    .library(name: "CFovea", targets: ["CFovea"]),
    // Modules with the names of Apple's, for code that was written for these. Depend on them with
    // `condition: .when(platforms: [.linux])`.
    .library(name: "CoreGraphics", targets: ["CoreGraphics"]),
    .library(name: "ImageIO", targets: ["ImageIO"]),
    .library(name: "CoreVideo", targets: ["CoreVideo"]),
    .library(name: "CoreImage", targets: ["CoreImage"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "QuartzCore", targets: ["QuartzCore"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "AVFoundation", targets: ["AVFoundation"]),
    .library(name: "Accelerate", targets: ["Accelerate"]),
    .library(name: "CoreML", targets: ["CoreML"]),
    .library(name: "Vision", targets: ["Vision"]),
    // Makes a class for every Core ML model in a target, as Xcode does.
    .plugin(name: "CoreMLClasses", targets: ["CoreMLClasses"]),
    .library(name: "FoveaC", type: .dynamic, targets: ["FoveaC"]),
    .executable(name: "fovea", targets: ["FoveaCommand"]),
    .executable(name: "fovea-bench", targets: ["FoveaBench"]),
  ],
  traits: [
    .trait(
      name: "OpenBLAS",
      description:
        "Matrix products by OpenBLAS; without it a scalar product serves, exact but slow."),
    .trait(name: "JPEG", description: "JPEG images, read and written by libjpeg-turbo."),
    .trait(name: "PNG", description: "PNG images, read and written by libpng."),
    .trait(name: "WebP", description: "WebP images, read by libwebp."),
    .trait(name: "Drawing", description: "Boxes drawn on images by cairo, opened at first use."),
    .trait(
      name: "LAPACK",
      description:
        "Matrices factored by LAPACKE, opened when a model is quantized with calibration."),
    .trait(
      name: "Video",
      description: "Videos and streams read by FFmpeg's libraries, opened at first use."),
    .trait(name: "Text", description: "Text read by Tesseract, opened at first use."),
    .trait(
      name: "Codes",
      description: "Codes in pictures read by zxing-cpp, in a process of its own."),
    .default(
      enabledTraits: [
        "OpenBLAS", "JPEG", "PNG", "WebP", "Drawing", "LAPACK", "Video", "Text", "Codes",
      ]),
  ],
  targets: [
    // MARK: System libraries
    .systemLibrary(
      name: "COpenBLAS", path: "Sources/SystemLibraries/COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/SystemLibraries/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CPNG", path: "Sources/SystemLibraries/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CWebP", path: "Sources/SystemLibraries/CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"])]),
    // Headers only: with pkgConfig the library would be linked, which every start would pay for.
    .systemLibrary(
      name: "CCairo", path: "Sources/SystemLibraries/CCairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CLAPACKE", path: "Sources/SystemLibraries/CLAPACKE", providers: [.apt(["liblapacke-dev"])]),
    .systemLibrary(
      name: "CLibAV", path: "Sources/SystemLibraries/CLibAV",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
    .systemLibrary(
      name: "CTesseract", path: "Sources/SystemLibraries/CTesseract",
      providers: [.apt(["libtesseract-dev", "tesseract-ocr-eng"])]),
    .systemLibrary(
      name: "CZXing", path: "Sources/SystemLibraries/CZXing", providers: [.apt(["libzxing-dev"])]),
    // Cameras of Linux: headers of the kernel, which come with those of the C library.
    .systemLibrary(name: "CVideoDevice", path: "Sources/SystemLibraries/CVideoDevice"),

    // MARK: The C core
    .target(
      name: "CFovea",
      dependencies: [.target(name: "COpenBLAS", condition: .when(traits: ["OpenBLAS"]))],
      path: ".",
      exclude: [
        "Benchmarks", "Examples", "Plugins", "Scripts", "Sources", "Tests", "cmake", "README.md",
        "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE",
      ],
      sources: ["CSources"],
      publicHeadersPath: "include",
      cSettings: cSettings,
      linkerSettings: [.linkedLibrary("m"), .linkedLibrary("pthread")]),

    // MARK: Swift layers
    .target(name: "FoveaGeometry", swiftSettings: swiftSettings),
    .target(name: "FoveaJSON", swiftSettings: swiftSettings),
    .target(name: "FoveaModelValues", swiftSettings: swiftSettings),
    .target(
      name: "FoveaModelFormat", dependencies: ["FoveaModelValues", "FoveaJSON"],
      swiftSettings: swiftSettings),
    .target(name: "FoveaLibc", swiftSettings: swiftSettings),
    .target(name: "FoveaFiles", dependencies: ["FoveaLibc"], swiftSettings: swiftSettings),
    .target(
      name: "FoveaEvaluation", dependencies: ["FoveaGeometry", "FoveaFiles", "FoveaJSON"],
      swiftSettings: swiftSettings),
    .target(name: "FoveaTracking", dependencies: ["FoveaGeometry"], swiftSettings: swiftSettings),
    // The C core in Swift: errors, options, pixels, graphs. What models are lowered into.
    .target(
      name: "FoveaCore",
      dependencies: ["CFovea", "FoveaModelValues", "FoveaGeometry", "FoveaFiles", "FoveaLibc"],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaLowering",
      dependencies: ["CFovea", "FoveaCore", "FoveaModelValues", "FoveaGeometry", "FoveaLibc"],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaRuntime",
      dependencies: [
        "CFovea", "FoveaCore", "FoveaLowering", "FoveaModelFormat", "FoveaModelValues",
        "FoveaGeometry", "FoveaFiles", "FoveaLibc",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaInspection", dependencies: ["FoveaRuntime", "CFovea"],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaImaging",
      dependencies: [
        "FoveaFiles", "FoveaLibc",
        .target(name: "CTurboJPEG", condition: .when(traits: ["JPEG"])),
        .target(name: "CPNG", condition: .when(traits: ["PNG"])),
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaDrawing",
      dependencies: [
        "FoveaGeometry", "FoveaImaging", "FoveaFiles", "FoveaLibc",
        .target(name: "CCairo", condition: .when(traits: ["Drawing"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaDisplay", dependencies: ["FoveaDrawing", "FoveaGeometry"],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaPlots",
      dependencies: [
        "FoveaDrawing", "FoveaGeometry", "FoveaImaging", "FoveaLibc",
        .target(name: "CCairo", condition: .when(traits: ["Drawing"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaVision",
      dependencies: [
        "FoveaRuntime", "FoveaImaging", "FoveaModelValues", "FoveaGeometry", "FoveaLibc",
      ],
      swiftSettings: swiftSettings),
    // Following one object: a C target of its own, so that the core stays as small as it is.
    .target(
      name: "CFoveaFollow", path: "Sources/Vision/CFoveaFollow",
      cSettings: [.define("NDEBUG", .when(configuration: .release))],
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "FoveaFollowing",
      dependencies: [
        "CFoveaFollow", "CFovea", "FoveaVision", "FoveaRuntime", "FoveaImaging", "FoveaGeometry",
        "FoveaLibc",
      ],
      swiftSettings: swiftSettings),
    // Videos and cameras as pictures; knows no detector.
    .target(
      name: "FoveaMedia",
      dependencies: [
        "FoveaCore", "FoveaGeometry", "FoveaFiles", "FoveaLibc", "CFovea",
        .target(name: "CLibAV", condition: .when(traits: ["Video"])),
        .target(name: "CTurboJPEG", condition: .when(traits: ["JPEG"])),
        .target(name: "CVideoDevice", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaVideo",
      dependencies: [
        "FoveaMedia", "FoveaVision", "FoveaCore", "FoveaTracking", "FoveaGeometry", "FoveaLibc",
        .target(name: "CTurboJPEG", condition: .when(traits: ["JPEG"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "Fovea",
      dependencies: [
        "FoveaVision", "FoveaRuntime", "FoveaCore", "FoveaImaging", "FoveaDrawing", "FoveaGeometry",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "CCodesAndText", path: "Sources/Models/CCodesAndText",
      exclude: ["Examples", "CodesAndText.mlmodel", "CodesAndText.md"]),
    .target(
      name: "FoveaCodesAndText", dependencies: ["CCodesAndText", "FoveaRuntime"],
      swiftSettings: swiftSettings),
    // Still pictures: what is behind what detectors find.
    .target(
      name: "CFoveaStills", cSettings: [.define("NDEBUG", .when(configuration: .release))],
      linkerSettings: [.linkedLibrary("m")]),
    // Libraries that may end their process, run in one of their own.
    .target(
      name: "CFoveaReader", cSettings: [.define("NDEBUG", .when(configuration: .release))],
      linkerSettings: [.linkedLibrary("pthread")]),
    .target(
      name: "CTextReader",
      dependencies: [
        "CFoveaReader", .target(name: "CTesseract", condition: .when(traits: ["Text"])),
      ],
      cSettings: [
        .headerSearchPath("../CTesseract"), .define("NDEBUG", .when(configuration: .release)),
        .define("FOV_HAVE_TESSERACT", .when(traits: ["Text"])),
      ]),
    .target(
      name: "CFoveaCodes",
      dependencies: [
        "CFoveaReader", .target(name: "CZXing", condition: .when(traits: ["Codes"])),
      ],
      cxxSettings: [
        .define("NDEBUG", .when(configuration: .release)),
        .define("FOV_HAVE_ZXING", .when(traits: ["Codes"])),
      ],
      linkerSettings: [.linkedLibrary("stdc++", .when(platforms: [.linux]))]),
    .target(
      name: "FoveaStills",
      dependencies: [
        "CFoveaStills", "CFoveaCodes", "CFoveaReader", "CTextReader", "FoveaCodesAndText",
        "FoveaVision", "FoveaRuntime", "FoveaImaging", "FoveaModelValues", "FoveaGeometry",
        "FoveaLibc",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaQuantization",
      dependencies: [
        "FoveaVision", "FoveaInspection", "FoveaRuntime", "FoveaLowering", "FoveaImaging",
        "FoveaModelFormat", "FoveaEvaluation", "FoveaGeometry", "FoveaLibc",
        .target(name: "CLAPACKE", condition: .when(traits: ["LAPACK"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaCommandLine", dependencies: ["FoveaFiles", "FoveaLibc"],
      swiftSettings: swiftSettings),
    .target(
      name: "FoveaCommands",
      dependencies: [
        "Fovea", "FoveaModelValues", "FoveaLowering", "FoveaInspection", "FoveaCodesAndText",
        "FoveaEvaluation", "FoveaQuantization", "FoveaPlots", "FoveaTracking", "FoveaFollowing",
        "FoveaVideo", "FoveaStills", "FoveaCommandLine", "FoveaFiles", "FoveaGeometry", "FoveaJSON",
        "FoveaLibc",
      ],
      path: "Sources/Tools/FoveaCommands", swiftSettings: swiftSettings),
    .executableTarget(
      name: "FoveaCommand", dependencies: ["FoveaCommands", "FoveaCommandLine"],
      path: "Sources/Tools/FoveaCommand", swiftSettings: swiftSettings),
    // The C interface of the whole: functions of include/fovea/fovea_detect.h.
    .target(
      name: "FoveaC",
      dependencies: [
        "CFovea", "FoveaVision", "FoveaRuntime", "FoveaLowering", "FoveaImaging", "FoveaDrawing",
        "FoveaGeometry", "FoveaModelValues", "FoveaCodesAndText", "FoveaCommands",
        "FoveaCommandLine", "FoveaLibc",
        "FoveaVideo", "FoveaTracking",
      ],
      swiftSettings: swiftSettings),

    // MARK: Modules with the names of Apple's
    .target(
      name: "FoveaApple",
      dependencies: ["CFovea", "FoveaRuntime", "FoveaImaging", "FoveaGeometry"],
      path: "Sources/Interfaces/Apple/FoveaApple", swiftSettings: swiftSettings),
    // The compiler imports these beside Testing and modules of these names.
    .target(
      name: "_Testing_CoreGraphics", path: "Sources/Interfaces/Apple/TestingCoreGraphics",
      swiftSettings: swiftSettings),
    .target(
      name: "_Testing_CoreImage", path: "Sources/Interfaces/Apple/TestingCoreImage",
      swiftSettings: swiftSettings),
    .target(
      name: "_Testing_UIKit", path: "Sources/Interfaces/Apple/TestingUIKit", swiftSettings: swiftSettings),
    .target(
      name: "CoreGraphics", dependencies: ["FoveaApple", "_Testing_CoreGraphics"],
      path: "Sources/Interfaces/Apple/CoreGraphics", swiftSettings: swiftSettings),
    .target(
      name: "ImageIO", dependencies: ["CoreGraphics", "FoveaApple"], path: "Sources/Interfaces/Apple/ImageIO",
      swiftSettings: swiftSettings),
    .target(
      name: "CoreVideo", dependencies: ["CoreGraphics", "FoveaApple"],
      path: "Sources/Interfaces/Apple/CoreVideo", swiftSettings: swiftSettings),
    .target(
      name: "CoreImage",
      dependencies: ["CoreGraphics", "CoreVideo", "ImageIO", "FoveaApple", "_Testing_CoreImage"],
      path: "Sources/Interfaces/Apple/CoreImage", swiftSettings: swiftSettings),
    .target(
      name: "CoreMedia", dependencies: ["CoreGraphics", "CoreVideo", "FoveaApple"],
      path: "Sources/Interfaces/Apple/CoreMedia", swiftSettings: swiftSettings),
    .target(
      name: "FoveaQuartzCore", dependencies: ["FoveaApple", "FoveaDrawing"],
      path: "Sources/Interfaces/Apple/FoveaQuartzCore", swiftSettings: swiftSettings),
    .target(
      name: "QuartzCore",
      dependencies: ["FoveaQuartzCore", "CoreGraphics", "CoreImage", "CoreVideo"],
      path: "Sources/Interfaces/Apple/QuartzCore", swiftSettings: swiftSettings),
    .target(
      name: "FoveaUIKit", dependencies: ["FoveaQuartzCore", "FoveaApple", "FoveaImaging"],
      path: "Sources/Interfaces/Apple/FoveaUIKit", swiftSettings: swiftSettings),
    .target(
      name: "UIKit", dependencies: ["FoveaUIKit", "QuartzCore", "CoreImage", "_Testing_UIKit"],
      path: "Sources/Interfaces/Apple/UIKit", swiftSettings: swiftSettings),
    .target(
      name: "FoveaCapture",
      dependencies: [
        "FoveaApple", "FoveaQuartzCore", "FoveaVideo", "FoveaRuntime", "FoveaGeometry",
      ],
      path: "Sources/Interfaces/Apple/FoveaCapture", swiftSettings: swiftSettings),
    .target(
      name: "AVFoundation",
      dependencies: ["FoveaCapture", "QuartzCore", "CoreMedia", "CoreImage"],
      path: "Sources/Interfaces/Apple/AVFoundation", swiftSettings: swiftSettings),
    .target(
      name: "Accelerate", dependencies: ["CoreGraphics", "CoreVideo"],
      path: "Sources/Interfaces/Apple/Accelerate", swiftSettings: swiftSettings),
    .target(
      name: "FoveaCoreML",
      dependencies: [
        "FoveaApple", "FoveaVision", "FoveaRuntime", "FoveaModelValues", "FoveaImaging",
        "FoveaGeometry",
      ],
      path: "Sources/Interfaces/Apple/FoveaCoreML", swiftSettings: swiftSettings),
    .target(
      name: "CoreML", dependencies: ["FoveaCoreML", "CoreGraphics", "CoreVideo"],
      path: "Sources/Interfaces/Apple/CoreML", swiftSettings: swiftSettings),
    .target(
      name: "FoveaAppleVision",
      dependencies: [
        "FoveaApple", "FoveaCoreML", "FoveaFollowing", "FoveaStills", "FoveaVision",
        "FoveaRuntime", "FoveaModelValues", "FoveaImaging", "FoveaGeometry", "FoveaLibc",
      ],
      path: "Sources/Interfaces/Apple/FoveaAppleVision", swiftSettings: swiftSettings),
    .target(
      name: "FoveaSwiftVision",
      dependencies: [
        "FoveaApple", "FoveaCoreML", "FoveaAppleVision", "FoveaCapture", "FoveaVision",
        "FoveaGeometry", "FoveaLibc",
      ],
      path: "Sources/Interfaces/Apple/FoveaSwiftVision", swiftSettings: swiftSettings),
    .target(
      name: "Vision",
      dependencies: [
        "FoveaAppleVision", "FoveaSwiftVision", "CoreML", "CoreImage", "CoreMedia", "ImageIO",
      ],
      path: "Sources/Interfaces/Apple/Vision", swiftSettings: swiftSettings),

    .target(
      name: "FoveaModelClass", dependencies: ["FoveaModelFormat", "FoveaFiles"],
      path: "Sources/Interfaces/Apple/FoveaModelClass", swiftSettings: swiftSettings),
    .executableTarget(
      name: "CoreMLModelClass", dependencies: ["FoveaModelClass"],
      path: "Sources/Interfaces/Apple/CoreMLModelClass", swiftSettings: swiftSettings),
    .plugin(
      name: "CoreMLClasses", capability: .buildTool(), dependencies: ["CoreMLModelClass"]),

    // MARK: Benchmarks
    .target(name: "CPeakLoop", path: "Benchmarks/CPeakLoop"),
    .executableTarget(
      name: "FoveaBench",
      dependencies: [
        "Fovea", "FoveaModelFormat", "FoveaInspection", "FoveaEvaluation", "FoveaQuantization",
        "FoveaPlots", "FoveaStills", "FoveaVideo", "FoveaFollowing", "FoveaRuntime", "FoveaImaging",
        "FoveaGeometry", "FoveaCommandLine", "FoveaLibc", "CPeakLoop",
      ],
      path: "Benchmarks/fovea-bench", swiftSettings: swiftSettings),

    .executableTarget(
      name: "VisionOverhead",
      dependencies: [
        "FoveaApple", "FoveaAppleVision", "FoveaCoreML", "FoveaVision", "FoveaRuntime",
        "FoveaGeometry", "FoveaLibc",
      ],
      path: "Benchmarks/vision-overhead", swiftSettings: swiftSettings),

    // MARK: Tests
    .target(
      name: "FoveaTestSupport", dependencies: ["FoveaFiles", "FoveaLibc"],
      path: "Tests/Support/FoveaTestSupport", swiftSettings: swiftSettings),
    // A detector whose weights follow from formulas, and a program that writes it to a file.
    .target(
      name: "FoveaExampleModel", dependencies: ["FoveaTestSupport"],
      path: "Tests/Support/FoveaExampleModel", swiftSettings: swiftSettings),
    .executableTarget(
      name: "FoveaExample", dependencies: ["FoveaExampleModel", "FoveaLibc"],
      path: "Tests/Programs/FoveaExample",
      swiftSettings: swiftSettings),
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    .target(
      name: "CDetectionProbe", dependencies: ["CFovea"], path: "Tests/Support/CDetectionProbe",
      cSettings: [.headerSearchPath("../../CSources"), .headerSearchPath("../../include")]),
    .executableTarget(
      name: "AllocationProbe",
      dependencies: [
        "FoveaRuntime", "FoveaInspection", "FoveaVision", "FoveaTracking", "FoveaFollowing",
        "FoveaGeometry", "FoveaLibc", "CAllocationCounter",
      ],
      path: "Tests/Programs/AllocationProbe"),
    // What users write: programs that import Fovea alone, or what watches videos beside it.
    .executableTarget(
      name: "PhotographSample", dependencies: ["Fovea"], path: "Examples/Swift/PhotographSample",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "CameraSample", dependencies: ["Fovea"], path: "Examples/Swift/CameraSample",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "LiveSample", dependencies: ["Fovea", "FoveaVideo"], path: "Examples/Swift/LiveSample",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "TrackingSample", dependencies: ["Fovea", "FoveaTracking", "FoveaVideo"],
      path: "Examples/Swift/TrackingSample", swiftSettings: swiftSettings),
    // A program for phones, but for its views; without strict concurrency, as these are.
    .executableTarget(
      name: "LiveDetectorSample", dependencies: ["AVFoundation", "QuartzCore", "Vision"],
      path: "Tests/Programs/LiveDetectorSample", swiftSettings: [.swiftLanguageMode(.v5)]),
    // A command-line tool as people write it.
    .executableTarget(
      name: "FaceSample", dependencies: ["ImageIO", "Vision"], path: "Tests/Programs/FaceSample",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "TwoLayerGraph", dependencies: ["CFovea"], path: "Tests/Native/TwoLayerGraph"),
    .executableTarget(name: "DetectInC", dependencies: ["CFovea"], path: "Tests/Native/DetectInC"),
    .executableTarget(
      name: "ModelMutations",
      dependencies: [
        "FoveaRuntime", "FoveaInspection", "FoveaModelFormat", "FoveaFiles", "FoveaExampleModel",
        "FoveaTestSupport", "FoveaLibc",
      ],
      path: "Tests/Fuzzing/ModelMutations", swiftSettings: swiftSettings),
    .executableTarget(
      name: "ReaderFuzzing",
      dependencies: [
        "FoveaRuntime", "FoveaInspection", "FoveaImaging", "FoveaEvaluation", "FoveaGeometry",
        "FoveaStills", "FoveaTracking", "FoveaVideo", "FoveaModelFormat", "FoveaFiles",
        "FoveaExampleModel",
        "FoveaTestSupport", "FoveaLibc", "FoveaC", "CFovea",
      ],
      path: "Tests/Fuzzing/ReaderFuzzing", exclude: ["Dictionaries"], swiftSettings: swiftSettings),
    .testTarget(name: "FoveaFilesTests", dependencies: ["FoveaFiles", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaEvaluationTests",
      dependencies: ["FoveaEvaluation", "FoveaGeometry", "FoveaJSON", "FoveaTestSupport"],
      exclude: ["coco_cases.txt"]),
    .target(
      name: "CFollowingProbe", dependencies: ["CFoveaFollow"], path: "Tests/Support/CFollowingProbe",
      cSettings: [.headerSearchPath("../../Sources/Vision/CFoveaFollow")]),
    .testTarget(
      name: "FoveaFollowingTests",
      dependencies: [
        "FoveaFollowing", "Fovea", "FoveaRuntime", "FoveaGeometry", "CFoveaFollow",
        "CFollowingProbe", "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaTrackingTests",
      dependencies: ["FoveaTracking", "FoveaEvaluation", "FoveaGeometry", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaGeometryTests",
      dependencies: ["FoveaGeometry", "FoveaDisplay", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaDisplayTests",
      dependencies: ["FoveaDisplay", "FoveaDrawing", "FoveaGeometry", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaModelFormatTests", dependencies: ["FoveaModelFormat", "FoveaTestSupport"]),
    .testTarget(
      name: "CFoveaTests",
      dependencies: ["CFovea", "CDetectionProbe", "FoveaGeometry", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaImagingTests", dependencies: ["FoveaImaging", "FoveaFiles", "FoveaTestSupport"]),
    .testTarget(
      name: "FoveaDrawingTests",
      dependencies: [
        "FoveaDrawing", "FoveaPlots", "FoveaImaging", "FoveaGeometry", "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaRuntimeTests",
      dependencies: [
        "FoveaRuntime", "FoveaLowering", "FoveaInspection", "FoveaModelFormat", "FoveaGeometry",
        "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaVisionTests",
      dependencies: [
        "Fovea", "FoveaVision", "FoveaRuntime", "FoveaLowering", "FoveaImaging", "FoveaGeometry",
        "FoveaInspection", "FoveaModelFormat", "FoveaCodesAndText", "FoveaExampleModel",
        "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaVideoTests",
      dependencies: [
        "FoveaVideo", "Fovea", "FoveaVision", "FoveaRuntime", "FoveaGeometry", "FoveaLibc",
        "FoveaExampleModel", "FoveaTestSupport", "CFovea",
      ]),
    .target(
      name: "CReaderProbe", dependencies: ["CFoveaReader"], path: "Tests/Support/CReaderProbe"),
    .testTarget(
      name: "FoveaStillsTests",
      dependencies: [
        "FoveaStills", "FoveaCodesAndText", "Fovea", "FoveaVision", "FoveaRuntime", "FoveaImaging",
        "FoveaGeometry", "FoveaLibc", "CFoveaStills", "CReaderProbe", "FoveaTestSupport",
      ]),
    // Programs as people write them for Apple's frameworks, in the language of their time.
    .target(
      name: "AppleSamples",
      dependencies: [
        "Vision", "CoreML", "CoreImage", "CoreGraphics", "ImageIO", "CoreVideo", "AVFoundation",
        "QuartzCore",
      ],
      path: "Tests/Programs/AppleSamples", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "FoveaAppleTests",
      dependencies: [
        "FoveaApple", "FoveaCoreML", "FoveaAppleVision", "FoveaSwiftVision", "FoveaModelClass",
        "AppleSamples", "Vision", "CoreML", "FoveaStills", "FoveaVision", "FoveaRuntime",
        "FoveaModelFormat", "FoveaImaging", "FoveaGeometry", "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaAppleUITests",
      dependencies: [
        "QuartzCore", "UIKit", "AVFoundation", "Accelerate", "FoveaCapture", "FoveaVideo",
        "FoveaImaging", "FoveaExampleModel", "LiveDetectorSample", "FaceSample", "AppleSamples",
        "Vision", "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaCTests",
      dependencies: [
        "FoveaC", "CFovea", "Fovea", "FoveaVideo", "FoveaLibc", "FoveaExampleModel",
        "FoveaTestSupport",
      ]),
    .testTarget(
      name: "FoveaQuantizationTests",
      dependencies: [
        "FoveaQuantization", "FoveaInspection", "Fovea", "FoveaVision", "FoveaEvaluation",
        "FoveaModelFormat", "FoveaExampleModel", "FoveaTestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "FoveaCommand", "Fovea", "FoveaExample", "FoveaExampleModel", "FoveaTestSupport",
        "AllocationProbe", "TwoLayerGraph", "DetectInC", "FoveaBench", "PhotographSample",
        "CameraSample", "LiveSample", "TrackingSample",
      ]),
    .testTarget(
      name: "BenchTests",
      dependencies: [
        "FoveaBench", "FoveaCommandLine", "Fovea", "FoveaRuntime", "FoveaInspection",
        "FoveaModelFormat", "FoveaTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx17
)

// Builds under sanitizers compile the targets that they run, and those that these depend on.
if let chosen = Context.environment["FOVEA_TARGETS"]?.split(whereSeparator: \.isWhitespace) {
  var needed = Set(chosen.map(String.init))
  // A target stands behind those that it depends on.
  for target in package.targets.reversed() where needed.contains(target.name) {
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let targets =
      (product as? Product.Executable)?.targets ?? (product as? Product.Library)?.targets
      ?? (product as? Product.Plugin)?.targets ?? []
    return !targets.allSatisfy(needed.contains)
  }
}
