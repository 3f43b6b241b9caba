// Fovea - the libraries that read XML and YAML, opened at first use.
// SPDX-License-Identifier: Apache-2.0
#if XML
  internal import CExpat
#endif
#if YAML
  internal import CYAML
#endif

/// A library of the system that cannot be used.
struct MissingLibrary: Error {
  var cause: String
  var remedy: String

  /// The library is not there, or too old.
  static func absent(_ form: String, package: String, words: String) -> Self {
    MissingLibrary(
      cause: "\(form) cannot be read on this system: \(words)",
      remedy: "install \(package) (the name in Debian), or convert the annotations to JSON")
  }

  /// This build leaves it out.
  static func disabled(trait: String) -> Self {
    MissingLibrary(
      cause: "\(trait) is left out of this build", remedy: "build with the package trait \(trait)")
  }

  /// The same for a file.
  func error(of file: String) -> AnnotationError {
    AnnotationError(.libraryUnavailable, file, cause, remedy)
  }
}

#if XML
  /// The functions of expat.
  struct ExpatLibrary: Sendable {
    let functions: fov_expat_functions

    /// Opens the library of this name, as the system's loader takes it.
    init(fileName: String) throws(MissingLibrary) {
      let found = withUnsafeTemporaryAllocation(of: fov_expat_functions.self, capacity: 1) {
        functions -> Result<fov_expat_functions, MissingLibrary> in
        guard let start = functions.baseAddress else {
          return .failure(.absent("XML", package: "libexpat1", words: "no memory"))
        }
        if let words = fov_expat_open(fileName, start) {
          return .failure(
            .absent("XML", package: "libexpat1", words: String(cString: words)))
        }
        return .success(start.pointee)
      }
      functions = try found.get()
    }

    /// The system's, or why there is none.
    static let shared = Result { () throws(MissingLibrary) in
      try ExpatLibrary(fileName: "libexpat.so.1")
    }
  }
#endif

#if YAML
  /// The functions of libyaml.
  struct YAMLLibrary: Sendable {
    let functions: fov_yaml_functions

    /// Opens the library of this name, as the system's loader takes it.
    init(fileName: String) throws(MissingLibrary) {
      let found = withUnsafeTemporaryAllocation(of: fov_yaml_functions.self, capacity: 1) {
        functions -> Result<fov_yaml_functions, MissingLibrary> in
        guard let start = functions.baseAddress else {
          return .failure(.absent("YAML", package: "libyaml-0-2", words: "no memory"))
        }
        if let words = fov_yaml_open(fileName, start) {
          return .failure(
            .absent("YAML", package: "libyaml-0-2", words: String(cString: words)))
        }
        return .success(start.pointee)
      }
      functions = try found.get()
    }

    /// The system's, or why there is none.
    static let shared = Result { () throws(MissingLibrary) in
      try YAMLLibrary(fileName: "libyaml-0.so.2")
    }
  }
#endif
