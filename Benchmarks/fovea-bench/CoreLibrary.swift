// Fovea - how large the C core is as a library of its own.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// The C core as a static library of its own: no Swift, no BLAS, no debugging information.
enum CoreLibrary {
  /// Builds and strips the library in a temporary folder; bytes of the archive, and of the code and
  /// constants in it.
  static func measure() throws(CommandFailure) -> (archive: Int, loaded: Int) {
    guard let root = BuildFolder.packageRoot else {
      throw CommandFailure("the C sources are not there; run inside the package")
    }
    // The shell does what a user of the core alone would do.
    let script = """
      set -eu
      cd "$1"
      folder=$(mktemp -d)
      trap 'rm -rf "$folder"' EXIT
      for file in CSources/*/*.c; do
        "${CC:-clang}" -std=c11 -O2 -DNDEBUG -Iinclude -ICSources -c "$file" \
          -o "$folder/$(basename "$file" .c).o"
      done
      ar rcs "$folder/libfovea.a" "$folder"/*.o
      strip --strip-unneeded "$folder/libfovea.a"
      wc -c < "$folder/libfovea.a"
      size -t "$folder/libfovea.a" | tail -n 1 | awk '{ print $1 + $2 }'
      """
    let result = try ChildProcess.run(["/bin/sh", "-c", script, "sh", root])
    let sizes = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard sizes.count == 2 else {
      throw CommandFailure("the size of the C core was not found in '\(result.output)'")
    }
    return (sizes[0], sizes[1])
  }
}
