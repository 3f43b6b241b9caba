// Fovea - the functions of fovea_video.h.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase
internal import FoveaVideo
internal import FoveaVision
public import CFovea.Detect

/// See fovea_video.h.
@c @implementation public func fovea_video_options_init(
  _ options: UnsafeMutablePointer<fovea_video_options>!, _ size: Int
) {
  CallerMemory.fill(options, size: size, with: VideoOpening.defaults)
}

/// See fovea_video.h.
@c @implementation public func fovea_video_open(
  _ model: OpaquePointer!, _ source: UnsafePointer<CChar>!,
  _ look: UnsafePointer<fovea_detect_options>!, _ options: UnsafePointer<fovea_video_options>!,
  _ out_video: UnsafeMutablePointer<OpaquePointer?>!, _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let target = try CallerMemory.target(out_video, "out_video")
    let (model, engine) = try HandleTable.shared.model(model)
    let look = Look(model: model, engine: engine, options: try LookingOptions(look))
    var opening = try VideoOpening(options)
    opening.turn(look.options.orientation)
    let request = try look.detection().request
    let name = try CallerMemory.text(source, "source")
    let place: VideoSource
    do throws(VideoError) {
      place = try VideoSource(named: name)
    } catch {
      throw CallFailure(error)
    }
    target.pointee = HandleTable.shared.insert(
      try OpenVideo(place, request, opening, model.description))
  }
}

/// See fovea_video.h.
@c @implementation public func fovea_video_close(_ video: OpaquePointer!) {
  let open: OpenVideo? = HandleTable.shared.object(video)
  open?.close()
  HandleTable.shared.remove(video, OpenVideo.self)
}

/// See fovea_video.h.
@c @implementation public func fovea_video_wait(
  _ video: OpaquePointer!, _ seconds: Double, _ out_is_ready: UnsafeMutablePointer<Int32>!,
  _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    guard let out_is_ready else {
      throw .invalid("out_is_ready is NULL; give the address of a variable")
    }
    out_is_ready.pointee = 0
    guard let open: OpenVideo = HandleTable.shared.object(video) else {
      throw .closed(video, "video")
    }
    guard seconds >= 0, seconds <= OpenVideo.longestWait else {
      throw .invalid("seconds is \(seconds); expected 0 to \(Int(OpenVideo.longestWait))")
    }
    out_is_ready.pointee = try open.waitUntilReady(seconds: seconds) ? 1 : 0
  }
}

/// See fovea_video.h.
@c @implementation public func fovea_video_next(
  _ video: OpaquePointer!, _ out_result: UnsafeMutablePointer<OpaquePointer?>!,
  _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let target = try CallerMemory.target(out_result, "out_result")
    guard let open: OpenVideo = HandleTable.shared.object(video) else {
      throw .closed(video, "video")
    }
    if let result = try open.next() { target.pointee = HandleTable.shared.insert(result) }
  }
}

// MARK: What was found

/// See fovea_video.h.
@c @implementation public func fovea_result_copy_picture(
  _ result: OpaquePointer!, _ out_picture: UnsafeMutablePointer<OpaquePointer?>!,
  _ out_message: OutMessage!
) -> fovea_status {
  answer(out_message) { () throws(CallFailure) in
    let target = try CallerMemory.target(out_picture, "out_picture")
    guard let found = found(result) else { throw .closed(result, "result") }
    guard let video = found.video else {
      throw .invalid("the result is of no video; open its picture with fovea_picture_open")
    }
    target.pointee = HandleTable.shared.insert(try DecodedImage(video))
  }
}

/// See fovea_video.h.
@c @implementation public func fovea_result_frame(
  _ result: OpaquePointer!
) -> UnsafePointer<fovea_frame>! {
  found(result)?.frame.map { UnsafePointer($0) }
}

/// See fovea_video.h.
@c @implementation public func fovea_result_track_count(_ result: OpaquePointer!) -> Int {
  found(result)?.tracks.count ?? 0
}

/// See fovea_video.h.
@c @implementation public func fovea_result_track(
  _ result: OpaquePointer!, _ index: Int
) -> UnsafePointer<fovea_track>! {
  found(result)?.tracks[index]
}

extension fovea_frame {
  /// What a result says about its picture.
  init(_ result: VideoResult) {
    self.init()
    size = MemoryLayout<Self>.size
    index = Int64(result.index)
    (time, stated_time) = (result.time, result.statedTime ?? .nan)
    (age, latency) = (result.age, result.latency)
    is_time_estimated = result.isTimeEstimated ? 1 : 0
    is_late = result.isLate ? 1 : 0
    is_damaged = result.isDamaged ? 1 : 0
    let counts = result.counts
    (decoded, taken) = (Int64(counts.decoded), Int64(counts.taken))
    (dropped, late) = (Int64(counts.dropped), Int64(counts.late))
    (damaged, lost) = (Int64(counts.damaged), Int64(counts.lost))
    (passed_errors, reconnects) = (Int64(counts.passedErrors), Int64(counts.reconnects))
  }
}
