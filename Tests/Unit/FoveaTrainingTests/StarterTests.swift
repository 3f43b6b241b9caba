// Fovea - starters: their classes, what is composed of them, and runs that learn from them.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaRuntime
import FoveaTestSupport
import FoveaTraining
import Testing

@Suite("Starters", .tags(.startsThreads))
struct StarterTests {
  /// Writes a picture of one color.
  private func write(
    _ name: String, _ color: [UInt8], to folder: TemporaryFolder, side: Int = 24
  ) throws -> String {
    let pixels = (0..<side * side).flatMap { _ in color }
    return try folder.write(name, UncompressedPNG.encode(width: side, height: side, pixels: pixels))
  }

  /// Starters in `cards`, and blue backgrounds in `table`.
  private func starters(
    in folder: TemporaryFolder, _ names: [String] = ["red", "yellow"], backgrounds: Int = 6
  ) throws -> StarterSet {
    for name in names {
      _ = try write(
        "cards/\(name).png", [230, name == "yellow" ? 220 : 20, 20], to: folder)
    }
    for place in 0..<backgrounds {
      _ = try write(
        "table/\(place).png", [20, UInt8(10 * place), 180], to: folder, side: 40)
    }
    return try StarterSet(
      starters: folder.path("cards"), backgrounds: backgrounds > 0 ? folder.path("table") : nil)
  }

  private func options(_ steps: Int, batch: Int = 4) -> TrainingOptions {
    var options = TrainingOptions(threads: 1)
    options.length = .steps(steps)
    (options.seed, options.batch, options.size) = (7, batch, SmallDetector.side)
    return options
  }

  // MARK: Reading

  @Test("Classes are names of files and folders")
  func classes() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for name in ["king/front.png", "king/old/back.png", "ace of spades.png"] {
      _ = try write("cards/\(name)", [9, 9, 9], to: folder)
    }
    _ = try folder.write("cards/notes.txt", Array("no picture".utf8))
    let set = try StarterSet(starters: folder.path("cards"), backgrounds: nil)
    #expect(set.labels == ["ace of spades", "king"])
    #expect(set.starters.map(\.label) == [0, 1, 1] && set.backgrounds.isEmpty)
    let one = try StarterSet(
      starters: folder.path("cards/ace of spades.png"), backgrounds: folder.path("cards/king"))
    #expect(one.labels == ["ace of spades"] && one.backgrounds.count == 2)
  }

  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = try #require(throws: TrainingError.self) { try body() }
    #expect(error.code == .unsuitablePictures)
    return error.message
  }

  @Test("What cannot be a starter is named, with what to do")
  func refusals() throws {
    let detector = try SmallDetector()
    let folder = detector.folder
    defer { folder.remove() }
    func read(_ path: String, _ backgrounds: String? = nil) throws -> String {
      try refusal {
        let set = try StarterSet(
          starters: folder.path(path), backgrounds: backgrounds.map(folder.path))
        _ = try DetectorTrainer(starters: set, startingFrom: detector.path, options: options(1))
      }
    }
    _ = try folder.write("empty/notes.txt", Array("no picture".utf8))
    #expect(try read("empty").contains("holds no pictures"))
    #expect(try read("none").contains("none"))
    _ = try write("small/dot.png", [9, 9, 9], to: folder, side: 9)
    #expect(try read("small").contains("dot.png: has 9 x 9 pixels"))
    _ = try write("twice/king.png", [9, 9, 9], to: folder)
    _ = try write("twice/King.jpg", [9, 9, 9], to: folder)
    #expect(try read("twice").contains("folder of its name"))
    _ = try write("both/king.png", [9, 9, 9], to: folder)
    _ = try write("both/king/back.png", [9, 9, 9], to: folder)
    #expect(try read("both").contains("starters of one name"))
    _ = try write("cut/a.png", [9, 9, 9], to: folder)
    _ = try folder.write("cut/b.png", Array("no picture".utf8))
    #expect(try read("cut").contains("cut/b.png: cannot be read"))
    #expect(try read("both/king", "both").contains("is a starter"))
    #expect(try read("both/king", "empty").contains("holds no pictures"))
    for labels in [[], ["king", "ace"]] {
      let set = StarterSet(
        labels: labels, starters: [.init(path: "king.png", label: 0)], backgrounds: [])
      let words = try refusal {
        _ = try DetectorTrainer(starters: set, startingFrom: detector.path, options: options(1))
      }
      #expect(words.contains("1 starters of \(labels.count) classes"))
    }
  }

  // MARK: Composing

  @Test("Boxes surround what is seen of starters")
  func boxes() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let set = try starters(in: detector.folder, ["red"])
    let trainer = try DetectorTrainer(
      starters: set, startingFrom: detector.path, options: options(1, batch: 60))
    var compared = 0
    for view in try trainer.firstViews() {
      // Backgrounds, and so what covers starters, are blue.
      let seen = (0..<view.width * view.height).filter {
        let (red, blue) = (Int(view.rgb[3 * $0]), Int(view.rgb[3 * $0 + 2]))
        return red > blue + 8
      }
      guard !view.objects.isEmpty, !seen.isEmpty else {
        #expect(view.objects.isEmpty || seen.isEmpty)
        continue
      }
      compared += 1
      let (columns, rows) = (seen.map { $0 % view.width }, seen.map { $0 / view.width })
      let edges = [
        (view.objects.map(\.x).min()!, columns.min()!, view.width),
        (view.objects.map { $0.x + $0.width }.max()!, columns.max()! + 1, view.width),
        (view.objects.map(\.y).min()!, rows.min()!, view.height),
        (view.objects.map { $0.y + $0.height }.max()!, rows.max()! + 1, view.height),
      ]
      for (edge, pixel, side) in edges {
        #expect(abs(edge * Double(side) - Double(pixel)) <= 2)
      }
    }
    #expect(compared > 40)
  }

  @Test("Transparent pixels are not pasted")
  func transparency() throws {
    let detector = try SmallDetector()
    let folder = detector.folder
    defer { folder.remove() }
    _ = try starters(in: folder, [])
    // A red disk, and green around it that is transparent.
    let side = 48
    let pixels = (0..<side * side).flatMap { place -> [UInt8] in
      let (x, y) = (place % side - 24, place / side - 24)
      return x * x + y * y < 400 ? [230, 20, 20, 255] : [0, 255, 0, 0]
    }
    let path = try folder.write(
      "disk.png", UncompressedPNG.encode(width: side, height: side, pixels: pixels, channels: 4))
    let set = try StarterSet(starters: path, backgrounds: folder.path("table"))
    let trainer = try DetectorTrainer(
      starters: set, startingFrom: detector.path, options: options(1, batch: 30))
    var objects = 0
    for view in try trainer.firstViews() {
      objects += view.objects.count { $0.weight > 0 }
      for pixel in 0..<view.width * view.height {
        let (red, green, blue) = (
          Int(view.rgb[3 * pixel]), Int(view.rgb[3 * pixel + 1]), Int(view.rgb[3 * pixel + 2])
        )
        if green > max(red, blue) + 8 { Issue.record("green is seen") }
      }
    }
    #expect(objects > 15)
  }

  @Test("Sheets are seen as a camera sees them")
  func poses() {
    func isNear(_ corners: [SIMD2<Double>], _ expected: [SIMD2<Double>]) -> Bool {
      zip(corners, expected).allSatisfy { abs($0.x - $1.x) < 1e-9 && abs($0.y - $1.y) < 1e-9 }
    }
    var pose = SheetPose()
    let upright = [SIMD2(-0.5, -0.25), SIMD2(0.5, -0.25), SIMD2(0.5, 0.25), SIMD2(-0.5, 0.25)]
    #expect(isNear(pose.corners(width: 80, height: 40), upright))
    // A quarter clockwise: the upper left corner comes to the upper right.
    pose.roll = .pi / 2
    #expect(
      isNear(
        pose.corners(width: 80, height: 40), upright.map { SIMD2(-$0.y, $0.x) }))
    // Turned away by 60 degrees, 2 diagonals from the camera. Of a square of 1 by 1, an edge is
    // 1 / 2 * sin(60) = 0.433 nearer or farther than 2.828, so edges have the ratio 3.261 / 2.395.
    pose = SheetPose(yaw: .pi / 3, pitch: 0, roll: 0, distance: 2)
    let square = pose.corners(width: 10, height: 10)
    let (left, right) = (square[3].y - square[0].y, square[2].y - square[1].y)
    let depth = 0.5 * 3.0.squareRoot() / 2, away = 2 * 2.0.squareRoot()
    #expect(abs(left / right - (away + depth) / (away - depth)) < 1e-9)
    // Both edges come a quarter of a side near the middle, before they are drawn larger or smaller.
    let across = 0.25 * away / (away - depth) + 0.25 * away / (away + depth)
    let down = away / (away - depth)
    #expect(abs((square[1].x - square[0].x) / left - across / down) < 1e-9)
  }

  // MARK: Running

  private func bytes(
    _ detector: SmallDetector, _ set: StarterSet, stopsAt stop: Int? = nil
  ) throws -> [UInt8] {
    let state = detector.folder.path("state.fovt")
    if let stop {
      let first = try DetectorTrainer(
        starters: set, startingFrom: detector.path, options: options(4))
      #expect(throws: TrainingError.self) {
        _ = try first.run(checkpoint: state) { $0.step < stop }
      }
    }
    let trainer = try DetectorTrainer(
      starters: set, startingFrom: detector.path, options: options(4))
    #expect(trainer.measuredCount == 60 && trainer.measuresComposed)
    if stop != nil { try trainer.resume(from: state) }
    let result = try trainer.run { _ in true }
    #expect(result.score != nil)
    return try trainer.files(of: result, isPackage: false).model
  }

  @Test("The same steps give the same bytes, also in two parts")
  func repeats() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let set = try starters(in: detector.folder)
    let whole = try bytes(detector, set)
    #expect(try bytes(detector, set, stopsAt: 2) == whole)
  }

  /// The judge are pictures that are drawn in another way. A network of a few thousand random weights
  /// finds next to nothing before.
  @Test(
    "Starters alone teach to find things",
    .enabled(if: BuildConfiguration.isSwiftOptimized, "only by Scripts/test thorough optimized"))
  func learns() throws {
    let detector = try SmallDetector()
    let folder = detector.folder
    defer { folder.remove() }
    for (name, color, width) in [("square", [230, 60, 60], 24), ("wide", [230, 220, 60], 36)] {
      let pixels = (0..<24 * width).flatMap { _ in color.map(UInt8.init) }
      _ = try folder.write(
        "cards/\(name).png", UncompressedPNG.encode(width: width, height: 24, pixels: pixels))
    }
    for place in 0..<8 {
      let pixels = (0..<64 * 64 * 3).map { UInt8(20 + ($0 * 53 + place * 17) % (60 + 9 * place)) }
      _ = try folder.write(
        "table/\(place).png", UncompressedPNG.encode(width: 64, height: 64, pixels: pixels))
    }
    let set = try StarterSet(
      starters: folder.path("cards"), backgrounds: folder.path("table"))
    var options = options(400, batch: 8)
    options.rate = 0.01
    let trainer = try DetectorTrainer(
      starters: set, validation: detector.set(), startingFrom: detector.path, options: options)
    let score = try #require(try trainer.run { _ in true }.score)
    #expect(score.averagePrecision50 > 0.1)
  }

  @Test("One starter, and backgrounds that are drawn")
  func oneStarter() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let set = try starters(in: detector.folder, ["red"], backgrounds: 0)
    let labeled = TrainingSet(
      labels: ["red"],
      pictures: [
        .init(
          path: try detector.set(count: 1).pictures[0].path,
          objects: [.init(label: 0, x: 0.1, y: 0.1, width: 0.3, height: 0.3)])
      ])
    let trainer = try DetectorTrainer(
      starters: set, validation: labeled, startingFrom: detector.path, options: options(2))
    #expect(trainer.measuredCount == 1 && !trainer.measuresComposed && trainer.isComposing)
    let result = try trainer.run { _ in true }
    #expect(result.labels == ["red"] && result.score != nil)
    // Views differ, and so do their backgrounds.
    let views = try trainer.firstViews()
    #expect(Set(views.map(\.rgb)).count == views.count)
    var other = labeled
    other.labels = ["blue"]
    let words = try refusal {
      _ = try DetectorTrainer(
        starters: set, validation: other, startingFrom: detector.path, options: options(1))
    }
    #expect(words.contains("blue"))
  }
}
