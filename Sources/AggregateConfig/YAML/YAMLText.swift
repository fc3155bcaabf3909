internal import AggregateCore

/// The lines of a YAML file, to show the one a mistake is on.
struct YAMLText {
  /// The file's name, as the user knows it.
  let file: String
  /// The bytes.
  let bytes: [UInt8]
  private let lines: [String]

  init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      // The line ends that libyaml counts.
      switch scalar {
      case "\n":
        if !afterReturn { lines.append(String(line)) }
        line = String.UnicodeScalarView()
      case "\r", "\u{85}", "\u{2028}", "\u{2029}":
        lines.append(String(line))
        line = String.UnicodeScalarView()
      case "\u{FEFF}" where lines.isEmpty && line.isEmpty: break
      default: line.append(scalar)
      }
      afterReturn = scalar == "\r"
    }
    lines.append(String(line))
    self.lines = lines
  }

  /// The text of a line counted from 0; empty behind the end.
  func line(_ index: Int) -> String {
    lines.indices.contains(index) ? lines[index] : ""
  }

  /// The place of a mark; one behind the end becomes the end of the last line that has text.
  func location(_ mark: YAMLEvent.Mark) -> SourceLocation {
    var mark = mark
    if mark.line >= lines.count - 1 && line(mark.line).isEmpty {
      while mark.line > 0 && line(mark.line).isEmpty {
        mark.line = min(mark.line, lines.count) - 1
        mark.column = line(mark.line).unicodeScalars.count
      }
    }
    return SourceLocation(
      file: file, line: mark.line + 1, column: mark.column + 1, text: line(mark.line))
  }
}
