// Fovea - what the module Testing adds to a module named CoreImage: nothing here.
// SPDX-License-Identifier: Apache-2.0

// A file that imports Testing and a module of the name CoreImage is given this module by the
// compiler, and does not compile where there is none.
