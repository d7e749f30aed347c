extension FirebaseSettings {
    /// The projects in a file of the Firebase console or the Firebase CLI, without duplicates. A script can have
    /// several.
    package static func all(in text: String) -> [FirebaseSettings] {
        if let only = FirebaseSettings(configuration: text, isInEnvelope: false) { return [only] }
        var found: [FirebaseSettings] = []
        for object in ScriptObjects(text).all {
            guard let new = FirebaseSettings(webApp: { object[$0] }),
                !found.contains(where: { $0.apiKey == new.apiKey && $0.projectID == new.projectID })
            else { continue }
            found.append(new)
        }
        return found
    }

    private init?(configuration text: String, isInEnvelope: Bool) {
        guard let object = try? StrictJSON.object(Array(text.utf8)) else {
            self.init(propertyList: text)
            return
        }
        if let android = FirebaseSettings(android: object) {
            self = android
        } else if !isInEnvelope, let result = object["result"]?.object {
            // The Firebase CLI puts a web app's settings, or the file of another app, into an envelope.
            let inside = result["sdkConfig"]?.object.map { JSONValue.object($0).text }
            guard let text = inside ?? result["fileContents"]?.string else { return nil }
            self.init(configuration: text, isInEnvelope: true)
        } else {
            // The console's format, or a server's response at /__/firebase/init.json.
            self.init(webApp: { object[$0]?.string })
        }
    }

    private init?(webApp value: (String) -> String?) {
        guard let key = Self.plain(value("apiKey")), let project = Self.plain(value("projectId")) else { return nil }
        self.init(apiKey: key, projectID: project, authDomain: Self.plain(value("authDomain")))
    }

    private init?(android object: JSONObject) {
        guard let project = Self.plain(object["project_info"]?.object?["project_id"]?.string),
            let client = object["client"]?.array?.first?.object,
            let key = Self.plain(client["api_key"]?.array?.first?.object?["current_key"]?.string)
        else { return nil }
        self.init(apiKey: key, projectID: project)
        let app = client["client_info"]?.object?["android_client_info"]?.object
        androidPackage = Self.plain(app?["package_name"]?.string)
        let apps = (client["oauth_client"]?.array ?? []).lazy.compactMap { $0.object?["android_info"]?.object }
        androidCertificate = apps.compactMap { Self.plain($0["certificate_hash"]?.string) }.first
    }

    private init?(propertyList text: String) {
        func value(_ name: String) -> String? {
            guard let key = text.firstRange(of: "<key>\(name)</key>"),
                let start = text[key.upperBound...].firstRange(of: "<string>"),
                text[key.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace),
                let end = text[start.upperBound...].firstRange(of: "</string>")
            else { return nil }
            return Self.plain(String(text[start.upperBound..<end.lowerBound]))
        }
        guard let key = value("API_KEY"), let project = value("PROJECT_ID") else { return nil }
        self.init(apiKey: key, projectID: project, bundleID: value("BUNDLE_ID"))
    }

    private static func plain(_ text: String?) -> String? {
        text.flatMap { (1...256).contains($0.utf8.count) && $0.hasOnlyLettersAndDigits(or: "-._:") ? $0 : nil }
    }
}

/// The objects in JavaScript, with their string members. Comments are skipped.
private struct ScriptObjects {
    private(set) var all: [[String: String]] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var open: [[String: String]] = [[:]]
        var (word, name): (String?, String?)
        var position = 0
        func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
        while position < bytes.count {
            let start = position
            position += 1
            switch bytes[start] {
            case UInt8(ascii: "/") where bytes.count > position && [0x2A, 0x2F].contains(bytes[position]):
                let end = bytes[position] == 0x2A ? "*/" : "\n"
                while position < bytes.count, !isNext(end) { position += 1 }
                position += end.utf8.count
            case let quote where "\"'`".utf8.contains(quote):
                // A string ends at the end of its line, because its quote may be an apostrophe.
                while position < bytes.count, bytes[position] != quote, bytes[position] != 10 { position += 1 }
                let text = String(decoding: bytes[(start + 1)..<position], as: UTF8.self)
                position += 1
                if let name { open[open.count - 1][name] = text } else { word = text }
                name = nil
            case UInt8(ascii: ":"): (word, name) = (nil, word)
            case UInt8(ascii: "{"):
                open.append([:])
                (word, name) = (nil, nil)
            case UInt8(ascii: "}"):
                if open.count > 1 { all.append(open.removeLast()) }
                (word, name) = (nil, nil)
            case let byte where byte.isLetterOrDigit || byte == UInt8(ascii: "_"):
                while position < bytes.count, bytes[position].isLetterOrDigit || bytes[position] == 0x5F {
                    position += 1
                }
                (word, name) = (String(decoding: bytes[start..<position], as: UTF8.self), nil)
            case 0x20, 9, 10, 13: break
            default: (word, name) = (nil, nil)
            }
        }
        all += open.reversed()
    }
}
