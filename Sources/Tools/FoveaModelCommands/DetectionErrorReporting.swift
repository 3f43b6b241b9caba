// Fovea - detection errors as the command reports them.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaCommandLine

extension DetectionError {
  /// The error as the command reports it: a wrong request is wrong usage, the rest a failure.
  package func reported(file: String) -> any Error {
    if case .invalidRequest(let text) = self { return UsageError(text) }
    return CommandFailure(self, picture: file)
  }
}
