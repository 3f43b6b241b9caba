// Fovea - how large the C core is as a library of its own.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// The C core as a static library of its own: no Swift, no BLAS, no debugging information.
enum CoreLibrary {
  /// Builds the library in a temporary folder by CMake; bytes of the archive, and of the
  /// code and constants in it.
  static func measure() throws(CommandFailure) -> (archive: Int, loaded: Int) {
    guard let root = BuildFolder.packageRoot else {
      throw CommandFailure("the C sources are not there; run inside the package")
    }
    let script = """
      set -eu
      folder=$(mktemp -d)
      trap 'rm -rf "$folder"' EXIT
      cmake -G Ninja -S "$1" -B "$folder" -DCMAKE_C_COMPILER=clang -DFOVEA_TESTS=OFF >"$folder/log"
      cmake --build "$folder" >"$folder/log"
      wc -c < "$folder/libfovea_core.a"
      size -t "$folder/libfovea_core.a" | tail -n 1 | awk '{ print $1 + $2 }'
      """
    let result = try ChildProcess.run(["/bin/sh", "-c", script, "sh", root])
    let sizes = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard sizes.count == 2 else {
      throw CommandFailure("the size of the C core was not found in '\(result.output)'")
    }
    return (sizes[0], sizes[1])
  }
}
