// swift-tools-version: 6.2
import PackageDescription

// One list for every target of ours: what compiles here is held to the same rules everywhere.
var settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// `make test`: what the compiler warns of in our code is an error there, and nowhere else.
if Context.environment["AUTHCTL_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }

// `make fuzz`: our code alone tells libFuzzer what ran.
let isFuzzed = Context.environment["AUTHCTL_FUZZ"] != nil
if isFuzzed { settings.append(.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])) }

// The screens of the help that are written by hand, in the program itself.
let screens: [Resource] = [.embedInCode("Parser/Screens.txt")]

let package = Package(
    name: "authctl",
    products: [
        .library(name: "AuthCore", targets: ["AuthCore"]),
        .library(name: "AuthCoreTesting", targets: ["AuthCoreTesting"]),
        .executable(name: "authctl", targets: ["authctl"]),
        .executable(name: "authctl-emulator", targets: ["authctl-emulator"]),
    ],
    traits: [
        .trait(name: "Metrics", description: "Renewals are counted and timed by swift-metrics."),
        .trait(name: "Tracing", description: "Renewals are spans of swift-distributed-tracing."),
    ],
    // Few, because each can read the user's credentials and needs updates. `authctl --version` prints those of the program.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CLinux"),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        // What `make release` says it was built from: only this one file is compiled anew for another commit.
        .target(
            name: "CBuild",
            cSettings: Context.environment["AUTHCTL_COMMIT"].map { commit in
                let name = commit.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                return name.isEmpty ? [] : [.define("AUTHCTL_COMMIT", to: "\"\(name)\"")]
            } ?? []),
        // The catalog of services, as data in the program.
        .target(name: "CCatalog", exclude: ["services.yaml"]),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "AuthCore",
            dependencies: [
                "COpenSSL", "CCurl", "CSQLite", "CLinux", "CSystemd", "CYAML", "CCatalog",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ],
            swiftSettings: settings,
            // The archive, not the shared library: that would be loaded by each `token`, which needs none of it.
            linkerSettings: [.linkedLibrary(":libyaml.a")]),
        // A provider, a clock and a transport for the tests of programs that use AuthCore, and for our own.
        .target(name: "AuthCoreTesting", dependencies: ["AuthCore"], swiftSettings: settings),
        .executableTarget(
            name: "authctl",
            dependencies: [
                "AuthCore", "CBuild", "CLinux", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: screens, swiftSettings: settings),
        .executableTarget(
            name: "authctl-emulator",
            dependencies: [
                "AuthCore", "CLinux", "COpenSSL", "FlyingFox", .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "AuthCoreTests", dependencies: ["AuthCore", "AuthCoreTesting", "CCurl", "COpenSSL", "TestSupport"],
            exclude: ["Store/Stores", "Catalog/facts.tsv"], swiftSettings: settings),
        // As any other program would: nothing that is not public.
        .testTarget(
            name: "PublicAPITests",
            dependencies: ["AuthCore", "AuthCoreTesting", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        .testTarget(
            name: "authctlTests",
            dependencies: [
                "authctl", "authctl-emulator", "AuthCore", "AuthCoreTesting", "COpenSSL", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(name: "RepositoryTests", dependencies: [], swiftSettings: settings),
    ])

// `make simulate`: many processes in one, which a seed orders.
if Context.environment["AUTHCTL_SIMULATION"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Simulation", dependencies: ["AuthCore", "AuthCoreTesting", "TestSupport"], path: "Tests/Simulation",
            swiftSettings: settings))
}

// libFuzzer brings a `main` of its own: the tool's steps aside, so that its readers can be called.
if isFuzzed {
    package.targets.removeAll { $0.isTest || $0.name.hasPrefix("authctl") }
    package.products.removeAll { $0.name.hasPrefix("authctl") }
    package.targets += [
        .target(
            name: "authctl",
            dependencies: [
                "AuthCore", "CBuild", "CLinux", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: screens,
            swiftSettings: settings + [
                .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "authctl_main"])
            ]),
        .executableTarget(
            name: "Fuzz", dependencies: ["AuthCore", "authctl"], path: "Tests/Fuzz",
            exclude: ["Corpus", "Dictionaries", "run"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}
