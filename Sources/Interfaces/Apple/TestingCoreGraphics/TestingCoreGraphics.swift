// Fovea - what the module Testing adds to a module named CoreGraphics: nothing here.
// SPDX-License-Identifier: Apache-2.0

// A file that imports Testing and a module of the name CoreGraphics is given this module by the
// compiler, and does not compile where there is none.
