// Fovea - fovea completion: what shells complete.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Prints the script that makes a shell complete the command's arguments.
enum CompletionCommand: Subcommand {
  static let description = CommandDescription(
    name: "completion", synopsis: "bash | zsh | fish",
    summary: "Prints the script that makes a shell complete arguments.", options: [],
    operandCount: 1...1,
    notes: """
      For this session of bash: source <(fovea completion bash)
      Scripts/install puts the scripts where the shells look for them.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let name = arguments.operands[0]
    guard let shell = CompletingShell(rawValue: name) else {
      let all = CompletingShell.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("the shell is '\(name)'; expected one of \(all)")
    }
    SystemInterface.writeOutput(FoveaProgram.program.completions(for: shell))
    return 0
  }
}
