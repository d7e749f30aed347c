extension FirebaseSettings {
    package init?(configuration text: String) { self.init(configuration: text, isInEnvelope: false) }

    private init?(configuration text: String, isInEnvelope: Bool) {
        func isPlain(_ text: String) -> Bool { FirebaseSettings.plain(text[...]) != nil }
        if let object = try? StrictJSON.object(Array(text.utf8)) {
            if let project = object["project_info"]?.object?["project_id"]?.string,
                let client = object["client"]?.array?.first?.object,
                let key = client["api_key"]?.array?.first?.object?["current_key"]?.string, isPlain(key),
                isPlain(project)
            {
                self.init(apiKey: key, projectID: project)
                let package = client["client_info"]?.object?["android_client_info"]?.object?["package_name"]?.string
                androidPackage = package.flatMap { isPlain($0) ? $0 : nil }
                let apps = (client["oauth_client"]?.array ?? []).lazy.compactMap { $0.object?["android_info"]?.object }
                androidCertificate = apps.compactMap { $0["certificate_hash"]?.string }.first(where: isPlain)
                return
            }
            // The Firebase CLI puts a web app's settings, or the file of another app, into an envelope.
            if !isInEnvelope, let result = object["result"]?.object {
                let inside = result["sdkConfig"]?.object.map { JSONValue.object($0).text }
                guard let text = inside ?? result["fileContents"]?.string else { return nil }
                self.init(configuration: text, isInEnvelope: true)
                return
            }
            // The console's own shape, or a server's answer at /__/firebase/init.json.
            guard let key = object["apiKey"]?.string, let project = object["projectId"]?.string, isPlain(key),
                isPlain(project)
            else { return nil }
            let domain = object["authDomain"]?.string
            self.init(apiKey: key, projectID: project, authDomain: domain.flatMap { isPlain($0) ? $0 : nil })
            return
        }
        func value(plist name: String) -> String? {
            guard let key = text.firstRange(of: "<key>\(name)</key>"),
                let start = text[key.upperBound...].firstRange(of: "<string>"),
                text[key.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace),
                let end = text[start.upperBound...].firstRange(of: "</string>")
            else { return nil }
            return FirebaseSettings.plain(text[start.upperBound..<end.lowerBound])
        }
        if let key = value(plist: "API_KEY"), let project = value(plist: "PROJECT_ID") {
            self.init(apiKey: key, projectID: project, bundleID: value(plist: "BUNDLE_ID"))
            return
        }
        func value(script name: String) -> String? {
            guard let found = text.firstRange(of: name) else { return nil }
            let rest = text[found.upperBound...].drop { $0 == "\"" || $0 == "'" }.drop(while: \.isWhitespace)
            guard rest.first == ":" else { return nil }
            let quoted = rest.dropFirst().drop(while: \.isWhitespace)
            guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
            return FirebaseSettings.plain(quoted.dropFirst().prefix { $0 != quote })
        }
        guard let key = value(script: "apiKey"), let project = value(script: "projectId") else { return nil }
        self.init(apiKey: key, projectID: project, authDomain: value(script: "authDomain"))
    }

    private static func plain(_ text: Substring) -> String? {
        (1...256).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "-._:") ? String(text) : nil
    }
}
