// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target; the loop at the end applies them, so no target can miss one.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableExperimentalFeature("Lifetimes"),
]

/// A library target under `Sources/`.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, exclude: ["README.md"])
}

/// A provider: `Plugins/<folder>/Sources`, its bundled samples embedded as bytes, and its tests beside it.
struct ProviderPlugin {
  let folder: String
  let samples: [String]
  let dependencies: [Target.Dependency]

  init(_ folder: String, samples: [String] = [], _ dependencies: [Target.Dependency] = []) {
    self.folder = folder
    self.samples = samples
    self.dependencies = dependencies
  }

  var module: Target.Dependency { .byName(name: "Aggregate\(folder)") }

  var targets: [Target] {
    [
      .target(
        name: "Aggregate\(folder)",
        dependencies: ["AggregateCore", "AggregateJSON"] + dependencies,
        path: "Plugins/\(folder)",
        exclude: ["README.md", "sample.yaml", "Tests"],
        sources: ["Sources"],
        resources: samples.map { .embedInCode("Samples/\($0)") }
      ),
      .testTarget(
        name: "Aggregate\(folder)Tests",
        dependencies: [
          module, "AggregateTestSupport", "AggregateTransport",
        ],
        path: "Plugins/\(folder)/Tests"
      ),
    ]
  }
}

/// Unit tests of the library module `module`.
func tests(
  _ module: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: [.byName(name: module), "AggregateTestSupport"] + dependencies, exclude: exclude)
}

/// The providers; each is listed here and in `Sources/AggregateProviders/Providers.swift`.
let providers: [ProviderPlugin] = [
  ProviderPlugin(
    "Pokemon",
    samples: [
      "list.json", "bulbasaur.json",
      "charmander.json", "squirtle.json",
      "species-list.json", "species-1.json",
      "type-list.json", "type-12.json",
      "ability-list.json", "ability-65.json",
      "move-list.json", "move-22.json", "move-84.json",
      "berry-list.json", "berry-1.json",
      "item-list.json", "item-4.json",
      "evolution-chain-list.json", "evolution-chain-1.json",
    ]),
  ProviderPlugin(
    "Weather",
    samples: [
      "openmeteo_archive_daily.json", "openmeteo_archive_hourly.json",
      "geocoding_london.json", "geocoding_paris.json", "geocoding_tokyo.json",
      "openmeteo_current_london.json",
      "openmeteo_current_paris.json",
      "openmeteo_current_tokyo.json",
      "openmeteo_daily_london.json", "openmeteo_daily_paris.json", "openmeteo_daily_tokyo.json",
      "openmeteo_hourly_london.json", "openmeteo_hourly_paris.json", "openmeteo_hourly_tokyo.json",
      "owm_current_london.json", "owm_current_paris.json", "owm_current_tokyo.json",
      "owm_forecast_london.json", "owm_forecast_paris.json", "owm_forecast_tokyo.json",
      "owm_geocoding_london.json", "owm_geocoding_paris.json", "owm_geocoding_tokyo.json",
    ]),
  ProviderPlugin(
    "News",
    samples: ["top-headlines.json", "everything.json", "sources.json", "rss.xml", "atom.xml"],
    ["AggregateFormats", "AggregateFeeds"]),
  ProviderPlugin("Earthquakes", samples: ["query.json"]),
  ProviderPlugin(
    "REST", ["AggregateFormats", "AggregateFeeds", "AggregateExpressions", "CCrypto"]),
  ProviderPlugin("File", ["AggregateFormats", "AggregateFeeds"]),
]

/// `pkg-config` finds Homebrew's C++ libraries. On Linux they are where compilers look anyway, and
/// their flags (`-pthread`) are ones that SwiftPM warns about.
#if os(macOS)
  let findsCxxLibraries = true
#else
  let findsCxxLibraries = false
#endif

let package = Package(
  name: "aggregate",
  products: [
    .executable(name: "aggregate", targets: ["aggregate"]),
    .library(name: "AggregateRun", targets: ["AggregateRun", "AggregateCore"]),
    .library(name: "AggregateProviders", targets: ["AggregateProviders"]),
  ],
  targets: [
    // C libraries, one module each.
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "SystemSimdjson", pkgConfig: findsCxxLibraries ? "simdjson" : nil,
      providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
    .systemLibrary(
      name: "SystemRE2", pkgConfig: findsCxxLibraries ? "re2" : nil,
      providers: [.apt(["libre2-dev"]), .brew(["re2"])]),
    .target(name: "CSimdjson", dependencies: ["SystemSimdjson"]),
    .target(name: "CRE2", dependencies: ["SystemRE2"]),

    // Those that are looked up at run time, over one loader.
    .target(name: "CLoading"),
    .target(name: "CCurl", dependencies: ["CLoading"]),
    .target(name: "CXML", dependencies: ["CLoading"]),
    .target(name: "CPostgreSQL", dependencies: ["CLoading"]),
    .target(name: "CCrypto", dependencies: ["CLoading"]),
    .target(name: "CDuckDB", dependencies: ["CLoading"]),

    // The libraries, from the bottom up.
    library("AggregateCore", []),
    library("AggregateRegex", ["CRE2", "SystemRE2"]),
    .target(
      name: "AggregateJSON",
      dependencies: ["AggregateCore", "AggregateRegex", "CSimdjson", "SystemSimdjson"],
      exclude: [
        "README.md", "Document/README.md", "Records/README.md", "Path/README.md",
        "Source/README.md",
      ]),
    library("AggregateConfig", ["AggregateCore", "CYAML"]),
    library("AggregateExpressions", ["AggregateCore", "AggregateJSON", "AggregateRegex"]),
    library(
      "AggregateStages",
      [
        "AggregateCore", "AggregateJSON", "AggregateExpressions", "AggregateSQLite", "CDuckDB",
      ]),
    library("AggregateFormats", ["AggregateCore", "AggregateJSON", "CZlib"]),
    library("AggregateFeeds", ["AggregateCore", "AggregateJSON", "AggregateFormats", "CXML"]),
    library("AggregateSQLite", ["AggregateCore", "CSQLite"]),
    library("AggregateState", ["AggregateCore", "AggregateSQLite"]),
    library(
      "AggregateSinks", ["AggregateCore", "AggregateFormats", "AggregateSQLite", "CPostgreSQL"]),
    library(
      "AggregateTransport",
      ["AggregateCore", "AggregateJSON", "AggregateSQLite", "AggregateState", "CCurl"]),
    library(
      "AggregateRun",
      [
        "AggregateCore", "AggregateJSON", "AggregateConfig", "AggregateStages",
        "AggregateFormats", "AggregateFeeds", "AggregateState", "AggregateSinks",
        "AggregateTransport",
      ]),
    library(
      "AggregateInference",
      ["AggregateCore", "AggregateJSON", "AggregateFormats", "AggregateFeeds", "AggregateRun"]),
    library("AggregateProviders", ["AggregateCore"] + providers.map(\.module)),
    library(
      "AggregateCLI",
      [
        "AggregateCore", "AggregateJSON", "AggregateConfig", "AggregateExpressions",
        "AggregateStages", "AggregateFormats", "AggregateFeeds", "AggregateSQLite",
        "AggregateState", "AggregateSinks", "AggregateTransport", "AggregateRun",
        "AggregateInference",
      ]),
    .executableTarget(name: "aggregate", dependencies: ["AggregateCLI", "AggregateProviders"]),

    // What the tests share: golden cases, an HTTP server on loopback, conformance checks.
    .target(
      name: "AggregateTestSupport",
      dependencies: ["AggregateCore", "AggregateJSON", "AggregateConfig"],
      path: "Tests/AggregateTestSupport"),
    // The program of Docs/guides/embedding.md.
    .executableTarget(
      name: "EmbeddingExample",
      dependencies: ["AggregateCore", "AggregateProviders", "AggregateRun"],
      path: "Tests/EmbeddingExample"),
    tests("AggregateCore"),
    tests("AggregateRegex"),
    tests("AggregateJSON"),
    tests("AggregateConfig", ["AggregateExpressions"]),
    tests("AggregateExpressions", ["AggregateJSON"], exclude: ["Oracle"]),
    tests("AggregateStages", ["AggregateExpressions"]),
    tests("AggregateFormats"),
    tests("AggregateFeeds"),
    tests("AggregateSQLite"),
    tests("AggregateState", ["AggregateSQLite"]),
    tests("AggregateSinks", ["AggregateSQLite"]),
    tests("AggregateTransport", ["AggregateSQLite"]),
    tests("AggregateRun", ["AggregateProviders", "AggregateSQLite", "AggregateStages"]),
    tests("AggregateInference", ["AggregateProviders", "AggregateStages"]),
    tests("AggregateCLI", ["AggregateProviders", "AggregateSQLite"]),
    .testTarget(name: "ArchitectureTests"),
  ],
  cxxLanguageStandard: .cxx17
)

package.targets += providers.flatMap(\.targets)

for target in package.targets where target.type != .system && target.type != .binary {
  target.swiftSettings = (target.swiftSettings ?? []) + strict
}
