# Fovea - drawn pages and lines of text, for networks that read pages.
# SPDX-License-Identifier: Apache-2.0
"""Pages and lines that are drawn anew, the same for the same number. Networks that read pages find
nothing in photographs, so that these calibrate them and are measured."""
import random

WORDS = ("the of and to in is was for on are with as his they be at one have this from or had by "
         "hot word but what some we can out other were all there when up use your how said an each "
         "she which do their time if will way about many then them write would like so these her "
         "long make thing see him two has look more day could go come did number sound no most "
         "people my over know water than call first who may down side been now find any new work "
         "part take get place made live where after back little only round man year came show "
         "every good me give our under name very through just form sentence great think say help "
         "low line differ turn cause much mean before move right boy old too same tell does").split()


def _words(dice, count):
    text = " ".join(dice.choice(WORDS) for _ in range(count))
    if dice.random() < 0.5:
        text = text.capitalize()
    if dice.random() < 0.3:
        text += f" {dice.randrange(10000)}"
    return text


def _colors(dice):
    ground = tuple(dice.randrange(215, 256) for _ in range(3))
    return ground, tuple(dice.randrange(0, 80) for _ in range(3))


def _font(size):
    from PIL import ImageFont
    return ImageFont.load_default(size)


def _paragraph(draw, dice, ink, place, size):
    left, top, right, bottom = place
    font = _font(size)
    while top + size < bottom:
        text = _words(dice, 20)
        while text and draw.textlength(text, font=font) > right - left:
            text = text.rpartition(" ")[0]
        draw.text((left, top), text, fill=ink, font=font)
        top += round(size * 1.4)


def _table(draw, dice, ink, place):
    left, top, right, bottom = place
    rows, columns = dice.randrange(3, 7), dice.randrange(2, 6)
    for row in range(rows + 1):
        y = top + (bottom - top) * row // rows
        draw.line((left, y, right, y), fill=ink, width=2)
    for column in range(columns + 1):
        x = left + (right - left) * column // columns
        draw.line((x, top, x, bottom), fill=ink, width=2)
    size = max(10, (bottom - top) // rows // 2)
    for row in range(rows):
        for column in range(columns):
            corner = (left + (right - left) * column // columns + 6,
                      top + (bottom - top) * row // rows + 4)
            draw.text(corner, str(dice.randrange(1000)), fill=ink, font=_font(size))


def _figure(draw, dice, place):
    left, top, right, bottom = place
    draw.rectangle(place, fill=tuple(dice.randrange(90, 230) for _ in range(3)))
    for _ in range(12):
        x, y = dice.randrange(left, right), dice.randrange(top, bottom)
        radius = dice.randrange(5, 40)
        box = (max(left, x - radius), max(top, y - radius), min(right, x + radius),
               min(bottom, y + radius))
        draw.ellipse(box, fill=tuple(dice.randrange(256) for _ in range(3)))


def page(number, size):
    """A page of (columns, rows) pixels: a heading, and columns of paragraphs, tables, figures."""
    from PIL import Image, ImageDraw
    dice = random.Random(number)
    ground, ink = _colors(dice)
    width, height = 900, round(900 * size[1] / size[0])
    image = Image.new("RGB", (width, height), ground)
    draw = ImageDraw.Draw(image)
    draw.text((60, 40), _words(dice, 3), fill=ink, font=_font(dice.randrange(32, 52)))
    count = dice.choice((1, 2))
    for column in range(count):
        left = 60 + column * (width - 90) // count
        right = left + (width - 90) // count - 40
        top = 120
        while top < height - 120:
            bottom = min(height - 60, top + dice.randrange(100, 320))
            kind = dice.random()
            if kind < 0.6:
                _paragraph(draw, dice, ink, (left, top, right, bottom), dice.randrange(16, 26))
            elif kind < 0.8:
                _table(draw, dice, ink, (left, top, right, bottom))
            else:
                _figure(draw, dice, (left, top, right, bottom))
            top = bottom + 30
    return image.resize(size, Image.BILINEAR)


def line(number, size):
    """A line of text that fills the height of (columns, rows) pixels."""
    from PIL import Image, ImageDraw
    dice = random.Random(number)
    ground, ink = _colors(dice)
    width, height = 2 * size[0], 2 * size[1]
    image = Image.new("RGB", (width, height), ground)
    font = _font(dice.randrange(48, 66))
    text = _words(dice, 8)
    draw = ImageDraw.Draw(image)
    while text and draw.textlength(text, font=font) > width - 24:
        text = text.rpartition(" ")[0]
    draw.text((12, (height - font.size) // 2 - 6), text, fill=ink, font=font)
    return image.resize(size, Image.BILINEAR)
