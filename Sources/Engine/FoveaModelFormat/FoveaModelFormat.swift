// Fovea - the values that readers give, under the name of the readers too.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaModelValues
