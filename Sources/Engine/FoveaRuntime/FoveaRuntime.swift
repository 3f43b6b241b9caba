// Fovea - options, pixels and errors, which belong to models and sessions.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaCore
