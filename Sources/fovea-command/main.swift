// Fovea - the command.
// SPDX-License-Identifier: Apache-2.0

SystemInterface.ignoreBrokenPipes()
SystemInterface.exit(FoveaCommandLine.run(Array(CommandLine.arguments.dropFirst())))
