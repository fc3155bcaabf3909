/// Tells nobody: what comes of the run is looked at behind it.
struct SilentObserver: RunObserver {
  func failed(_ error: any Error) {}
}
