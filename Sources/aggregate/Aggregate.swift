import AggregateCLI
import AggregateProviders

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Aggregate {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await Entry.main(words, providers: Providers.all))
  }
}
