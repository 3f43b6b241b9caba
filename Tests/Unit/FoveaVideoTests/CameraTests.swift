// Fovea - tests of reading cameras, on one that is not there.
// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import FoveaGeometry
  import FoveaLibc
  import FoveaVideo
  import Testing

  @Suite("Cameras")
  struct CameraTests {
    /// A camera of 4 x 2 pixels, whose luma counts up and whose chroma is neutral.
    private func behavior(_ change: (inout FakeCamera.Behavior) -> Void = { _ in })
      -> FakeCamera.Behavior
    {
      var behavior = FakeCamera.Behavior()
      behavior.agreed = ("YUYV", 4, 2)
      behavior.content = (0..<16).map { $0 % 2 == 0 ? UInt8(16 + $0) : 128 }
      change(&behavior)
      return behavior
    }

    private func options() -> VideoOptions {
      var options = VideoOptions()
      options.limits.readingSeconds = 0.3
      options.cameraSize = ImageSize(width: 640, height: 480)
      return options
    }

    private func reader(_ behavior: FakeCamera.Behavior) throws -> CameraReader {
      try CameraReader("/dev/video9", options(), FakeCamera(behavior).system)
    }

    private func reason(_ behavior: FakeCamera.Behavior) -> VideoError.Reason? {
      do {
        let reader = try reader(behavior)
        while try reader.next() != nil {}
        return nil
      } catch let error as VideoError {
        #expect(error.source == "/dev/video9")
        return error.reason
      } catch {
        return nil
      }
    }

    @Test func picturesAreReadWhereTheyLie() throws {
      let camera = FakeCamera(behavior())
      var held: [VideoFrame] = []
      do {
        let reader = try CameraReader("/dev/video9", options(), camera.system)
        #expect(reader.description.size == ImageSize(width: 4, height: 2))
        for index in 0..<20 {
          let frame = try #require(try reader.next())
          #expect(frame.index == index)
          let rgb = ReferenceColors().rgb(of: frame)
          #expect(rgb.prefix(6) == [0, 0, 0, 2, 2, 2])
          held.append(frame)
          // Some are held longer than the driver has buffers.
          if held.count > 6 { held.removeFirst(3) }
        }
      }
      #expect(camera.state.withLock { !$0.isStreaming })
      // What is held keeps its memory.
      #expect(ReferenceColors().rgb(of: held[0]).count == 24)
      held = []
      #expect(camera.state.withLock { !$0.isOpen && $0.memory.isEmpty })
    }

    @Test(arguments: [
      "YUYV", "UYVY", "YVYU", "NV12", "NV21", "YU12", "YV12", "GREY", "RGB3", "BGR3",
    ])
    func formats(name: String) throws {
      // Everything is of level 128: gray whatever the order.
      let reader = try reader(
        behavior {
          $0.formats = ["XXXX", name]
          $0.agreed = (name, 6, 4)
          $0.content = [UInt8](repeating: 128, count: 100)
        })
      let rgb = ReferenceColors().rgb(of: try #require(try reader.next()))
      #expect(Set(rgb).count == 1)
      #expect(rgb.count == 72)
    }

    @Test func whatIsNoCamera() {
      func words(_ change: (inout FakeCamera.Behavior) -> Void) -> String {
        if case .camera(let words) = reason(behavior(change)) { return words }
        return ""
      }
      #expect(words { $0.capabilities = 0x0400_0000 } == "the device takes no pictures")
      #expect(words { $0.capabilities = 1 } == "the device does not stream")
      #expect(words { $0.formats = ["XXXX"] } == "the camera offers no format that is read")
      #expect(words { $0.buffers = 0 } == "the camera gives 0 buffers")
      #expect(words { $0.buffers = 1000 } == "the camera gives 1000 buffers")
      #expect(words { $0.agreed = ("YUYV", 0, 2) }.contains("cannot be read"))
      #expect(words { $0.agreed = ("YUYV", .max, .max) }.contains("cannot be read"))
      #expect(words { $0.agreed = ("XXXX", 4, 2) }.contains("cannot be read"))
      #expect(words { $0.rowBytes = 3 }.contains("cannot be read"))
      #expect(words { $0.pictures = [.ofBuffer(9)] }.contains("names buffer 9"))
      for request in [0, 5, 8, 9, 15, 18] as [UInt] {
        #expect(words { $0.refused = [request] }.hasPrefix("the camera does not"))
      }
    }

    @Test func picturesThatAreBroken() throws {
      let reader = try reader(
        behavior {
          $0.pictures = [
            .bytes(nil), .flaggedAsBroken, .bytes(0), .bytes(15), .failure(EAGAIN),
            .failure(EIO), .bytes(nil), .failure(ENODEV),
          ]
        })
      #expect(try reader.next() != nil)
      #expect(try reader.next() != nil)
      #expect(reader.damage.lostPictures == 4)
      do {
        _ = try reader.next()
        Issue.record("an unplugged camera goes on")
      } catch {
        #expect((error as VideoError).reason == .camera("the camera was unplugged"))
      }
    }

    @Test func camerasThatGiveNothing() {
      #expect(reason(behavior { $0.pictures = [.notReady] }) == .timedOut(seconds: 0.3))
      if case .unreadable = reason(behavior { $0.pictures = [.failure(EIO)] }) {
      } else {
        Issue.record("a camera that fails for ever goes on")
      }
    }

    @Test func fewBuffersAreCopied() throws {
      let reader = try reader(behavior { $0.buffers = 1 })
      let first = try #require(try reader.next())
      let second = try #require(try reader.next())
      #expect(ReferenceColors().rgb(of: first) == ReferenceColors().rgb(of: second))
    }

    @Test func devicesThatAreMissing() {
      do {
        _ = try VideoSource(named: "camera:97").open()
        Issue.record("there is a camera")
      } catch {
        #expect(error.reason == .missing)
        #expect(error.source == "/dev/video97")
      }
    }
  }
#endif
