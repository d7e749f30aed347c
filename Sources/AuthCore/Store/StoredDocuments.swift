/// The cache of discovery documents and key sets in the store: protected like the tokens, because the keys decide which
/// tokens are accepted.
package struct StoredDocuments: DocumentCache {
    let store: Store

    package func document(for key: String) async -> CachedDocument? {
        try? await store.read { db -> CachedDocument? in
            let row = try Row.fetchOne(db, "SELECT * FROM document WHERE key = \(key)")
            guard let row else { return nil }
            return CachedDocument(
                body: try row["body"], fetchedAt: Seconds.time(try row["fetched_at"]),
                freshUntil: Seconds.time(try row["fresh_until"]),
                forcedAt: (try row["forced_at"] as Int64?).map(Seconds.time),
                zone: (try row["zone"] as Int?).flatMap(NetworkZone.init(rawValue:)))
        }
    }

    package func store(_ document: CachedDocument, for key: String) async {
        // If the cache cannot be written, the next command fetches the document again.
        try? await store.write {
            try $0.replace(
                into: "document",
                values: [
                    "key": key, "body": document.body, "fetched_at": document.fetchedAt,
                    "fresh_until": document.freshUntil, "forced_at": document.forcedAt, "zone": document.zone?.rawValue,
                ])
        }
    }
}
