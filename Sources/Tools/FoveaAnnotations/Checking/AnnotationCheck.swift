// Fovea - everything about a set that a person should look at before training.
// SPDX-License-Identifier: Apache-2.0

/// Everything about a set that a person should look at before training.
public struct AnnotationCheck: Sendable {
  /// What is found by looking at the set as a whole.
  public struct Options: Hashable, Sendable {
    /// Columns and rows of the network's input.
    public var networkSide = 320
    /// The share of pictures to measure on; see `AnnotatedSet.split(validationShare:seed:)`.
    public var validationShare = 0.2
    /// The seed of the split.
    public var seed: UInt64 = 0
    /// Whether pictures are decoded, to find those that are damaged or equal.
    public var decodesPictures = true

    /// Creates options: an input of 320 x 320, a fifth of the pictures to measure on.
    public init() {}
  }

  /// The findings of one kind.
  public struct Group: Hashable, Sendable {
    /// What was found.
    public var kind: AnnotationFinding.Kind
    /// The findings, in the order of the set.
    public var findings: [AnnotationFinding]
  }

  /// The findings by kind, the gravest first.
  public let groups: [Group]

  /// Checks a set.
  ///
  /// - Parameters:
  ///   - set: The set, with what was noticed while it was read.
  ///   - options: What to hold it against.
  ///   - progress: Is told how many pictures have been decoded.
  public init(
    _ set: AnnotatedSet, options: Options = Options(), progress: (Int) -> Void = { _ in }
  ) {
    var findings = set.findings
    findings += LabelCheck.findings(in: set)
    let hasOddUnits = findings.contains { $0.kind == .unitsAreNotPixels }
    for picture in set.pictures {
      if !hasOddUnits {
        findings += SizeCheck.findings(in: picture, networkSide: options.networkSide)
      }
      findings += OverlapCheck.findings(in: picture)
    }
    if options.decodesPictures {
      findings += PixelCheck.findings(in: set, options, progress: progress)
    }
    groups = Self.groups(of: findings)
  }

  /// Findings by kind, the gravest first.
  package static func groups(of findings: [AnnotationFinding]) -> [Group] {
    let byKind = Dictionary(grouping: findings, by: \.kind)
    return AnnotationFinding.Severity.allCases.sorted(by: >).flatMap { severity in
      AnnotationFinding.Kind.allCases.compactMap { kind in
        guard kind.severity == severity, let findings = byKind[kind] else { return nil }
        return Group(kind: kind, findings: findings)
      }
    }
  }

  /// Findings in a line for each kind, with the first one, the gravest first.
  package static func lines(of findings: [AnnotationFinding]) -> [String] {
    groups(of: findings).map { "\($0.findings.count) \($0.kind.title): \($0.findings[0])" }
  }

  /// All findings, the gravest first.
  public var findings: [AnnotationFinding] { groups.flatMap(\.findings) }
}
