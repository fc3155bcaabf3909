import AggregateCore

/// The exit codes of runs.
package enum ExitCode {
  /// The exit code of a run that ends with `error`.
  package static func of(_ error: any Error) -> Int32 {
    switch error {
    case let error as AggregateError: error.code.exit
    case is DiagnosticsError: AggregateError.Code.configuration.exit
    case is CancellationError: AggregateError.Code.interrupted.exit
    default: 1
    }
  }
}
