// Fovea - tests of which instruction sets the processor is said to have.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import Testing

#if os(Linux) && arch(x86_64)
  @Suite("Instruction sets")
  struct InstructionSetTests {
    /// What the kernel lets processes use is an answer of its own.
    @Test(arguments: [
      (fov_instruction_set.avx2, ["avx2", "fma"]),
      (fov_instruction_set.avx_vnni, ["avx2", "fma", "avx_vnni"]),
      (
        fov_instruction_set.avx512,
        ["avx2", "fma", "avx512f", "avx512bw", "avx512vl", "avx512dq"]
      ),
      (
        fov_instruction_set.avx512_vnni,
        ["avx2", "fma", "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni"]
      ),
    ])
    func setsAreThoseOfTheKernel(set: fov_instruction_set, flags: [String]) throws {
      let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags") })
      let known = Set(line.split(separator: " ").map(String.init))
      #expect(fov_instruction_set_is_available(set) == known.isSuperset(of: flags))
    }
  }
#endif
