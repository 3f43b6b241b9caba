// Fovea - the command.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaCommands

SystemInterface.exit(FoveaProgram.run(Array(CommandLine.arguments.dropFirst())))
