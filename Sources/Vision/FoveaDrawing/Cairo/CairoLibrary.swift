// Fovea - cairo, opened when something is drawn.
// SPDX-License-Identifier: Apache-2.0
#if Drawing
  internal import CCairo

  /// cairo's functions. The library is opened at first use: to link it would cost every start of a
  /// process 0.5 ms and 2 MiB, whether it draws or not.
  package struct CairoLibrary: @unchecked Sendable {  // functions at fixed addresses
    let functions: fov_cairo_functions

    /// The library under the name that its binary interface has had since 2005.
    private static let opened = Result { () throws(DrawingError) in
      try CairoLibrary(fileName: "libcairo.so.2")
    }

    /// Opens a library.
    ///
    /// - Parameter fileName: Its name, as the system's loader takes it.
    /// - Throws: `.libraryUnavailable`.
    package init(fileName: String) throws(DrawingError) {
      let found = withUnsafeTemporaryAllocation(of: fov_cairo_functions.self, capacity: 1) {
        functions -> Result<fov_cairo_functions, DrawingError> in
        guard let start = functions.baseAddress else {
          return .failure(DrawingError(.libraryUnavailable("no memory")))
        }
        if let words = fov_cairo_open(fileName, start) {
          return .failure(DrawingError(.libraryUnavailable(String(cString: words))))
        }
        return .success(start.pointee)
      }
      functions = try found.get()
    }

    /// The functions of the system's cairo.
    ///
    /// - Throws: `.libraryUnavailable`.
    static func shared() throws(DrawingError) -> fov_cairo_functions {
      try opened.get().functions
    }
  }
#endif
