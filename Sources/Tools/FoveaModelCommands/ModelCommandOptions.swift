// Fovea - options that several commands with a model take.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
package import FoveaCommandLine
internal import FoveaQuantization

extension CommandDescription.Option {
  package static let backend = Self(
    name: "--backend", value: "NAME", help: "auto, reference, blas, float or int8 (default auto)",
    choices: Backend.allCases.map(\.rawValue))
  package static let weights = Self(
    name: "--weights", value: "FORM",
    help: "float with coded weights as floats or as codes: expanded or coded (default expanded)",
    choices: WeightForm.allCases.map(\.rawValue))
  package static let calibrate = Self(
    name: "--calibrate", value: "IMAGES",
    help: "int8 with ranges measured over a folder of images, or a list of paths")
  package static let int16Share = Self(
    name: "--int16-share", value: "0...1",
    help:
      "with --calibrate: the part of the multiplications that may be of 16 bits, in dense layers; those in float "
      + "are depthwise then (default 0)"
  )
  package static let floatShare = Self(
    name: "--float-share", value: "0...1",
    help:
      "with --calibrate: the part of the multiplications that may stay in float; sums, too (default 0)"
  )
  package static let quality = Self(
    name: "--quality", value: "DECIBELS",
    help:
      "with --calibrate: take layers out of 8 bits until outputs are so near those of float; 0: none "
      + "(default \(Int(NoiseSearch.defaultDecibels)))")
  package static let maximumLoss = Self(
    name: "--max-loss", value: "0...1",
    help:
      "with --calibrate: keep in float what it takes to lose no more of the objects than this part")
  package static let threads = Self(
    name: "--threads", value: "N", help: "threads to use (default: all that the process may use)")
  package static let function = Self(
    name: "--function", value: "NAME",
    help: "the function of an ML Program to use (default: the one that the file names)")
  package static let size = Self(
    name: "--size", value: "WIDTHxHEIGHT",
    help: "the size of the network's image input, where the model allows several")
  package static let matchAspect = Self(
    name: "--match-aspect",
    help: "for each image, the allowed size of the input that is nearest to the image's aspect")
  package static let head = Self(
    name: "--head", value: "NAME",
    help: "how the outputs of a detector without suppression are read: "
      + DetectorHead.allCases.map(\.rawValue).joined(separator: ", ")
      + "; none leaves them as they are (default: as shapes and names tell)",
    choices: DetectorHead.allCases.map(\.rawValue) + ["none"])
  package static let boxes = Self(
    name: "--boxes", value: "UNITS",
    help: "what coordinates of boxes count: pixels or fractions (default: as the numbers tell)",
    choices: BoxUnits.allCases.map(\.rawValue))
  package static let scores = Self(
    name: "--scores", value: "FORM",
    help: "what scores are: probabilities, logits, or a softmax whose last column is no object"
      + " (default: as names, graph and numbers tell)",
    choices: ScoreForm.allCases.map(\.rawValue))
  package static let task = Self(
    name: "--task", value: "NAME",
    help: "what the detector finds: detect, segment, pose or obb (default: as the file says)",
    choices: DetectorTask.allCases.map(\.rawValue))
  package static let json = Self(name: "--json", help: "print one JSON document instead of text")
}
