/// One step from a tree to another.
enum YAMLEdit: Hashable {
    case replace([String], YAMLNode)
    case insert([String], YAMLMapping.Entry)
    case append([String], [YAMLNode])
    case remove([String])

    /// The first step, nil if both trees are equal. Insertions come before deletions, so that no mapping is empty in
    /// between.
    init?(from old: YAMLNode, to new: YAMLNode, at path: [String] = []) {
        guard old != new else { return nil }
        // Other places share an alias, so this place gets a copy first.
        if old.place?.style != .alias {
            if let old = old.mapping, let new = new.mapping {
                self.init(from: old, to: new, at: path)
                return
            }
            if let old = old.sequence, let new = new.sequence, !old.isEmpty, new.starts(with: old) {
                self = .append(path, Array(new[old.count...]))
                return
            }
        }
        self = .replace(path, new)
    }

    private init(from old: YAMLMapping, to new: YAMLMapping, at path: [String]) {
        self = .replace(path, .mapping(new))
        guard !new.entries.isEmpty, old.keys.count == old.entries.count, new.keys.count == new.entries.count else {
            return
        }
        let values = old.valuesByName
        var added: YAMLMapping.Entry?
        for entry in new.entries {
            guard let key = entry.key.text, let value = values[entry.name] else {
                added = added ?? entry
                continue
            }
            if let edit = YAMLEdit(from: value, to: entry.value, at: path + [key]) {
                self = edit
                return
            }
        }
        if let added {
            self = .insert(path, added)
            return
        }
        let remaining = Set(new.entries.map(\.name))
        if let removed = old.entries.first(where: { !remaining.contains($0.name) }), let key = removed.key.text {
            self = .remove(path + [key])
        }
    }
}
