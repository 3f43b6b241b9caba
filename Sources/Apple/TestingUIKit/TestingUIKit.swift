// Fovea - an empty module, which Swift Testing asks for.
// SPDX-License-Identifier: Apache-2.0

// A file that imports both Testing and UIKit imports this module, too: the toolchain's table of such
// pairs is the same on all systems, though the module itself exists on Apple's alone.
