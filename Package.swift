// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "PhotoNotes",
  products: [
    .executable(name: "photonotes", targets: ["photonotes"]),
    .library(name: "NoteArchive", targets: ["NoteArchive"]),
    .library(name: "ArchiveJobs", targets: ["ArchiveJobs"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CImageCodecs", dependencies: ["CJPEG", "CPNG"], cSettings: cSettings),
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
      name: "photonotes", dependencies: ["ArchiveJobs", "NoteArchive", "QueryLanguage", "Terminal"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["ArchiveJobs", "NoteArchive", "Imaging", "QueryLanguage"],
      swiftSettings: swiftSettings),

    .target(
      name: "TestSupport", dependencies: ["QueryLanguage"], path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "ImagingTests", dependencies: ["Imaging", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "QueryLanguageTests", dependencies: ["QueryLanguage", "NoteArchive", "SQLite", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
    .testTarget(
      name: "NoteArchiveTests",
      dependencies: ["NoteArchive", "QueryLanguage", "SQLite", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ArchiveJobsTests",
      dependencies: ["ArchiveJobs", "NoteArchive", "Imaging", "QueryLanguage", "SQLite", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoNotesTests",
      dependencies: ["photonotes", "ArchiveJobs", "NoteArchive", "SQLite", "Terminal", "TestSupport"],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)
