// Fovea - libmicrohttpd, opened when a server starts.
// SPDX-License-Identifier: Apache-2.0
#if HTTP
  internal import CMicroHTTPD

  /// The functions of libmicrohttpd.
  struct HTTPLibrary: Sendable {
    let functions: fov_microhttpd_functions

    /// Opens the library of this name, as the system's loader takes it.
    init(fileName: String) throws(ServiceError) {
      let found = withUnsafeTemporaryAllocation(of: fov_microhttpd_functions.self, capacity: 1) {
        functions -> Result<fov_microhttpd_functions, ServiceError> in
        guard let start = functions.baseAddress else { return .failure(.outOfResources) }
        if let words = fov_microhttpd_open(fileName, start) {
          return .failure(.missingLibrary(words: String(cString: words)))
        }
        return .success(start.pointee)
      }
      functions = try found.get()
    }

    /// The system's, or why there is none.
    static let shared = Result { () throws(ServiceError) in
      try HTTPLibrary(fileName: "libmicrohttpd.so.12")
    }
  }
#endif
