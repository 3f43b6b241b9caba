// Fovea - tests of images, colors and views, written as programs for phones are.
// SPDX-License-Identifier: Apache-2.0
import Testing
import UIKit

@Suite("Images, colors and views") struct UIKitTests {
  /// Red left, blue right, in rows of `width` pixels.
  private func halves(_ width: CGFloat, _ height: CGFloat) -> UIImage {
    UIGraphicsImageRenderer(size: CGSize(width: width, height: height)).image { context in
      UIColor.red.setFill()
      context.fill(CGRect(x: 0, y: 0, width: width / 2, height: height))
      context.cgContext.setFillColor(UIColor.blue.cgColor)
      context.cgContext.fill(CGRect(x: width / 2, y: 0, width: width / 2, height: height))
    }
  }

  private func pixels(_ image: UIImage?) throws -> LayerPixels {
    let layer = CALayer()
    let picture = try #require(image?.cgImage)
    layer.frame = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
    layer.contents = picture
    return try LayerPixels(layer, width: picture.width, height: picture.height)
  }

  @Test("Points count from the top, and pictures in pictures stand upright") func drawing() throws {
    UIGraphicsBeginImageContextWithOptions(CGSize(width: 8, height: 4), false, 0)
    let context = try #require(UIGraphicsGetCurrentContext())
    UIColor.green.set()
    UIRectFill(CGRect(x: 0, y: 0, width: 8, height: 1))
    halves(4, 2).draw(in: CGRect(x: 2, y: 2, width: 4, height: 2))
    context.setStrokeColor(UIColor.white.cgColor)
    context.stroke(CGRect(x: 0.5, y: 1.5, width: 1, height: 2), width: 1)
    let image = UIGraphicsGetImageFromCurrentImageContext()
    UIGraphicsEndImageContext()
    #expect(UIGraphicsGetCurrentContext() == nil)
    let shown = try pixels(image)
    #expect(shown[7, 0] == [0, 255, 0, 255] && shown[7, 1] == [0, 0, 0, 0])
    #expect(shown.places(of: [255, 0, 0, 255])[3] == "..##....")
    #expect(shown.places(of: [0, 0, 255, 255])[2] == "....##..")
    #expect(shown[0, 3] == [255, 255, 255, 255])
  }

  @Test("The eight orientations show the same upright picture") func orientations() throws {
    // Four colors in the corners of a picture of 3 x 2.
    let upright = UIGraphicsImageRenderer(size: CGSize(width: 3, height: 2)).image { context in
      for (index, color) in [UIColor.red, .green, .blue, .white].enumerated() {
        color.setFill()
        context.fill(CGRect(x: index % 2 * 2, y: index / 2, width: 1, height: 1))
      }
    }
    let expected = try pixels(upright).samples
    let stored = try #require(CIImage(image: upright))
    let inverses: [(UIImage.Orientation, CGImagePropertyOrientation)] = [
      (.up, .up), (.down, .down), (.left, .right), (.right, .left), (.upMirrored, .upMirrored),
      (.downMirrored, .downMirrored), (.leftMirrored, .leftMirrored),
      (.rightMirrored, .rightMirrored),
    ]
    for (orientation, inverse) in inverses {
      let turned = stored.oriented(inverse)
      let picture = try #require(CIContext().createCGImage(turned, from: turned.extent))
      let image = UIImage(cgImage: picture, scale: 1, orientation: orientation)
      #expect(image.size == CGSize(width: 3, height: 2))
      let drawn = UIGraphicsImageRenderer(size: image.size).image { _ in image.draw(at: .zero) }
      #expect(try pixels(drawn).samples == expected, "\(orientation)")
    }
  }

  @Test("Files keep what is drawn") func files() throws {
    let image = halves(6, 4)
    let data = try #require(image.pngData())
    let again = try #require(UIImage(data: data))
    #expect(again.size == CGSize(width: 6, height: 4) && again.imageOrientation == .up)
    #expect(try pixels(again).samples == pixels(image).samples)
    #expect(UIImage(data: Data([1, 2, 3])) == nil)
    #expect(UIImage(named: "no such picture") == nil)
    #expect(UIImage(contentsOfFile: "/no/such/picture.png") == nil)
    let jpeg = try #require(image.jpegData(compressionQuality: 0.8))
    #expect(UIImage(data: jpeg)?.cgImage?.width == 6)
    let part = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 5, height: 7))
    #expect(UIImage(ciImage: part).size.height == 7)
    let format = UIGraphicsImageRendererFormat()
    format.scale = 3
    let large = UIGraphicsImageRenderer(size: CGSize(width: 2, height: 2), format: format)
      .image { $0.fill(CGRect(x: 0, y: 0, width: 1, height: 2)) }
    #expect(large.size.width == 2 && large.cgImage?.width == 6 && large.scale == 3)
  }

  @Test("Colors are numbers") func colors() {
    #expect(UIColor.red == UIColor(red: 1, green: 0, blue: 0, alpha: 1))
    #expect(UIColor(hue: 1 / 3, saturation: 1, brightness: 1, alpha: 1) == .green)
    #expect(UIColor.red.withAlphaComponent(0.5).cgColor.alpha == 0.5)
    var (hue, saturation, brightness, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    UIColor(red: 0.25, green: 0.5, blue: 0.5, alpha: 0.2).getHue(
      &hue, saturation: &saturation, brightness: &brightness, alpha: &alpha)
    #expect(hue == 0.5 && saturation == 0.5 && brightness == 0.5 && alpha == 0.2)
  }

  @Test("The attributes of letters are those of a layer's properties") func attributes() throws {
    let (styled, plain) = (CATextLayer(), CATextLayer())
    for layer in [styled, plain] { layer.frame = CGRect(x: 0, y: 0, width: 90, height: 40) }
    let font = try #require(UIFont(name: "Helvetica-Bold", size: 24))
    let attributes: [NSAttributedString.Key: Any] = [
      .font: font, .foregroundColor: UIColor.red,
    ]
    styled.string = NSAttributedString(string: "dog", attributes: attributes)
    plain.string = "dog"
    (plain.font, plain.fontSize, plain.foregroundColor) = (font, 24, UIColor.red.cgColor)
    let pixels = try LayerPixels(styled, width: 90, height: 40)
    #expect(pixels.alpha > 50)
    #expect(try pixels.samples == LayerPixels(plain, width: 90, height: 40).samples)
    let size = "dog".size(withAttributes: attributes)
    let drawn = UIGraphicsImageRenderer(size: CGSize(width: 90, height: 40)).image { _ in
      "dog".draw(at: .zero, withAttributes: attributes)
    }
    #expect(try self.pixels(drawn).samples == pixels.samples)
    let columns = try #require(pixels.touched).columns
    #expect(columns.count <= Int(size.width) + 1 && columns.count > Int(size.width) - 6)
    let box = "dog".boundingRect(
      with: CGSize(width: 400, height: 100), options: .truncatesLastVisibleLine,
      attributes: attributes, context: nil)
    #expect(box.size == size)
  }

  @MainActor final class Gauge: UIView {
    override func draw(_ rect: CGRect) {
      let path = UIBezierPath(rect: CGRect(x: 0, y: 0, width: rect.width / 2, height: rect.height))
      UIColor.red.setFill()
      path.fill()
    }
  }

  @Test("Views draw themselves and what is in them") @MainActor func views() throws {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 80, height: 30))
    root.backgroundColor = .white
    let gauge = Gauge(frame: CGRect(x: 10, y: 5, width: 8, height: 2))
    let picture = UIImageView(image: halves(4, 4))
    picture.frame.origin = CGPoint(x: 30, y: 0)
    let label = UILabel(frame: CGRect(x: 0, y: 10, width: 80, height: 20))
    label.text = "dog"
    label.font = UIFont.boldSystemFont(ofSize: 12)
    label.textColor = UIColor.blue
    label.textAlignment = .right
    for view in [gauge, picture, label] { root.addSubview(view) }
    let shown = try LayerPixels(root.layer, width: 80, height: 30)
    #expect(shown[13, 6] == [255, 0, 0, 255] && shown[14, 6] == [255, 255, 255, 255])
    #expect(shown[31, 3] == [255, 0, 0, 255] && shown[32, 3] == [0, 0, 255, 255])
    let letters = shown.samples.indices.filter {
      shown.samples[$0] != [255, 255, 255, 255] && $0 / 80 >= 10
    }
    #expect(letters.allSatisfy { $0 % 80 > 45 } && letters.count > 40)
    #expect(letters.allSatisfy { (12...26).contains($0 / 80) })
    gauge.removeFromSuperview()
    #expect(root.subviews == [picture, label] && root.layer.sublayers?.count == 2)
    root.autoresizesWhole(picture)
    #expect(picture.frame.width == 14)
    #expect(root.hitView(CGPoint(x: 1, y: 1)) === root.layer)
  }

  @MainActor final class Controller: UIViewController {
    var calls: [String] = []
    let outline = CALayer()

    override func viewDidLoad() {
      super.viewDidLoad()
      calls.append("load")
      view.layer.addSublayer(outline)
    }

    override func viewWillAppear(_ animated: Bool) { calls.append("appear") }

    override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      outline.frame = view.bounds
      calls.append("layout")
    }

    override func willTransition(
      to newCollection: UITraitCollection,
      with coordinator: UIViewControllerTransitionCoordinator
    ) {
      super.willTransition(to: newCollection, with: coordinator)
      coordinator.animate(alongsideTransition: nil) { _ in self.calls.append("turned") }
    }
  }

  @Test("Controllers load their views once, and are told what happens") @MainActor
  func controllers() {
    let controller = Controller()
    #expect(!controller.isViewLoaded)
    let navigation = UINavigationController(rootViewController: controller)
    #expect(controller.navigationController === navigation)
    controller.loadViewIfNeeded()
    #expect(controller.view.frame == UIScreen.main.bounds)
    let window = UIWindow(frame: UIScreen.main.bounds)
    window.rootViewController = controller
    window.makeKeyAndVisible()
    #expect(controller.calls.prefix(3) == ["load", "appear", "layout"])
    #expect(controller.outline.frame.size == UIScreen.main.bounds.size)
    controller.willTransition(to: UITraitCollection(), with: ImmediateTransition())
    #expect(controller.calls.last == "turned")
    let other = UIViewController()
    controller.present(other, animated: true) { controller.calls.append("shown") }
    #expect(controller.presentedViewController === other && controller.calls.last == "shown")
    other.dismiss(animated: true, completion: nil)
    #expect(controller.presentedViewController == nil)
  }
}

extension UIView {
  @MainActor fileprivate func autoresizesWhole(_ view: UIView) {
    view.autoresizingMask = [.flexibleWidth]
    bounds.size.width += 10
  }

  @MainActor fileprivate func hitView(_ point: CGPoint) -> CALayer? { layer.hitTest(point) }
}
