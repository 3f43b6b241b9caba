// Fovea - changes Core ML files field by field, and asks every backend what it makes of them.
// SPDX-License-Identifier: Apache-2.0
//
// ModelMutations [--every K] [--random N] [--seed S] [--keep FILE] [MODEL...]
//
// Mutants are numbered: every single change of every seed (MutationSeed) that is not named here, of
// which each K-th is tried (1: all), of packages each 4 K-th, as they are many. Then follow N (10000)
// of several changes at random. FILE (mutant.mlmodel) has the bytes of the mutant in hand, so that a
// crash leaves what caused it; a package is the folder FILE.mlpackage. Exits 1 when a promise is
// broken; see MutantTrial.
import FoveaLibc
import FoveaTestSupport

/// The command line.
struct MutationOptions {
  var every = 1
  var random = 10_000
  var seed: UInt64 = 1
  var keep = "mutant.mlmodel"
  var models: [String] = []

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--every": every = max(1, Int(rest.popFirst() ?? "") ?? every)
      case "--random": random = Int(rest.popFirst() ?? "") ?? random
      case "--seed": seed = UInt64(rest.popFirst() ?? "") ?? seed
      case "--keep": keep = rest.popFirst() ?? keep
      default: models.append(word)
      }
    }
  }
}

/// Numbers mutants and tells what became of them.
struct MutationRun {
  let options: MutationOptions
  let trial = MutantTrial()
  var number = 0
  var tried = 0
  var refused = 0
  var agreed = 0
  var loaded = 0
  var broken = 0

  init(_ options: MutationOptions) { self.options = options }

  private func keep(_ file: MutantFile, as path: String) {
    do {
      try file.keep(as: path)
    } catch { fatalError("\(path): \(error)") }
  }

  /// Tries a mutant if its number is a multiple of `every`.
  mutating func take(_ name: String, every: Int = 1, _ mutant: @autoclosure () -> MutantFile?) {
    defer { number += 1 }
    guard number % every == 0, let file = mutant() else { return }
    tried += 1
    keep(file, as: options.keep)
    // Ten seconds, then the system ends the process: what hangs is found, too.
    alarm(10)
    switch trial.outcome(of: file) {
    case .refused: refused += 1
    case .agreed: agreed += 1
    case .loaded: loaded += 1
    case .broken(let words):
      broken += 1
      keep(file, as: options.keep + ".\(number)")
      print("mutant \(number) of \(name): \(words); kept as \(options.keep).\(number)")
      fflush(nil)
    }
    alarm(0)
  }
}

// A file of kilobytes must not take gigabytes; what is asked of the system beyond fails.
var memory = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)

let options = MutationOptions(Array(CommandLine.arguments.dropFirst()))
var seeds: [MutationSeed] = []
var unfit = 0
var run = MutationRun(options)
for seed in try MutationSeed.all(paths: options.models) {
  let outcome = run.trial.outcome(of: seed.original)
  // Outputs of stored models may be too large to be compared.
  guard outcome == .agreed || (outcome == .loaded && seed.isStored) else {
    print("\(seed.name) is no good seed: \(outcome)")
    unfit += 1
    continue
  }
  seeds.append(seed)
}
if unfit > 0 { exit(2) }

// Layers of one name in such numbers that nothing may be done for each pair of them.
for count in [1000, 9990, 20_000, 1_000_000] {
  for seed in seeds where seed.name == "chain" {
    for place in seed.places {
      var tree = seed.tree
      guard place.count == 2, case .message(let layer) = seed.tree[place[...]]?.content,
        layer.bytes.count * count < 1 << 26, tree.apply(.repeated(count), at: place[...])
      else { continue }
      run.take("\(count) layers", .file(tree.bytes))
    }
  }
}
for seed in seeds where !seed.isStored {
  for place in seed.places {
    guard let field = seed.tree[place[...]] else { continue }
    for mutation in seed.catalog.mutations(of: field) {
      run.take(
        seed.name, every: options.every * (seed.files == nil ? 1 : 4),
        {
          var tree = seed.tree
          return tree.apply(mutation, at: place[...]) ? seed.mutant(tree) : nil
        }())
    }
  }
}
for seed in seeds where !seed.isStored {
  for mutant in seed.packageMutants { run.take(seed.name, every: options.every * 4, mutant) }
}
print("\(run.tried) of \(run.number) single changes of \(seeds.count) files")
for turn in 0..<options.random {
  var random = SplitMix(seed: options.seed &+ UInt64(turn) &* 0x1_0000_0001)
  let seed = seeds[Int.random(in: seeds.indices, using: &random)]
  var tree = seed.tree
  for _ in 0..<Int.random(in: seed.files == nil ? 2...4 : 1...3, using: &random) {
    let place = seed.places[Int.random(in: seed.places.indices, using: &random)]
    guard let field = tree[place[...]] else { continue }
    var mutations = seed.catalog.mutations(of: field)
    if case .bytes = field.content, let text = seed.strangers.randomElement(using: &random),
      Bool.random(using: &random)
    {
      mutations = [.replaced(text)]
    }
    _ = tree.apply(mutations[Int.random(in: mutations.indices, using: &random)], at: place[...])
  }
  run.take(seed.name, seed.mutant(tree))
}
print(
  "\(run.tried) mutants: \(run.refused) refused, \(run.agreed) loaded and agree with the reference, "
    + "\(run.loaded) loaded and not comparable, \(run.broken) broken")
exit(run.broken == 0 ? 0 : 1)
