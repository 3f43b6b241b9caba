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

/// Whether libraries of these names can be used; for tests of systems that lack them.
package enum LibraryProbe {
  /// Why there is no XML; `nil` where there is.
  package static func refusalOfXML(fileName: String) -> AnnotationError? {
    #if XML
      do throws(MissingLibrary) {
        _ = try ExpatLibrary(fileName: fileName)
        return nil
      } catch {
        return error.error(of: "a.xml")
      }
    #else
      return MissingLibrary.disabled(trait: "XML").error(of: "a.xml")
    #endif
  }

  /// Why there is no YAML; `nil` where there is.
  package static func refusalOfYAML(fileName: String) -> AnnotationError? {
    #if YAML
      do throws(MissingLibrary) {
        _ = try YAMLLibrary(fileName: fileName)
        return nil
      } catch {
        return error.error(of: "data.yaml")
      }
    #else
      return MissingLibrary.disabled(trait: "YAML").error(of: "data.yaml")
    #endif
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
