public import AggregateCore
internal import AggregateExpressions

/// The stages of this program.
public enum Stages {
  /// All of them, in the order in which they are listed.
  public static let all: [any Stage.Type] = [
    FilterStage.self,
    SelectStage.self,
    DropStage.self,
    RenameStage.self,
    ReorderStage.self,
    SetStage.self,
    CastStage.self,
    DedupeStage.self,
    SortStage.self,
    TopStage.self,
    HeadStage.self,
    TailStage.self,
    SampleStage.self,
    UnionStage.self,
    JoinStage.self,
    FillStage.self,
    FillDownStage.self,
    FlattenStage.self,
    UnflattenStage.self,
    ExplodeStage.self,
    PivotStage.self,
    UnpivotStage.self,
    SplitStage.self,
    ReplaceStage.self,
    MaskStage.self,
    GroupStage.self,
    WindowStage.self,
    SQLStage.self,
    ExpectStage.self,
    TeeStage.self,
    DescribeStage.self,
  ]

  /// The registry of all stages.
  public static let registry = StageRegistry(all, expressions: Expressions()) {
    SourceExpectation(of: $0, $1, &$2)
  }
}
