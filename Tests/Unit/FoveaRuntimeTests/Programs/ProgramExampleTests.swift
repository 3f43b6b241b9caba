// Fovea - the examples that fuzzing begins with hold every operation, and run.
// SPDX-License-Identifier: Apache-2.0
import FoveaLowering
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct ProgramExampleTests {
  @Test func everyKindOfOperationHasAnExample() {
    #expect(Set(OperationTable.kinds).subtracting(ProgramExamples.all.flatMap(\.kinds)).isEmpty)
  }
}
