// Fovea - the command.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

SystemInterface.exit(FoveaProgram.run(Array(CommandLine.arguments.dropFirst())))
