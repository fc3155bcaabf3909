import AggregateCore
import AggregateSQLite
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

/// What the file of the cache keeps, drops and survives.
struct CacheStoreTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("cache/cache.db") }

  private func key(_ number: Int) throws -> CacheKey {
    let url = try parsed("http://server.example/\(number)")
    return CacheKey(HTTPRequest("GET", url), identity: .init(""))
  }

  private func entry(_ body: ByteBuffer, at seconds: Int = 0, vary: String = "") -> CacheEntry {
    let time = Instant(microseconds: Int64(seconds) * 1_000_000)
    return CacheEntry(
      id: 0, vary: vary, status: 200, headers: [HTTPField("ETag", "\"\(seconds)\"")], body: body,
      fetchedAt: time, freshUntil: time, usedAt: time)
  }

  @Test("Bodies of any size come back as they were, from the same store and from another")
  func bodies() throws {
    let store = CacheStore(path: path)
    let sizes = [0, 1, 4095, 16_384, 40_000, 70_000, 3_000_000]
    for (index, size) in sizes.enumerated() {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
      try store.store(entry(ByteBuffer(bytes), at: index), key: key(index))
      // Before and after it was written.
      if index % 2 == 0 { try store.flush() }
      let found = try #require(try store.newest(key(index)) { _ in true })
      #expect(found.body.copy(0..<found.body.count) == bytes)
    }
    try store.flush()
    for (index, size) in sizes.enumerated() {
      let found = try CacheStore(path: path).newest(key(index)) { _ in true }
      #expect(found?.body.count == size)
      #expect(found?.headers == [HTTPField("ETag", "\"\(index)\"")])
      #expect(found?.fetchedAt == Instant(microseconds: Int64(index) * 1_000_000))
    }
    #expect(try CacheStore(path: path).statistics().bytes == sizes.reduce(0, +))
  }

  @Test("What was used least recently is dropped when the room is used up")
  func capacity() throws {
    let store = CacheStore(path: path, capacity: 10_000)
    for number in 0..<10 {
      try store.store(
        entry(ByteBuffer([UInt8](repeating: 1, count: 1000)), at: number), key: key(number))
    }
    try store.flush()
    // The first is used again, a day later; the same day it is not noted.
    let first = try #require(try store.newest(key(0)) { _ in true })
    try store.used(first, key: key(0), now: first.usedAt.later(by: 90_000))
    let second = try #require(try store.newest(key(1)) { _ in true })
    try store.used(second, key: key(1), now: second.usedAt.later(by: 80_000))
    try store.store(entry(ByteBuffer("x"), at: 20), key: key(10))
    try store.flush()
    #expect(try store.statistics().entries == 11)
    // Another process looks after the room with the first that it writes.
    let other = CacheStore(path: path, capacity: 10_000)
    try other.store(entry(ByteBuffer("x"), at: 21), key: key(11))
    try other.flush()
    let kept = try (0..<12).filter {
      try CacheStore(path: path).newest(key($0)) { _ in true } != nil
    }
    #expect(kept == [0, 4, 5, 6, 7, 8, 9, 10, 11])
    let database = try SQLiteConnection(path: path)
    #expect(try database.rows("SELECT count(*) FROM bodies") == [[.integer(9)]])
  }

  @Test("A file of another version is begun anew")
  func otherVersion() throws {
    for version in [1, 99] {
      let path = folder.file("\(version).db")
      let old = try SQLiteConnection(path: path)
      try old.run(
        script: """
          CREATE TABLE answers (id INTEGER PRIMARY KEY, key TEXT, body BLOB);
          INSERT INTO answers VALUES (1, 'a', 'b'); PRAGMA user_version = \(version);
          """)
      let store = CacheStore(path: path)
      #expect(try store.statistics().entries == 0)
      try store.store(entry(ByteBuffer("x")), key: key(1))
      #expect(try store.newest(key(1)) { _ in true }?.body.text == "x")
    }
  }

  @Test("The files belong to the user alone, and tell neither addresses nor credentials")
  func privacy() throws {
    let store = CacheStore(path: path)
    let request = HTTPRequest(
      "GET", try parsed("http://server.example/?q=private"),
      headers: [HTTPField("Authorization", "Bearer hidden"), HTTPField("X-A", "varying")])
    let vary = try #require(CacheKey.variant([HTTPField("Vary", "X-A")], of: request))
    try store.store(
      entry(ByteBuffer("body"), vary: vary), key: CacheKey(request, identity: .init("secret")))
    try store.flush()
    for name in ["cache.db", "cache.db-wal"] {
      let file = folder.file("cache/\(name)")
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
      for word in ["server.example", "private", "hidden", "varying", "secret"] {
        #expect(!text.contains(word), "\(word) in \(name)")
      }
    }
  }

  @Test("A file that can't be written to is told of once, and emptying it fails, too")
  func unwritable() throws {
    let store = CacheStore(path: "/proc/no/cache.db")
    #expect(throws: AggregateError.self) { try store.newest(key(1)) { _ in true } }
    #expect(throws: AggregateError.self) { try store.clear() }
    try? store.store(entry(ByteBuffer("x")), key: key(1))
    #expect(throws: AggregateError.self) { try store.flush() }
    try store.flush()
  }

  @Test("Many threads write and read the same answers")
  func threads() async throws {
    let path = path
    let body = [UInt8](repeating: 7, count: 50_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let store = CacheStore(path: path)
          for number in 0..<50 {
            try store.store(
              entry(ByteBuffer(body + [UInt8(number)]), at: number * 4 + writer),
              key: key(number % 5))
            if let found = try store.newest(key(number % 5), matching: { _ in true }) {
              #expect(found.body.count == body.count + 1)
              #expect(Int(found.body.copy(50_000..<50_001)[0]) % 5 == number % 5)
            }
          }
          try store.flush()
        }
      }
      try await group.waitForAll()
    }
    #expect(try CacheStore(path: path).statistics().entries == 5)
    #expect(try SQLiteConnection(path: path).rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}
