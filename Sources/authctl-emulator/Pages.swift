enum Pages {
    private static func page(_ title: String, _ body: String, status: Int = 200) -> Reply {
        .html(
            """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title><style>
            :root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}
            button{font:inherit;padding:.5rem 1.2rem;margin-right:.5rem}input{font:inherit;padding:.4rem;width:100%;box-sizing:border-box}
            </style></head><body><h1>\(title)</h1>\(body)</body></html>
            """, status: status)
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    static func consent(id: String, clientID: String, user: String, scopes: [String]) -> Reply {
        let listed = scopes.map { "<li>\(escape($0))</li>" }.joined()
        return page(
            "Sign in",
            """
            <p><b>\(escape(clientID))</b> asks for:</p><ul>\(listed)</ul>
            <form method="post" action="/emulator/decision"><input type="hidden" name="id" value="\(escape(id))">
            <p><label>Sign in as <input name="user" value="\(escape(user))"></label></p>
            <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>
            """)
    }

    static func device(code: String, _ user: String) -> Reply {
        page(
            "Connect a device",
            """
            <p>Enter the code that the device shows.</p>
            <form method="post" action="/emulator/device">
            <p><label>Code <input name="user_code" value="\(escape(code))"></label></p>
            <p><label>Sign in as <input name="user" value="\(escape(user))"></label></p>
            <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>
            """)
    }

    static func deviceDone(_ isAllowed: Bool) -> Reply {
        page(isAllowed ? "The device is connected." : "The device was refused.", "<p>Continue on the device.</p>")
    }

    static func problem(_ text: String, status: Int = 400) -> Reply {
        page("The request is invalid.", "<p>\(escape(text))</p>", status: status)
    }

    static func formPost(to url: String, _ parameters: [(String, String)]) -> Reply {
        let fields = parameters.map {
            "<input type=\"hidden\" name=\"\(escape($0.0))\" value=\"\(escape($0.1))\">"
        }
        return page(
            "Signing in",
            """
            <form method="post" action="\(escape(url))">\(fields.joined())<button>Continue</button></form>
            <script>document.forms[0].submit()</script>
            """)
    }

    static func loggedOut() -> Reply { page("Signed out", "<p>The session at this provider has ended.</p>") }
}
