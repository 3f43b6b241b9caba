// Fovea - the commands of fovea-bench.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaRuntime

/// The program `fovea-bench`.
enum BenchProgram {
  static var program: CommandProgram {
    CommandProgram(
      name: "fovea-bench", version: CoreVersion.text,
      commands: [
        LatencyCommand.self, ModelCommand.self, KernelsCommand.self, PipelineCommand.self,
        ImageCommand.self, MemoryCommand.self, LoadingCommand.self, VariantsCommand.self,
        ColdCommand.self, VideoCommand.self, LiveCommand.self, FollowCommand.self,
        CodeReadingCommand.self, TextReadingCommand.self, RectangleFindingCommand.self,
        SoakCommand.self, ZooCommand.self, PlotCommand.self,
        BackendsCommand.self,
      ])
  }

  /// Whether the program was built without optimization, so that its times mean nothing.
  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Runs the command that the arguments name; returns the exit code. A debug build answers
  /// questions about itself and refuses to measure.
  static func run(_ arguments: [String]) -> Int32 {
    if arguments.first == ZooCommand.description.name {
      do throws(CommandFailure) { return try ZooCommand.run(Array(arguments.dropFirst())) } catch {
        SystemInterface.writeError("fovea-bench zoo: \(error.message)\n")
        return 1
      }
    }
    let asksForHelp = arguments.contains { $0 == "--help" || $0 == "-h" }
    let measuring = program.commands.map { $0.description.name }.filter {
      $0 != BackendsCommand.description.name && $0 != PlotCommand.description.name
    }
    if isDebugBuild, !asksForHelp, let name = arguments.first, measuring.contains(name) {
      SystemInterface.writeError(
        "fovea-bench \(name): this is a debug build, whose times mean nothing; "
          + "use `swift run -c release fovea-bench`\n")
      return 2
    }
    return program.run(arguments)
  }
}

/// The name of a backend is the library's; this program knows none of its own.
enum BackendsCommand: Subcommand {
  static let description = CommandDescription(
    name: "backends", synopsis: "", summary: "Prints the backends, one a line.", options: [],
    operandCount: 0...0)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    for name in BackendName.all { SystemInterface.writeOutput(name + "\n") }
    return 0
  }
}
