// Fovea - the benchmark program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

SystemInterface.ignoreBrokenPipes()
SystemInterface.exit(BenchProgram.run(Array(CommandLine.arguments.dropFirst())))
