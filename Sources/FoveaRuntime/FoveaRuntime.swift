// Fovea - FoveaRuntime.
// SPDX-License-Identifier: Apache-2.0
