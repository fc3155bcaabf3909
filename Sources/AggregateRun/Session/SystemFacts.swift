#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the machine and the process are like.
package enum SystemFacts {
  /// Bytes of memory of the machine.
  package static var physicalMemory: Int {
    sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Processors that may be used.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The value of an environment variable; nil when it is not set.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether a descriptor is open.
  package static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) != -1 }

  /// Whether a descriptor is open for writing, and something that bytes can be written to.
  package static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    var status = stat()
    // A closed number may have gone to an event queue of the runtime, which has no file type.
    guard flags != -1, fstat(descriptor, &status) == 0 else { return false }
    return flags & O_ACCMODE != O_RDONLY && status.st_mode & S_IFMT != 0
  }

  /// Opens nothing under the numbers of standard input, output and error that are closed, so that no
  /// file that is opened later gets such a number, and with it what is printed.
  package static func occupyStandardDescriptors() {
    for descriptor in Int32(0)...2 where !isOpen(descriptor) {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// How many columns the terminal at `descriptor` has; nil when it is none.
  package static func terminalWidth(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Where temporary files go.
  package static var temporaryDirectory: String { environment("TMPDIR") ?? "/tmp" }
}
