// Fovea - the command.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

SystemInterface.ignoreBrokenPipes()
SystemInterface.exit(FoveaProgram.program.run(Array(CommandLine.arguments.dropFirst())))
