/// What people see of the emulator.
enum Pages {
    private static func page(_ title: String, _ body: String, status: Int = 200) -> EmulatedProvider.Reply {
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

    static func consent(id: String, clientID: String, user: String, scopes: [String]) -> EmulatedProvider.Reply {
        let listed = scopes.map { "<li>\(escape($0))</li>" }.joined()
        return page(
            "Sign in",
            """
            <p><b>\(escape(clientID))</b> asks for:</p><ul>\(listed)</ul>
            <form method="post" action="authorize/decision"><input type="hidden" name="id" value="\(escape(id))">
            <p><label>Sign in as <input name="user" value="\(escape(user))"></label></p>
            <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>
            """)
    }

    static func problem(_ text: String) -> EmulatedProvider.Reply {
        page("This request cannot be answered", "<p>\(escape(text))</p>", status: 400)
    }

    static func loggedOut() -> EmulatedProvider.Reply { page("Signed out", "<p>The session here has ended.</p>") }
}
