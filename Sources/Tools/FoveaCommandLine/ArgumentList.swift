// Fovea - the arguments of a command, told apart.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The arguments of a command: options, switches and operands.
///
/// An option is given as `--name value` or `--name=value`; everything after `--` is an operand.
package struct ArgumentList: Sendable {
  /// What is no option and no option's value.
  package private(set) var operands: [String] = []
  private var valuesOfOption: [String: [String]] = [:]

  /// Tells the arguments apart.
  ///
  /// - Throws: `UsageError` for what the command does not take.
  package init(_ arguments: [String], for command: CommandDescription) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      if argument.hasPrefix("-") && argument.count > 1 {
        try take(argument, &rest, command)
      } else {
        operands.append(argument)
      }
    }
    if let leading = command.leading { put(leading) }
    guard command.operandCount.contains(operands.count) else {
      throw UsageError(
        operands.count < command.operandCount.lowerBound
          ? "an argument is missing" : "unexpected argument '\(operands.last ?? "")'")
    }
  }

  private mutating func take(
    _ argument: String, _ rest: inout ArraySlice<String>, _ command: CommandDescription
  ) throws(UsageError) {
    let typed = String(argument.prefix { $0 != "=" })
    guard let option = command.options.first(where: { $0.spellings.contains(typed) }) else {
      throw UsageError(
        "unknown option '\(typed)'"
          + suggestion(for: typed, among: command.options.flatMap(\.spellings)))
    }
    let name = option.name
    var values = valuesOfOption[name] ?? []
    guard values.isEmpty || option.isRepeatable else { throw UsageError("\(name) is given twice") }
    if option.value == nil {
      guard typed.count == argument.count else { throw UsageError("\(name) takes no value") }
      values.append("")
    } else if typed.count < argument.count {
      values.append(String(argument.dropFirst(typed.count + 1)))
    } else {
      guard let value = rest.first, !value.hasPrefix("--") else {
        throw UsageError("\(typed) needs a value (\(option.value ?? ""))\(option.note ?? "")")
      }
      rest.removeFirst()
      values.append(value)
    }
    if let note = option.note, let value = values.last, !option.choices.contains(value) {
      throw UsageError(
        "\(typed) is '\(value)'; expected one of \(option.choices.joined(separator: ", "))\(note)")
    }
    valuesOfOption[name] = values
  }

  /// Puts an argument where the command looks for it.
  private mutating func put(_ leading: LeadingArgument) {
    switch leading.place {
    case .operands:
      operands.insert(contentsOf: values(leading.option), at: 0)
      valuesOfOption[leading.option] = nil
    case .option(let isMeant):
      guard !has(leading.option), let first = operands.first, isMeant(first) else { return }
      valuesOfOption[leading.option] = [operands.removeFirst()]
    }
  }

  /// The same arguments with what the words of the leading argument stand for.
  ///
  /// - Throws: `CommandFailure`.
  func resolved(for command: CommandDescription) throws(CommandFailure) -> ArgumentList {
    guard let leading = command.leading else { return self }
    var list = self
    switch leading.place {
    case .operands(let count):
      for index in operands.indices.prefix(count) {
        list.operands[index] = try leading.meaning(operands[index])
      }
    case .option:
      if let word = value(leading.option) {
        list.valuesOfOption[leading.option] = [try leading.meaning(word)]
      }
    }
    return list
  }

  /// The same arguments without an option.
  package func without(_ name: String) -> ArgumentList {
    var list = self
    list.valuesOfOption[name] = nil
    return list
  }

  /// Whether a switch is given.
  package func has(_ name: String) -> Bool { valuesOfOption[name] != nil }

  /// The value of an option, or `nil`.
  package func value(_ name: String) -> String? { valuesOfOption[name]?.last }

  /// All values of a repeatable option.
  package func values(_ name: String) -> [String] { valuesOfOption[name] ?? [] }

  /// The value of an option that must be given.
  package func required(_ name: String, _ reason: String) throws(UsageError) -> String {
    guard let value = value(name) else { throw UsageError("\(name) is missing: \(reason)") }
    return value
  }

  /// Names with commas between them, or `nil` when the option is not given.
  package func names(_ name: String) throws(UsageError) -> [String]? {
    guard let text = value(name) else { return nil }
    let names = text.split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    guard !names.isEmpty else { throw UsageError("\(name) needs at least one name") }
    return names
  }

  /// A whole number in a range, or `nil` when the option is not given.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limit = range.upperBound == .max ? "" : " and at most \(range.upperBound)"
      throw UsageError(
        "\(name) is '\(text)'; expected a whole number of at least \(range.lowerBound)\(limit)")
    }
    return number
  }

  /// A number in 0...1, or `nil` when the option is not given.
  package func fraction(_ name: String) throws(UsageError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), (0...1).contains(number) else {
      throw UsageError("\(name) is '\(text)'; expected a number in 0...1")
    }
    return number
  }

  /// One of the values of an enumeration, or `nil` when the option is not given.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "\(name) is '\(text)'; expected one of \(all.joined(separator: ", "))"
          + suggestion(for: text, among: all))
    }
    return choice
  }
}

extension Substring {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
