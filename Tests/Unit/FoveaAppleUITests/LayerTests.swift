// Fovea - tests of trees of layers.
// SPDX-License-Identifier: Apache-2.0
import QuartzCore
import Testing

@Suite("Layers") struct LayerTests {
  @Test("A border lies within the bounds, above what is in the layer") func border() throws {
    let root = filled(0, 0, 8, 6, nil)
    let box = filled(1, 1, 6, 4, nil)
    box.borderWidth = 1
    box.borderColor = CGColor.init(red: 7.0, green: 0, blue: 0, alpha: 1.0)
    root.addSublayer(box)
    box.addSublayer(filled(0, 0, 6, 2, blue))
    let pixels = try LayerPixels(root, width: 8, height: 6)
    #expect(
      pixels.places(of: [255, 0, 0, 255]) == [
        "........", ".######.", ".#....#.", ".#....#.", ".######.", "........",
      ])
    #expect(pixels.places(of: [0, 0, 255, 255])[2] == "..####..")
    #expect(pixels[3, 3] == [0, 0, 0, 0])
  }

  @Test("Rounded corners cover what their circles do") func corners() throws {
    let layer = filled(0, 0, 60, 40, red)
    layer.cornerRadius = 10
    let whole = 60 * 40 - (4 - Double.pi) * 100
    #expect(abs(try LayerPixels(layer, width: 60, height: 40).alpha - whole) < 1)
    layer.maskedCorners = [.layerMinXMinYCorner]
    let pixels = try LayerPixels(layer, width: 60, height: 40)
    #expect(abs(pixels.alpha - (60 * 40 - (4 - Double.pi) * 25)) < 1)
    #expect(pixels[0, 0][3] == 0 && pixels[59, 0][3] == 255 && pixels[0, 39][3] == 255)
    layer.maskedCorners = [.layerMaxXMaxYCorner, .layerMinXMinYCorner]
    layer.backgroundColor = nil
    layer.borderWidth = 4
    let ring = whole + (4 - Double.pi) * 50 - (52 * 32 - (4 - Double.pi) * 18)
    #expect(abs(try LayerPixels(layer, width: 60, height: 40).alpha - ring) < 1)
  }

  @Test("Layers in turned and scaled layers lie where the maps say") func transforms() throws {
    let root = filled(0, 0, 12, 12, nil)
    // A quarter turn from x to y around its middle, (6, 6).
    let turned = filled(2, 4, 8, 4, green)
    turned.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
    root.addSublayer(turned)
    let child = filled(0, 0, 2, 1, red)
    turned.addSublayer(child)
    let pixels = try LayerPixels(root, width: 12, height: 12)
    // (x, y) of the layer becomes (8 - y, 2 + x).
    let expected = (0..<12).map { y in
      String((0..<12).map { x in (4..<8).contains(x) && (2..<10).contains(y) ? "#" : "." })
    }
    let drawn = zip(
      pixels.places(of: [0, 255, 0, 255]), pixels.places(of: [255, 0, 0, 255])
    ).map { String(zip($0, $1).map { $0 == "#" || $1 == "#" ? "#" : "." }) }
    #expect(drawn == expected)
    #expect(pixels[7, 2] == [255, 0, 0, 255] && pixels[7, 3] == [255, 0, 0, 255])
    #expect(pixels[7, 4] == [0, 255, 0, 255] && pixels[6, 2] == [0, 255, 0, 255])
    let frame = turned.frame
    #expect(abs(frame.minX - 4) < 1e-9 && abs(frame.height - 8) < 1e-9)
    let point = root.convert(CGPoint(x: 1, y: 0), from: child)
    #expect(abs(point.x - 8) < 1e-9 && abs(point.y - 3) < 1e-9)
    #expect(root.hitTest(CGPoint(x: 7.5, y: 2.5)) === child)
    #expect(root.hitTest(CGPoint(x: 4.5, y: 9.5)) === turned)
    #expect(root.hitTest(CGPoint(x: 1, y: 1)) === root)
    #expect(root.hitTest(CGPoint(x: 13, y: 1)) == nil)
  }

  @Test("A frame follows from bounds, position, anchor and transform") func frames() {
    let layer = CALayer()
    layer.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(layer.position == CGPoint(x: 25, y: 40))
    #expect(layer.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
    layer.anchorPoint = CGPoint(x: 0, y: 1)
    #expect(layer.frame == CGRect(x: 25, y: 0, width: 30, height: 40))
    layer.transform = CATransform3DMakeScale(2, 0.5, 1)
    #expect(layer.frame == CGRect(x: 25, y: 20, width: 60, height: 20))
    layer.frame = CGRect(x: 1, y: 2, width: 8, height: 8)
    #expect(layer.frame == CGRect(x: 1, y: 2, width: 8, height: 8))
    #expect(layer.bounds.size == CGSize(width: 4, height: 16))
    let turn = CATransform3DMakeRotation(.pi / 2, 0, 0, 1)
    let map = CATransform3DGetAffineTransform(CATransform3DTranslate(turn, 3, 1, 0))
    let moved = CGPoint(x: 1, y: 0).applying(map)
    #expect(abs(moved.x + 1) < 1e-9 && abs(moved.y - 4) < 1e-9)
  }

  @Test("Opacity and masks hold for a layer and all in it") func groups() throws {
    let root = filled(0, 0, 20, 10, nil)
    let pair = filled(0, 0, 20, 10, nil)
    pair.addSublayer(filled(0, 0, 12, 10, red))
    pair.addSublayer(filled(8, 0, 12, 10, blue))
    pair.opacity = 0.5
    root.addSublayer(pair)
    let half = try LayerPixels(root, width: 20, height: 10)
    #expect(half[0, 5] == [128, 0, 0, 128] && half[10, 5] == [0, 0, 128, 128])
    pair.opacity = 1
    let hole = CAShapeLayer()
    hole.frame = CGRect(x: 4, y: 0, width: 10, height: 10)
    hole.path = CGPath(rect: CGRect(x: 0, y: 2, width: 8, height: 4), transform: nil)
    hole.fillColor = CGColor(gray: 0, alpha: 1)
    pair.mask = hole
    let masked = try LayerPixels(root, width: 20, height: 10)
    #expect(masked.alpha == 32)
    #expect(masked.places(of: [255, 0, 0, 255])[2] == "....####............")
    #expect(masked.places(of: [0, 0, 255, 255])[5] == "........####........")
    hole.fillColor = CGColor(gray: 0, alpha: 0.4)
    #expect(try LayerPixels(root, width: 20, height: 10)[9, 3] == [0, 0, 102, 102])
  }

  @Test("A shape needs no bounds, and lies upon the contents") func shapes() throws {
    let root = filled(0, 0, 10, 4, nil)
    let shape = CAShapeLayer()
    shape.path = CGPath(rect: CGRect(x: 2, y: 1, width: 4, height: 2), transform: nil)
    shape.fillColor = red
    root.addSublayer(shape)
    let pixels = try LayerPixels(root, width: 10, height: 4)
    #expect(pixels.alpha == 8 && pixels.places(of: [255, 0, 0, 255])[1] == "..####....")
  }

  @Test("What is cut off, hidden or moved behind") func order() throws {
    let root = filled(0, 0, 10, 4, nil)
    let window = filled(2, 0, 4, 4, nil)
    window.addSublayer(filled(-2, 1, 10, 2, red))
    root.addSublayer(window)
    #expect(try LayerPixels(root, width: 10, height: 4).alpha == 20)
    window.masksToBounds = true
    #expect(
      try LayerPixels(root, width: 10, height: 4).places(of: [255, 0, 0, 255])[1] == "..####....")
    let (front, back) = (filled(0, 0, 10, 4, green), filled(0, 0, 10, 4, blue))
    root.addSublayer(front)
    root.insertSublayer(back, below: front)
    #expect(root.sublayers == [window, back, front])
    #expect(try LayerPixels(root, width: 10, height: 4)[3, 1] == [0, 255, 0, 255])
    window.zPosition = 1
    #expect(try LayerPixels(root, width: 10, height: 4)[3, 1] == [255, 0, 0, 255])
    window.isHidden = true
    #expect(try LayerPixels(root, width: 10, height: 4)[3, 1] == [0, 255, 0, 255])
    root.sublayers?.removeSubrange(1...)
    #expect(root.sublayers?.count == 1 && front.superlayer == nil)
    root.sublayers = nil
    #expect(root.sublayers == nil && window.superlayer == nil)
  }

  @Test("The first row of a picture lies at the top, by all gravities") func contents() throws {
    let context = try #require(
      CGContext(
        data: nil, width: 2, height: 1, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    context.setFillColor(red)
    context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
    context.setFillColor(green)
    context.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
    let layer = filled(0, 0, 4, 4, nil)
    layer.contents = context.makeImage()
    layer.magnificationFilter = .nearest
    func rows() throws -> [String] {
      try LayerPixels(layer, width: 4, height: 4).places(of: [255, 0, 0, 255])
    }
    #expect(try rows() == ["##..", "##..", "##..", "##.."])
    layer.contentsGravity = .resizeAspect
    #expect(try rows() == ["....", "##..", "##..", "...."])
    layer.contentsGravity = .resizeAspectFill
    #expect(try rows() == ["##..", "##..", "##..", "##.."])
    layer.contentsGravity = .topLeft
    #expect(try rows() == ["#...", "....", "....", "...."])
    layer.contentsGravity = .bottomRight
    #expect(try rows() == ["....", "....", "....", "..#."])
    layer.contentsGravity = .resize
    layer.contentsRect = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
    #expect(try LayerPixels(layer, width: 4, height: 4)[0, 0] == [0, 255, 0, 255])
  }
}
