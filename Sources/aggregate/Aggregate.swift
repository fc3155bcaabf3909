import AggregateCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Aggregate {
  static func main() async {
    exit(await Entry.main(Array(CommandLine.arguments.dropFirst())))
  }
}
