// swift-tools-version: 6.2
import PackageDescription

var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
var cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

// Fuzzers have libFuzzer's main function in place of one of their own, so no other build has them:
// PHOTONOTES_FUZZ=1 swift build -c release --scratch-path .build/fuzz --sanitize fuzzer --product FuzzEXIF
let isFuzzing = Context.environment["PHOTONOTES_FUZZ"] != nil
if isFuzzing {
  // Both in one flag, as the compiler heeds only the last of several.
  swiftSettings.append(.unsafeFlags(["-sanitize=fuzzer,address"]))
  cSettings.append(
    .unsafeFlags([
      "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined",
    ]))
}

let package = Package(
  name: "PhotoNotes",
  products: [
    .executable(name: "photonotes", targets: ["photonotes"]),
    .library(name: "NoteArchive", targets: ["NoteArchive"]),
    .library(name: "ArchiveJobs", targets: ["ArchiveJobs"]),
  ],
  traits: [
    .trait(name: "HEIF", description: "Reads HEIC and AVIF, by libheif"),
    .trait(name: "WebP", description: "Reads WebP, by libwebp"),
    .default(enabledTraits: []),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
    .target(
      name: "CImageCodecs",
      dependencies: [
        "CJPEG", "CPNG", .target(name: "CHEIF", condition: .when(traits: ["HEIF"])),
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ],
      cSettings: cSettings + [
        .define("HAS_HEIF", .when(traits: ["HEIF"])), .define("HAS_WEBP", .when(traits: ["WebP"])),
      ]),
    .target(name: "CDigest", cSettings: cSettings),

    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: swiftSettings),
    .target(name: "Imaging", dependencies: ["CImageCodecs"], swiftSettings: swiftSettings),
    // The ICU of the toolchain, without the rest of Foundation: see Text/UnicodeData.swift.
    .target(
      name: "QueryLanguage", swiftSettings: swiftSettings,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "NoteArchive", dependencies: ["SQLite", "QueryLanguage", "CDigest"],
      swiftSettings: swiftSettings),
    .target(
      name: "ArchiveJobs", dependencies: ["NoteArchive", "Imaging", "QueryLanguage"],
      swiftSettings: swiftSettings),
    .target(name: "Terminal", swiftSettings: swiftSettings),
    .executableTarget(
      name: "photonotes",
      dependencies: ["ArchiveJobs", "NoteArchive", "QueryLanguage", "Terminal"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "ArchiveJobs", "NoteArchive", "Imaging", "QueryLanguage", "SQLite", "TestSupport",
      ],
      swiftSettings: swiftSettings),

    .target(
      name: "TestSupport", dependencies: ["NoteArchive", "QueryLanguage"],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "ImagingTests", dependencies: ["Imaging", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
    .testTarget(
      name: "QueryLanguageTests",
      dependencies: ["QueryLanguage", "NoteArchive", "SQLite", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
    .testTarget(
      name: "NoteArchiveTests",
      dependencies: ["NoteArchive", "QueryLanguage", "SQLite", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ArchiveJobsTests",
      dependencies: [
        "ArchiveJobs", "NoteArchive", "Imaging", "QueryLanguage", "SQLite", "TestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoNotesTests",
      dependencies: [
        "photonotes", "ArchiveJobs", "NoteArchive", "QueryLanguage", "SQLite", "Terminal",
        "TestSupport",
      ],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzing {
  let subjects: [(name: String, target: Target.Dependency)] = [
    ("EXIF", "Imaging"), ("ICC", "Imaging"), ("JPEG", "Imaging"), ("PNG", "Imaging"),
    ("Containers", "Imaging"),
    ("Predicate", "QueryLanguage"),
  ]
  package.targets += subjects.map { subject in
    .executableTarget(
      name: "Fuzz\(subject.name)", dependencies: [subject.target],
      path: "Sources/Fuzzers/\(subject.name)",
      swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  }
}
