// swift-tools-version: 6.2
import PackageDescription

// Programs that use the library, as a package of its own: they see what any other program sees.
let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "authctl", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(name: "TokenJob", dependencies: [.product(name: "AuthCore", package: "authctl")]),
        .executableTarget(
            name: "ResourceServer",
            dependencies: [
                .product(name: "AuthCore", package: "authctl"), .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
    ])
