// Fovea - the C core.
// SPDX-License-Identifier: Apache-2.0
