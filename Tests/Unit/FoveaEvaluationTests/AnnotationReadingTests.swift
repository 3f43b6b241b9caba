// Fovea - tests of the readers of annotations, results and labels.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaTestSupport
import Testing

@Suite struct AnnotationReadingTests {
  static func instances(_ annotations: String) throws -> CocoInstances {
    try CocoInstances(
      json: Array(
        """
        {"info":{"a":[1,{"b":null}]},"annotations":[\(annotations)],
         "categories":[{"id":90,"name":"toothbrush","supercategory":"x"},{"id":0}],
         "images":[{"id":7,"width":640,"height":480,"file_name":"7.jpg"},{"id":3,"width":null}]}
        """.utf8), name: "a.json")
  }

  @Test func annotationsKeepWhatCounts() throws {
    let read = try Self.instances(
      """
      {"image_id":7,"category_id":90,"bbox":[1,2,3,4],"segmentation":[[1,2,3,4]],"id":5},
      {"id":0,"image_id":3,"category_id":0,"bbox":[0.5,1,2,2.5],"area":4,"iscrowd":1},
      {"id":6,"image_id":7,"category_id":0,"bbox":[9,9,9,9],"area":null,"iscrowd":false}
      """)
    #expect(read.images.map(\.id) == [3, 7] && read.images[1].fileName == "7.jpg")
    #expect(read.images[0].width == nil && read.images[1].height == 480)
    #expect(read.categories == [.init(id: 0, name: nil), .init(id: 90, name: "toothbrush")])
    #expect(read.hasAnnotationZero && read.objectCount == 3)
    #expect(
      read.objects(inImage: 3) == [
        GroundTruthObject(
          category: 0, box: PixelBox(x: 0.5, y: 1, width: 2, height: 2.5), area: 4, isCrowd: true,
          annotation: 0)
      ])
    #expect(read.objects(inImage: 7).map(\.area) == [12, 81])
    #expect(read.objects(inImage: 8) == [])
  }

  @Test func wrongAnnotationsAreRefused() {
    for wrong in [
      "{}", "1", "null", #"{"image_id":7,"category_id":0}"#,
      #"{"image_id":7,"category_id":0,"bbox":[]}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3]}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3,4,5]}"#,
      #"{"image_id":"7","category_id":0,"bbox":[1,2,3,4]}"#,
      #"{"image_id":7.5,"category_id":0,"bbox":[1,2,3,4]}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3,1e999]}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3,NaN]}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3,4],"iscrowd":2}"#,
      #"{"image_id":7,"category_id":0,"bbox":[1,2,3,4],"area":"12"}"#,
    ] {
      #expect { try Self.instances(wrong) } throws: { error in
        guard case EvaluationError.malformed("a.json", .byte, _) = error else { return false }
        return true
      }
    }
    let twice = #"{"id":4,"image_id":7,"category_id":0,"bbox":[1,2,3,4]}"#
    #expect(
      throws: EvaluationError.inconsistent(
        path: "a.json", reason: "two annotations have the id 4")
    ) { try Self.instances(twice + "," + twice) }
  }

  @Test func filesThatAreNoAnnotationsSayWhatIsMissing() throws {
    func message(_ text: String) -> String {
      do throws(EvaluationError) {
        _ = try CocoInstances(json: Array(text.utf8))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(message(#"{"images":[],"annotations":[]}"#).contains("no 'categories'"))
    #expect(message("[]").contains("expected an object"))
    #expect(message(#"{"images":[],"images":[]}"#).contains("'images' stands there twice"))
    let missing = "there is no such file; check the path"
    #expect(throws: EvaluationError.unreadable(path: "/none", reason: missing)) {
      try CocoInstances(contentsOf: "/none")
    }
    #expect(throws: EvaluationError.unreadable(path: "/", reason: "is a folder; name a file")) {
      try CocoResults(contentsOf: "/")
    }
  }

  @Test func resultsKeepTheirOrder() throws {
    let text = """
      [{"image_id":7,"category_id":1,"bbox":[1,2,3,4],"score":0.5,"segmentation":[[1,2,3,4,1,4]]},
       {"score":1,"bbox":[5,6,7,8],"category_id":2,"image_id":3},
       {"image_id":7,"category_id":3,"bbox":[9,9,9,9],"score":0.75}]
      """
    let results = try CocoResults(json: Array(text.utf8))
    #expect(results.images == [3, 7] && results.count == 3)
    #expect(results.leavesOutlinesOut && results.shapes.isEmpty)
    #expect(results.detections(inImage: 7).map(\.category) == [1, 3])
    #expect(
      results.detections(inImage: 3) == [
        DetectedObject(category: 2, box: PixelBox(x: 5, y: 6, width: 7, height: 8), score: 1)
      ])
    for wrong in [
      "{}", "[1]", "[{}]", "[[]]", #"[{"image_id":7,"category_id":1,"bbox":[1,2,3,4]}]"#,
      #"[{"image_id":7,"category_id":1,"bbox":[1,2,3,4],"score":1,"segmentation":{"size":[1]}}]"#,
    ] {
      #expect(throws: EvaluationError.self) { try CocoResults(json: Array(wrong.utf8)) }
    }
    #expect(try CocoResults(json: Array("[]".utf8)).count == 0)
    // Image 3 is annotated, image 7 is not.
    let instances = try CocoInstances(
      json: Array(#"{"images":[{"id":3}],"annotations":[],"categories":[{"id":2}]}"#.utf8))
    #expect { try results.metrics(against: instances) } throws: { error in
      "\(error)".contains("detections in image 7")
    }
  }

  @Test func boxesOfNegativeSizeOverlapNothing() throws {
    let text = """
      {"images": [{"id": 1}], "categories": [{"id": 3}], "annotations": [
        {"image_id": 1, "category_id": 3, "bbox": [10, 10, -10, 4], "area": 40},
        {"image_id": 1, "category_id": 3, "bbox": [50, 50, 10, 4], "area": 40}]}
      """
    let instances = try CocoInstances(json: Array(text.utf8))
    let objects = instances.objects(inImage: 1)
    #expect(objects[0].box == PixelBox(x: 10, y: 10, width: -10, height: 4))
    var evaluator = AveragePrecisionEvaluator(categories: [3])
    try evaluator.add(
      image: 1, objects: objects,
      detections: objects.map { DetectedObject(category: 3, box: $0.box, score: $0.box.x) })
    // The better detection is right and the other one wrong: precision 1 up to a recall of a half, 51 of 101 points.
    let precision = try #require(evaluator.metrics().summary.averagePrecision)
    #expect(abs(precision - 51.0 / 101) < 1e-12)
  }

  @Test func classesFindTheirCategories() {
    let coco = [
      CocoInstances.Category(id: 1, name: "person"), .init(id: 4, name: "motorcycle"),
      .init(id: 64, name: "potted plant"), .init(id: 89, name: "hair drier"),
    ]
    let byName = CategoryMapping(
      labels: ["Person", "motorbike", "pottedplant", "hair_drier", "unicorn"], categories: coco)
    #expect(byName.rule == .name && byName.categories == [1, 4, 64, 89, nil])
    // Whatever ids are, and however they are ordered.
    let byPlace = CategoryMapping(labels: ["a", "b", "c", "d", "e"], categories: coco)
    #expect(byPlace.rule == .place && byPlace.categories == [1, 4, 64, 89, nil])
    let turned = CategoryMapping(
      labels: ["a", "b"], categories: [coco[3], .init(id: 0, name: nil)])
    #expect(turned.rule == .place && turned.categories == [89, 0])
  }
}
