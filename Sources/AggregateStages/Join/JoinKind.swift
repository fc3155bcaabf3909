/// Which rows of a join come out.
enum JoinKind: String, CaseIterable, Sendable {
  case inner, left, right, full, semi, anti, asof

  var keepsUnmatchedLeft: Bool { self == .left || self == .full || self == .asof }
  var keepsUnmatchedRight: Bool { self == .right || self == .full }
  var addsColumns: Bool { self != .semi && self != .anti }
}
