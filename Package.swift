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

// MARK: Folders, by whom they serve

/// A folder that holds a folder for each of its targets. Each function makes one target.
struct Folder {
  let name: String
  init(_ name: String) { self.name = name }

  func path(_ target: String) -> String { name + "/" + target }

  func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], folder: String? = nil,
    language: SwiftLanguageMode? = nil
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: path(folder ?? name),
      swiftSettings: settings(language))
  }

  func program(
    _ name: String, _ dependencies: [Target.Dependency], folder: String? = nil,
    excluding excluded: [String] = [], language: SwiftLanguageMode? = nil
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: path(folder ?? name), exclude: excluded,
      swiftSettings: settings(language))
  }

  /// Programs in the language of an earlier time are compiled as their writers compiled them.
  private func settings(_ language: SwiftLanguageMode?) -> [SwiftSetting] {
    language.map { [.swiftLanguageMode($0)] } ?? swiftSettings
  }

  func cModule(
    _ name: String, _ dependencies: [Target.Dependency] = [], settings: [CSetting] = [],
    linking libraries: [String] = []
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: path(name),
      cSettings: [.define("NDEBUG", .when(configuration: .release))] + settings,
      linkerSettings: libraries.map { .linkedLibrary($0) })
  }

  /// Tests are written without the features that sources ask for, unless they name one.
  func tests(
    _ name: String, _ dependencies: [Target.Dependency], excluding excluded: [String] = [],
    feature: String? = nil
  ) -> Target {
    .testTarget(
      name: name, dependencies: dependencies, path: path(name), exclude: excluded,
      swiftSettings: feature.map { [.enableUpcomingFeature($0)] } ?? [])
  }

  /// A library that Debian brings. With `pkgConfig` it is linked; without, it is opened at first use.
  func library(_ name: String, pkgConfig: String? = nil, from packages: [String] = []) -> Target {
    .systemLibrary(
      name: name, path: path(name), pkgConfig: pkgConfig,
      providers: packages.isEmpty ? nil : [.apt(packages)])
  }
}

extension Target.Dependency {
  /// What a trait brings.
  static func with(_ trait: String, _ name: String) -> Self {
    .target(name: name, condition: .when(traits: [trait]))
  }
  static func onLinux(_ name: String) -> Self {
    .target(name: name, condition: .when(platforms: [.linux]))
  }
}

let engine = Folder("Sources/Engine")
let vision = Folder("Sources/Vision")
let tools = Folder("Sources/Tools")
let interfaces = Folder("Sources/Interfaces")
let apple = Folder("Sources/Interfaces/Apple")
let models = Folder("Sources/Models")
let system = Folder("Sources/SystemLibraries")
let sources = Folder("Sources")
let benchmarks = Folder("Benchmarks")
let examples = Folder("Examples/Swift")
let unit = Folder("Tests/Unit")
let native = Folder("Tests/Native")
let programs = Folder("Tests/Programs")
let fuzzing = Folder("Tests/Fuzzing")
let support = Folder("Tests/Support")

// MARK: The package

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
    .library(name: "FoveaMaps", targets: ["FoveaMaps"]),
    .library(name: "FoveaStills", targets: ["FoveaStills"]),
    .library(name: "FoveaTracking", targets: ["FoveaTracking"]),
    .library(name: "FoveaVideo", targets: ["FoveaVideo"]),
    .library(name: "FoveaMedia", targets: ["FoveaMedia"]),
    .library(name: "FoveaPlots", targets: ["FoveaPlots"]),
    .library(name: "FoveaEvaluation", targets: ["FoveaEvaluation"]),
    .library(name: "FoveaAnnotations", targets: ["FoveaAnnotations"]),
    .library(name: "FoveaQuantization", targets: ["FoveaQuantization"]),
    .library(name: "FoveaTraining", targets: ["FoveaTraining"]),
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
    .trait(
      name: "HEIF", description: "HEIC and AVIF images read by libheif, opened at first use."),
    .trait(name: "TIFF", description: "TIFF images read by libtiff, opened at first use."),
    .trait(name: "GIF", description: "GIF images read by giflib, opened at first use."),
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
    .trait(name: "XML", description: "Annotations in XML read by expat, opened at first use."),
    .trait(name: "YAML", description: "YOLO's descriptions read by libyaml, opened at first use."),
    .trait(
      name: "HTTP", description: "Servers and pages by libmicrohttpd, opened when one starts."),
    .trait(
      name: "ZeroMQ", description: "Frigate's detector by libzmq, in a process of its own."),
    .default(
      enabledTraits: [
        "OpenBLAS", "JPEG", "PNG", "WebP", "HEIF", "TIFF", "GIF", "Drawing", "LAPACK", "Video",
        "Text", "Codes", "XML", "YAML", "HTTP", "ZeroMQ",
      ]),
  ],
  targets: [
    // MARK: System libraries
    system.library("COpenBLAS", pkgConfig: "openblas", from: ["libopenblas-dev"]),
    system.library("CTurboJPEG", pkgConfig: "libturbojpeg", from: ["libturbojpeg0-dev"]),
    system.library("CPNG", pkgConfig: "libpng", from: ["libpng-dev"]),
    system.library("CWebP", pkgConfig: "libwebp", from: ["libwebp-dev"]),
    // Headers only: with pkgConfig the library would be linked, which every start would pay for.
    system.library("CCairo", from: ["libcairo2-dev"]),
    system.library("CHEIF", from: ["libheif-dev"]),
    system.library("CTIFF", from: ["libtiff-dev"]),
    system.library("CGIF", from: ["libgif-dev"]),
    system.library("CLAPACKE", from: ["liblapacke-dev"]),
    system.library("CLibAV", from: ["libavformat-dev", "libavcodec-dev", "libavutil-dev"]),
    system.library("CTesseract", from: ["libtesseract-dev", "tesseract-ocr-eng"]),
    system.library("CZXing", from: ["libzxing-dev"]),
    system.library("CExpat", from: ["libexpat1-dev"]),
    system.library("CYAML", from: ["libyaml-dev"]),
    system.library("CMicroHTTPD", from: ["libmicrohttpd-dev"]),
    system.library("CZeroMQ", from: ["libzmq3-dev"]),
    // Cameras of Linux: headers of the kernel, which come with those of the C library.
    system.library("CVideoDevice"),

    // MARK: The C core
    .target(
      name: "CFovea", dependencies: [.with("OpenBLAS", "COpenBLAS")], path: ".",
      sources: ["CSources"], publicHeadersPath: "include", cSettings: cSettings,
      linkerSettings: [.linkedLibrary("m"), .linkedLibrary("pthread")]),

    // MARK: Swift layers
    engine.module("FoveaGeometry"),
    engine.module("FoveaJSON"),
    engine.module("FoveaDeflate"),
    engine.module("FoveaModelValues"),
    engine.module("FoveaModelFormat", ["FoveaModelValues", "FoveaJSON", "FoveaDeflate"]),
    engine.module("FoveaLibc"),
    engine.module("FoveaFiles", ["FoveaLibc"]),
    vision.module("FoveaTracking", ["FoveaGeometry"]),
    // Masks, key points and corners of objects: values alone.
    vision.module("FoveaShapes", ["FoveaGeometry"]),
    // The C core in Swift: errors, options, pixels, graphs. What models are lowered into.
    engine.module(
      "FoveaCore", ["CFovea", "FoveaModelValues", "FoveaGeometry", "FoveaFiles", "FoveaLibc"]),
    engine.module("FoveaProgramEnds", ["FoveaModelValues"]),
    engine.module("FoveaNetworkTasks", ["FoveaModelValues", "FoveaLibc"]),
    engine.module(
      "FoveaLowering",
      [
        "CFovea", "FoveaCore", "FoveaModelValues", "FoveaProgramEnds", "FoveaNetworkTasks",
        "FoveaGeometry", "FoveaLibc",
      ]),
    engine.module(
      "FoveaRuntime",
      [
        "CFovea", "FoveaCore", "FoveaLowering", "FoveaModelFormat", "FoveaModelValues",
        "FoveaGeometry", "FoveaFiles", "FoveaLibc",
      ]),
    engine.module("FoveaInspection", ["FoveaRuntime", "CFovea"]),
    // Libraries that may end their process, run in one of their own.
    engine.cModule("CFoveaReader", linking: ["pthread"]),
    engine.module("FoveaReader", ["CFoveaReader", "FoveaLibc"]),
    engine.cModule(
      "CPictureReader",
      ["CFoveaReader", .with("HEIF", "CHEIF"), .with("TIFF", "CTIFF"), .with("GIF", "CGIF")],
      settings: ["HEIF", "TIFF", "GIF"].flatMap { name -> [CSetting] in
        [
          .headerSearchPath("../../SystemLibraries/C\(name)"),
          .define("FOV_HAVE_\(name)", .when(traits: [name])),
        ]
      }),
    engine.module(
      "FoveaImaging",
      [
        "CPictureReader", "FoveaReader", "FoveaDeflate", "FoveaFiles", "FoveaLibc",
        .with("JPEG", "CTurboJPEG"), .with("PNG", "CPNG"), .with("WebP", "CWebP"),
      ]),
    // What people drew on pictures, in the forms of many programs.
    tools.module(
      "FoveaAnnotations",
      [
        "FoveaGeometry", "FoveaImaging", "FoveaJSON", "FoveaFiles", "FoveaLibc",
        .with("XML", "CExpat"), .with("YAML", "CYAML"),
      ]),
    tools.module(
      "FoveaEvaluation",
      [
        "FoveaAnnotations", "FoveaShapes", "FoveaGeometry", "FoveaFiles", "FoveaJSON", "FoveaLibc",
      ]),
    tools.module(
      "FoveaFoundObjects", ["FoveaEvaluation", "FoveaVision", "FoveaGeometry", "FoveaShapes"]),
    vision.module(
      "FoveaDrawing",
      [
        "FoveaShapes", "FoveaGeometry", "FoveaImaging", "FoveaFiles", "FoveaLibc",
        .with("Drawing", "CCairo"),
      ]),
    vision.module("FoveaDisplay", ["FoveaDrawing", "FoveaGeometry"]),
    tools.module(
      "FoveaPlots",
      ["FoveaDrawing", "FoveaGeometry", "FoveaImaging", "FoveaLibc", .with("Drawing", "CCairo")]),
    vision.module(
      "FoveaVision",
      [
        "FoveaRuntime", "FoveaCore", "FoveaImaging", "FoveaModelValues", "FoveaNetworkTasks",
        "FoveaShapes", "FoveaGeometry", "FoveaLibc",
      ]),
    // Maps of classes, depth, pictures and embeddings: what networks say about every pixel.
    vision.module(
      "FoveaMaps",
      [
        "FoveaVision", "FoveaRuntime", "FoveaImaging", "FoveaModelValues", "FoveaNetworkTasks",
        "FoveaDrawing", "FoveaGeometry", "FoveaJSON",
      ]),
    // Following one object: a C target of its own, so that the core stays as small as it is.
    vision.cModule("CFoveaFollow", linking: ["m"]),
    vision.module(
      "FoveaFollowing",
      [
        "CFoveaFollow", "CFovea", "FoveaVision", "FoveaRuntime", "FoveaImaging", "FoveaGeometry",
        "FoveaLibc",
      ]),
    // Videos and cameras as pictures; knows no detector.
    vision.module(
      "FoveaMedia",
      [
        "FoveaCore", "FoveaGeometry", "FoveaFiles", "FoveaLibc", "CFovea", .with("Video", "CLibAV"),
        .with("JPEG", "CTurboJPEG"), .onLinux("CVideoDevice"),
      ]),
    vision.module(
      "FoveaVideo",
      [
        "FoveaMedia", "FoveaVision", "FoveaCore", "FoveaTracking", "FoveaShapes", "FoveaGeometry",
        "FoveaImaging", "FoveaLibc",
      ]),
    sources.module(
      "Fovea",
      [
        "FoveaVision", "FoveaRuntime", "FoveaCore", "FoveaImaging", "FoveaDrawing", "FoveaShapes",
        "FoveaGeometry",
      ]),
    .target(
      name: "CCodesAndText", path: models.path("CCodesAndText"),
      exclude: ["Examples", "CodesAndText.mlmodel", "CodesAndText.md"]),
    models.module("FoveaCodesAndText", ["CCodesAndText", "FoveaRuntime"]),
    // Still pictures: what is behind what detectors find.
    vision.cModule("CFoveaStills", linking: ["m"]),
    vision.cModule(
      "CTextReader", ["CFoveaReader", .with("Text", "CTesseract")],
      settings: [
        .headerSearchPath("../../SystemLibraries/CTesseract"),
        .define("FOV_HAVE_TESSERACT", .when(traits: ["Text"])),
      ]),
    .target(
      name: "CFoveaCodes", dependencies: ["CFoveaReader", .with("Codes", "CZXing")],
      path: vision.path("CFoveaCodes"),
      cxxSettings: [
        .define("NDEBUG", .when(configuration: .release)),
        .define("FOV_HAVE_ZXING", .when(traits: ["Codes"])),
      ],
      linkerSettings: [.linkedLibrary("stdc++", .when(platforms: [.linux]))]),
    vision.module(
      "FoveaStills",
      [
        "CFoveaStills", "CFoveaCodes", "FoveaReader", "CTextReader", "FoveaCodesAndText",
        "FoveaVision", "FoveaShapes", "FoveaRuntime", "FoveaImaging", "FoveaModelValues",
        "FoveaGeometry", "FoveaFiles", "FoveaLibc",
      ]),
    tools.module(
      "FoveaQuantization",
      [
        "FoveaVision", "FoveaInspection", "FoveaRuntime", "FoveaLowering", "FoveaImaging",
        "FoveaModelFormat", "FoveaEvaluation", "FoveaFoundObjects", "FoveaLibc",
        .with("LAPACK", "CLAPACKE"),
      ]),
    // Training detectors: a C target of its own, so that the core stays as small as it is.
    tools.cModule("CFoveaTrain", ["CFovea"], linking: ["m"]),
    tools.module(
      "FoveaTraining",
      [
        "CFoveaTrain", "CFovea", "FoveaAnnotations", "FoveaVision", "FoveaEvaluation",
        "FoveaFoundObjects", "FoveaRuntime", "FoveaCore",
        "FoveaLowering", "FoveaModelFormat", "FoveaModelValues", "FoveaImaging", "FoveaGeometry",
        "FoveaFiles", "FoveaLibc",
      ]),
    tools.module("FoveaHTTP", ["FoveaLibc", .with("HTTP", "CMicroHTTPD")]),
    tools.cModule(
      "CSocketReader", ["CFoveaReader", .with("ZeroMQ", "CZeroMQ")],
      settings: [
        .headerSearchPath("../../SystemLibraries/CZeroMQ"),
        .define("FOV_HAVE_ZEROMQ", .when(traits: ["ZeroMQ"])),
      ]),
    // Who asks over the network: pages of videos, and protocols of detection services.
    tools.module(
      "FoveaServing",
      [
        "CSocketReader", "FoveaReader", "FoveaHTTP", "Fovea", "FoveaVision", "FoveaVideo",
        "FoveaMedia", "FoveaRuntime",
        "FoveaDrawing", "FoveaModelValues", "FoveaShapes", "FoveaGeometry",
        "FoveaJSON", "FoveaLibc", .with("JPEG", "CTurboJPEG"),
      ]),
    tools.module("FoveaCommandLine", ["FoveaFiles", "FoveaJSON", "FoveaLibc"]),
    .target(
      name: "FoveaModelCatalog", dependencies: ["FoveaFiles", "FoveaLibc"],
      path: tools.path("FoveaModelCatalog"), resources: [.embedInCode("Models.txt")],
      swiftSettings: swiftSettings),
    tools.module(
      "FoveaReports",
      [
        "FoveaEvaluation", "FoveaDrawing", "FoveaImaging", "FoveaFiles", "FoveaCommandLine",
        "FoveaLibc",
      ]),
    tools.module(
      "FoveaMeasurement",
      [
        "FoveaAnnotations", "FoveaCommandLine", "FoveaEvaluation", "FoveaFiles",
        "FoveaFoundObjects", "FoveaGeometry", "FoveaImaging", "FoveaLibc", "FoveaPlots",
        "FoveaRuntime", "FoveaShapes", "FoveaVision",
      ]),
    tools.module(
      "FoveaModelCommands",
      [
        "Fovea", "FoveaMaps", "FoveaModelValues", "FoveaNetworkTasks", "FoveaLowering",
        "FoveaInspection", "FoveaCodesAndText", "FoveaAnnotations", "FoveaEvaluation",
        "FoveaFoundObjects", "FoveaMeasurement",
        "FoveaQuantization", "FoveaTraining", "FoveaPlots", "FoveaReports", "FoveaModelCatalog",
        "FoveaCommandLine", "FoveaFiles", "FoveaJSON", "FoveaLibc",
      ]),
    tools.module(
      "FoveaAnnotationCommands",
      [
        "FoveaAnnotations", "FoveaPlots", "FoveaDrawing", "FoveaImaging", "FoveaGeometry",
        "FoveaCommandLine",
      ]),
    tools.module(
      "FoveaTrainingCommands",
      [
        "FoveaTraining", "FoveaAnnotations", "FoveaEvaluation", "FoveaMeasurement", "FoveaPlots",
        "FoveaReports", "FoveaQuantization", "FoveaVision", "FoveaRuntime", "FoveaImaging",
        "FoveaGeometry", "FoveaModelValues", "FoveaModelCatalog", "FoveaCommandLine", "FoveaJSON",
        "FoveaFiles", "FoveaLibc",
      ]),
    tools.module(
      "FoveaMapCommands",
      [
        "FoveaModelCommands", "FoveaMaps", "FoveaVision", "FoveaNetworkTasks", "FoveaRuntime",
        "FoveaDrawing", "FoveaImaging", "FoveaGeometry", "FoveaCommandLine",
        "FoveaFiles", "FoveaLibc",
      ]),
    tools.module(
      "FoveaStillCommands",
      [
        "Fovea", "FoveaModelCommands", "FoveaStills", "FoveaCommandLine", "FoveaFiles", "FoveaLibc",
      ]),
    tools.module(
      "FoveaCommands",
      [
        "Fovea", "FoveaModelCommands", "FoveaAnnotationCommands", "FoveaAnnotations",
        "FoveaEvaluation", "FoveaTracking", "FoveaFollowing", "FoveaVideo", "FoveaServing",
        "FoveaHTTP", "FoveaCommandLine", "FoveaFiles", "FoveaGeometry", "FoveaJSON", "FoveaLibc",
      ]),
    tools.program(
      "FoveaCommand",
      [
        "Fovea", "FoveaCommands", "FoveaStillCommands", "FoveaModelCommands",
        "FoveaMapCommands", "FoveaTrainingCommands", "FoveaCommandLine",
      ]),
    // The C interface of the whole: functions of include/fovea/fovea.h.
    interfaces.module(
      "FoveaC",
      [
        "CFovea", "FoveaVision", "FoveaMaps", "FoveaRuntime", "FoveaLowering", "FoveaImaging",
        "FoveaDrawing", "FoveaShapes", "FoveaGeometry", "FoveaModelValues", "FoveaCodesAndText",
        "FoveaLibc", "FoveaVideo", "FoveaTracking",
      ]),

    // MARK: Modules with the names of Apple's
    apple.module("FoveaApple", ["CFovea", "FoveaRuntime", "FoveaImaging", "FoveaGeometry"]),
    // The compiler imports these beside Testing and modules of these names.
    apple.module("_Testing_CoreGraphics", folder: "TestingCoreGraphics"),
    apple.module("_Testing_CoreImage", folder: "TestingCoreImage"),
    apple.module("_Testing_UIKit", folder: "TestingUIKit"),
    apple.module("CoreGraphics", ["FoveaApple", "_Testing_CoreGraphics"]),
    apple.module("ImageIO", ["CoreGraphics", "FoveaApple"]),
    apple.module("CoreVideo", ["CoreGraphics", "FoveaApple"]),
    apple.module(
      "CoreImage", ["CoreGraphics", "CoreVideo", "ImageIO", "FoveaApple", "_Testing_CoreImage"]),
    apple.module("CoreMedia", ["CoreGraphics", "CoreVideo", "FoveaApple"]),
    apple.module("FoveaQuartzCore", ["FoveaApple", "FoveaDrawing"]),
    apple.module("QuartzCore", ["FoveaQuartzCore", "CoreGraphics", "CoreImage", "CoreVideo"]),
    apple.module(
      "UIKit",
      [
        "FoveaQuartzCore", "FoveaApple", "FoveaImaging", "QuartzCore", "CoreImage",
        "_Testing_UIKit",
      ]),
    apple.module(
      "FoveaCapture",
      ["FoveaApple", "FoveaQuartzCore", "FoveaVideo", "FoveaRuntime", "FoveaGeometry"]),
    apple.module("AVFoundation", ["FoveaCapture", "QuartzCore", "CoreMedia", "CoreImage"]),
    apple.module("Accelerate", ["CoreGraphics", "CoreVideo"]),
    apple.module(
      "CoreML",
      [
        "FoveaApple", "CoreGraphics", "CoreVideo", "FoveaVision", "FoveaRuntime",
        "FoveaModelValues", "FoveaImaging", "FoveaGeometry",
      ]),
    apple.module(
      "FoveaAppleVision",
      [
        "FoveaApple", "CoreML", "FoveaFollowing", "FoveaMaps", "FoveaStills", "FoveaVision",
        "FoveaRuntime", "FoveaModelValues", "FoveaImaging", "FoveaGeometry", "FoveaLibc",
        "FoveaShapes",
      ]),
    apple.module(
      "FoveaSwiftVision",
      [
        "FoveaApple", "CoreML", "FoveaAppleVision", "FoveaCapture", "FoveaFollowing",
        "FoveaStills", "FoveaVision", "FoveaGeometry", "FoveaLibc",
      ]),
    apple.module(
      "Vision",
      ["FoveaAppleVision", "FoveaSwiftVision", "CoreML", "CoreImage", "CoreMedia", "ImageIO"]),
    apple.module("FoveaModelClass", ["FoveaModelFormat", "FoveaFiles"]),
    apple.program("CoreMLModelClass", ["FoveaModelClass"]),
    .plugin(
      name: "CoreMLClasses", capability: .buildTool(), dependencies: ["CoreMLModelClass"]),

    // MARK: Benchmarks
    .target(name: "CPeakLoop", path: benchmarks.path("CPeakLoop")),
    benchmarks.program(
      "FoveaBench",
      [
        "Fovea", "FoveaModelFormat", "FoveaInspection", "FoveaEvaluation", "FoveaQuantization",
        "FoveaPlots", "FoveaStills", "FoveaVideo", "FoveaFollowing", "FoveaRuntime", "FoveaImaging",
        "FoveaGeometry", "FoveaCommandLine", "FoveaLibc", "CPeakLoop",
      ], folder: "fovea-bench"),
    benchmarks.program(
      "VisionOverhead",
      [
        "FoveaApple", "FoveaAppleVision", "CoreML", "FoveaVision", "FoveaRuntime",
        "FoveaGeometry", "FoveaLibc",
      ], folder: "vision-overhead"),

    // MARK: Tests
    support.module("FoveaTestSupport", ["FoveaFiles", "FoveaLibc"]),
    // A detector whose weights follow from formulas, and a program that writes it to a file.
    support.module("FoveaExampleModel", ["FoveaTestSupport"]),
    programs.program("FoveaExample", ["FoveaExampleModel", "FoveaLibc"]),
    .target(name: "CAllocationCounter", path: support.path("CAllocationCounter")),
    .target(
      name: "CDetectionProbe", dependencies: ["CFovea"], path: support.path("CDetectionProbe"),
      cSettings: [
        .headerSearchPath("../../../CSources"), .headerSearchPath("../../../include"),
      ]),
    programs.program(
      "AllocationProbe",
      [
        "FoveaRuntime", "FoveaInspection", "FoveaVision", "FoveaTracking", "FoveaFollowing",
        "FoveaGeometry", "FoveaLibc", "CAllocationCounter",
      ]),
    // What users write: programs that import Fovea alone, or what watches videos beside it.
    examples.program("PhotographSample", ["Fovea"]),
    examples.program("CameraSample", ["Fovea"]),
    examples.program("LiveSample", ["Fovea", "FoveaVideo"]),
    examples.program("TrackingSample", ["Fovea", "FoveaTracking", "FoveaVideo"]),
    // A program for phones, but for its views; without strict concurrency, as these are.
    programs.program(
      "LiveDetectorSample", ["AVFoundation", "QuartzCore", "Vision"], language: .v5),
    // A command-line tool as people write it.
    programs.program("FaceSample", ["ImageIO", "Vision"], language: .v5),
    .executableTarget(
      name: "TwoLayerGraph", dependencies: ["CFovea"], path: native.path("TwoLayerGraph")),
    .executableTarget(
      name: "DetectInC", dependencies: ["CFovea"], path: native.path("DetectInC")),
    fuzzing.program(
      "ModelMutations",
      [
        "FoveaRuntime", "FoveaInspection", "FoveaModelFormat", "FoveaFiles", "FoveaExampleModel",
        "FoveaTestSupport", "FoveaLibc",
      ]),
    fuzzing.program(
      "ReaderFuzzing",
      [
        "FoveaRuntime", "FoveaInspection", "FoveaImaging", "FoveaAnnotations", "FoveaEvaluation",
        "FoveaGeometry", "FoveaShapes", "FoveaVision", "FoveaMaps", "FoveaStills", "FoveaTracking",
        "FoveaVideo", "FoveaServing", "FoveaHTTP", "FoveaModelFormat", "FoveaLowering",
        "FoveaDeflate", "FoveaFiles", "FoveaExampleModel", "FoveaTestSupport", "FoveaLibc",
        "FoveaC", "CFovea",
      ], excluding: ["Dictionaries"]),
    unit.tests("FoveaFilesTests", ["FoveaFiles", "FoveaTestSupport"]),
    unit.tests(
      "FoveaAnnotationsTests",
      ["FoveaAnnotations", "FoveaImaging", "FoveaTestSupport"]),
    unit.tests(
      "FoveaEvaluationTests",
      ["FoveaEvaluation", "FoveaShapes", "FoveaGeometry", "FoveaJSON", "FoveaTestSupport"],
      excluding: ["coco_cases.txt", "coco_shape_cases.txt"]),
    .target(
      name: "CFollowingProbe", dependencies: ["CFoveaFollow"],
      path: support.path("CFollowingProbe"),
      cSettings: [.headerSearchPath("../../../Sources/Vision/CFoveaFollow")]),
    unit.tests(
      "FoveaFollowingTests",
      [
        "FoveaFollowing", "Fovea", "FoveaRuntime", "FoveaGeometry", "CFoveaFollow",
        "CFollowingProbe", "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaTrackingTests",
      ["FoveaTracking", "FoveaEvaluation", "FoveaGeometry", "FoveaTestSupport"]),
    unit.tests("FoveaGeometryTests", ["FoveaGeometry", "FoveaDisplay", "FoveaTestSupport"]),
    unit.tests(
      "FoveaDisplayTests", ["FoveaDisplay", "FoveaDrawing", "FoveaGeometry", "FoveaTestSupport"]),
    unit.tests(
      "FoveaModelFormatTests", ["FoveaModelFormat", "FoveaDeflate", "FoveaTestSupport"]),
    unit.tests("CFoveaTests", ["CFovea", "CDetectionProbe", "FoveaGeometry", "FoveaTestSupport"]),
    unit.tests("FoveaImagingTests", ["FoveaImaging", "FoveaFiles", "FoveaTestSupport"]),
    unit.tests(
      "FoveaDrawingTests",
      [
        "FoveaDrawing", "FoveaPlots", "FoveaImaging", "FoveaShapes", "FoveaGeometry",
        "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaRuntimeTests",
      [
        "FoveaRuntime", "FoveaLowering", "FoveaInspection", "FoveaModelFormat", "FoveaGeometry",
        "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaVisionTests",
      [
        "Fovea", "FoveaVision", "FoveaShapes", "FoveaRuntime", "FoveaLowering", "FoveaImaging",
        "FoveaGeometry", "FoveaInspection", "FoveaModelFormat", "FoveaCodesAndText",
        "FoveaExampleModel",
        "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaMapsTests",
      [
        "FoveaMaps", "FoveaNetworkTasks", "Fovea", "FoveaVision", "FoveaRuntime",
        "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaVideoTests",
      [
        "FoveaVideo", "Fovea", "FoveaVision", "FoveaShapes", "FoveaRuntime", "FoveaGeometry",
        "FoveaLibc",
        "FoveaExampleModel", "FoveaTestSupport", "CFovea",
      ]),
    unit.tests(
      "FoveaServingTests",
      [
        "FoveaServing", "FoveaHTTP", "FoveaVideo", "Fovea", "FoveaVision", "FoveaShapes",
        "FoveaRuntime", "FoveaLibc", "FoveaExampleModel", "FoveaTestSupport",
      ]),
    .target(
      name: "CReaderProbe", dependencies: ["CFoveaReader"], path: support.path("CReaderProbe")),
    unit.tests(
      "FoveaStillsTests",
      [
        "FoveaStills", "FoveaCodesAndText", "Fovea", "FoveaVision", "FoveaRuntime", "FoveaImaging",
        "FoveaGeometry", "FoveaLibc", "FoveaReader", "CFoveaStills", "CReaderProbe",
        "FoveaTestSupport",
      ]),
    // Programs as people write them for Apple's frameworks, in the language of their time.
    programs.module(
      "AppleSamples",
      [
        "Vision", "CoreML", "CoreImage", "CoreGraphics", "ImageIO", "CoreVideo", "AVFoundation",
        "QuartzCore",
      ], language: .v5),
    unit.tests(
      "FoveaAppleTests",
      [
        "FoveaApple", "FoveaAppleVision", "FoveaSwiftVision", "FoveaModelClass",
        "AppleSamples", "Vision", "CoreML", "FoveaStills", "FoveaVision", "FoveaRuntime",
        "FoveaModelFormat", "FoveaImaging", "FoveaGeometry", "FoveaShapes", "FoveaExampleModel",
        "FoveaTestSupport",
      ], feature: "MemberImportVisibility"),
    unit.tests(
      "FoveaAppleUITests",
      [
        "QuartzCore", "UIKit", "AVFoundation", "Accelerate", "FoveaCapture", "FoveaVideo",
        "FoveaImaging", "FoveaExampleModel", "LiveDetectorSample", "FaceSample", "AppleSamples",
        "Vision", "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaCTests",
      [
        "FoveaC", "CFovea", "Fovea", "FoveaShapes", "FoveaVideo", "FoveaLibc",
        "FoveaExampleModel", "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaQuantizationTests",
      [
        "FoveaQuantization", "FoveaInspection", "Fovea", "FoveaVision", "FoveaEvaluation",
        "FoveaModelFormat", "FoveaExampleModel", "FoveaTestSupport",
      ]),
    unit.tests(
      "FoveaTrainingTests",
      [
        "FoveaTraining", "FoveaAnnotations", "FoveaQuantization", "CFoveaTrain", "CFovea",
        "FoveaReports", "FoveaRuntime", "FoveaGeometry", "FoveaLibc", "FoveaExampleModel",
        "FoveaTestSupport",
      ]),
    unit.tests(
      "CommandTests",
      [
        "FoveaCommand", "Fovea", "FoveaAnnotations", "FoveaExample", "FoveaExampleModel",
        "FoveaImaging", "FoveaTestSupport", "AllocationProbe", "TwoLayerGraph", "DetectInC",
        "FoveaBench",
        "PhotographSample", "CameraSample", "LiveSample", "TrackingSample", "FoveaModelCatalog",
        "FoveaLibc",
      ]),
    unit.tests(
      "BenchTests",
      [
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
