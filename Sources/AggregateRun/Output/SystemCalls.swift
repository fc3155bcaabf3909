#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the last failed system call says.
package func systemMessage() -> String { String(cString: strerror(errno)) }

/// `write(2)` under a name that does not collide with methods called `write`.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  while true {
    let result = write(descriptor, bytes, count)
    if result >= 0 || errno != EINTR { return result }
  }
}
