// Fovea - sources of pictures, under the name of what is found in them too.
// SPDX-License-Identifier: Apache-2.0
@_exported public import FoveaMedia
