import AggregateCore

/// Kernels of NOT, IS, LIKE and `||`.
enum Logic {
  static let not: Kernel = { arguments, frame in
    let vector = frame.bools(arguments[0])
    return .bools(Vector(vector.values.map { !$0 }, nulls: vector.nulls))
  }

  static func isValue(_ truth: Syntax.Truth, negated: Bool) -> Kernel {
    switch truth {
    case .null:
      return { arguments, frame in
        let nulls = frame.nulls(arguments[0])
        return .bools(Vector(negated ? nulls.map { !$0 } : nulls))
      }
    case .known(let wanted):
      return { arguments, frame in
        let vector = frame.bools(arguments[0])
        return Rows.bools(frame.count) { row in (vector[row] == wanted) != negated }
      }
    }
  }

  static func like(_ constant: Scalar?, _ escape: UInt8?, _ ignoresCase: Bool) -> Kernel {
    if let text = constant?.text,
      let pattern = LikePattern(text, escape: escape, ignoresCase: ignoresCase)
    {
      return { arguments, frame in
        let text = frame.texts(arguments[0])
        return Rows.bools(frame.count) { row in text[row].map(pattern.matches) }
      }
    }
    return { arguments, frame in
      let text = frame.texts(arguments[0])
      let patterns = frame.texts(arguments[1])
      return Rows.bools(frame.count) { row in
        guard let value = text[row], let wanted = patterns[row] else { return nil }
        if let pattern = LikePattern(wanted, escape: escape, ignoresCase: ignoresCase) {
          return pattern.matches(value)
        }
        frame.lost("the pattern ends with its escape character") {
          String(decoding: wanted, as: UTF8.self)
        }
        return nil
      }
    }
  }

  static let concatenation: Kernel = { arguments, frame in
    let a = frame.texts(arguments[0])
    let b = frame.texts(arguments[1])
    return Rows.texts(frame.count) { row, out in
      guard let x = a[row], let y = b[row] else { return false }
      out.append(x)
      out.append(y)
      return true
    }
  }
}
