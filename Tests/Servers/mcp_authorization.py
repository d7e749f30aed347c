"""A protected resource and its authorization server for the scenarios of the MCP conformance suite. Every user is signed in.
Each request is recorded in the file REQUESTS, one JSON object per line. Prints its URL.

    mcp_authorization.py REQUESTS [NAME=VALUE]…

    header=none|/PATH           the metadata URL in the challenge
    resource=root|URL           the resource in the metadata: the whole host, or this URL
    server=oauth|openid|openid-appended   the metadata document of the server
    issuer=/PATH                the path of its issuer
    metadata-issuer=URL         the issuer in its metadata document
    scopes=… server-scopes=…    the scopes in the metadata of the resource and of the server
    challenge-scope=…           the scopes in the challenge
    step-up=SCOPE|never         an additional scope that a POST requires
    methods=METHOD              the client authentication methods
    get=STATUS                  the status of every GET of the resource
    open=initialize             a method that requires no token
    batch=yes                   the responses of the resource are batches
    tools=NUMBER                the number of arguments of its tool that are repeated as headers
    grants=…                    the grants that the server lists; other grants than the code flow
    key=FILE                    the public key of the client, for private_key_jwt
    trust=URL                   the keys (JWKS) of the issuer whose assertions the server accepts
    older=metadata|endpoints    MCP of 2025-03-26: no metadata of the resource, and of the server, or of neither
    register=no  cimd=yes  promises-iss=yes  iss=right|slash|URL
    dpop=yes|nonce              requires DPoP (RFC 9449), with nonces; joserfc checks the proofs
"""
import base64
import hashlib
import http.server
import json
import secrets
import sys
import time
import urllib.parse
import urllib.request

log, *pairs = sys.argv[1:]
settings = dict(pair.split("=", 1) for pair in pairs)
clients, codes, tokens = {"known": None if settings.get("methods") == "none" else "the-secret"}, {}, {}
prefix = settings.get("issuer", "")
seen = set()


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Refused(Exception):
    """An invalid proof."""


def checked_thumbprint(handler, nonce, token=None):
    """The thumbprint of the key of a request's DPoP proof, which is checked by RFC 9449 section 4.3."""
    from joserfc import jws
    from joserfc.jwk import ECKey

    sent = handler.headers.get_all("DPoP") or []
    if len(sent) != 1:
        raise Refused("not one DPoP header")
    header = json.loads(base64.urlsafe_b64decode(sent[0].split(".")[0] + "=="))
    if header.get("typ") != "dpop+jwt" or header.get("alg") != "ES256" or "d" in header.get("jwk", {"d": ""}):
        raise Refused("the header of the proof")
    key = ECKey.import_key(header["jwk"])
    claims = json.loads(jws.deserialize_compact(sent[0], key, algorithms=["ES256"]).payload)
    if claims["htm"] != handler.command or claims["htu"] != base + urllib.parse.urlsplit(handler.path).path:
        raise Refused("htm or htu")
    if abs(claims["iat"] - time.time()) > 300:
        raise Refused("iat")
    if claims.get("ath") != (token and unpadded(hashlib.sha256(token.encode()).digest())):
        raise Refused("ath")
    if claims["jti"] in seen:
        raise Refused("jti was used before")
    seen.add(claims["jti"])
    if settings["dpop"] == "nonce" and claims.get("nonce") != nonce:
        raise Refused("use_dpop_nonce")
    return key.thumbprint()


def checked_claims(token, keys, audience, types):
    """Returns the claims of a JWT after checking its signature, audience and lifetime, and that it was not used before."""
    from joserfc import jws

    try:
        found = jws.deserialize_compact(token, keys, algorithms=["ES256", "RS256"])
    except Exception as error:
        raise Refused(f"signature: {error}")
    claims = json.loads(found.payload)
    if found.headers().get("typ", "JWT") not in types:
        raise Refused("typ")
    if claims.get("aud") not in (audience, [audience]):
        raise Refused(f"aud {claims.get('aud')}")
    if not claims["iat"] - 60 <= time.time() < claims["exp"]:
        raise Refused("exp")
    if claims["jti"] in seen:
        raise Refused("jti was used before")
    seen.add(claims["jti"])
    return found.headers(), claims


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value=None, **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if body:
            self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = self.headers.get("Content-Type", "")
        self.query = dict(urllib.parse.parse_qsl(url.query))
        self.form = dict(urllib.parse.parse_qsl(body.decode())) if "urlencoded" in kind else {}
        self.json = json.loads(body) if "json" in kind and body else {}
        with open(log, "a") as file:
            file.write(json.dumps({
                "path": url.path, "query": self.query, "form": self.form, "json": self.json,
                "headers": {name.lower(): value for name, value in self.headers.items()}}) + "\n")
        path = url.path
        if path == "/mcp":
            return self.resource()
        if path == "/move":
            settings["moved"] = "yes"
            return self.answer(200, {})
        if path == self.metadata_path() and "older" not in settings:
            return self.answer(200, self.resource_metadata())
        root = "/moved" if path.startswith("/moved") or path.endswith("/moved") else prefix
        if path == self.server_path(root) and settings.get("older") != "endpoints":
            return self.answer(200, self.server_metadata(root))
        endpoint = {"/authorize": self.authorize, "/token": self.token, "/register": self.register}.get(
            path.removeprefix("/moved") if root == "/moved" else path)
        return endpoint(root) if endpoint else self.answer(404)

    do_GET = do_POST = handle_any

    # The resource

    def metadata_path(self):
        named = settings.get("header", "")
        if named.startswith("/"):
            return named
        path = "/.well-known/oauth-protected-resource"
        return path if settings.get("resource") == "root" else path + "/mcp"

    def resource_metadata(self):
        resource = settings.get("resource", base + "/mcp")
        found = {
            "resource": base if resource == "root" else resource,
            "authorization_servers": [base + ("/moved" if "moved" in settings else prefix)]}
        if "scopes" in settings:
            found["scopes_supported"] = settings["scopes"].split()
        return found

    def resource(self):
        if "get" in settings and self.command == "GET":
            return self.answer(int(settings["get"]))
        if settings.get("open") and self.json.get("method") == settings["open"]:
            return self.result({})
        scheme, _, given = self.headers.get("Authorization", "").partition(" ")
        grant = tokens.get(given) if scheme == ("DPoP" if "dpop" in settings else "Bearer") else None
        if grant and "dpop" in settings:
            try:
                if checked_thumbprint(self, "resource-nonce", given) != grant["key"]:
                    raise Refused("another key")
            except Refused as refused:
                print("resource:", refused, file=sys.stderr, flush=True)
                error = "use_dpop_nonce" if str(refused) == "use_dpop_nonce" else "invalid_dpop_proof"
                return self.answer(
                    401, {}, DPoP_Nonce="resource-nonce",
                    WWW_Authenticate=f'DPoP error="{error}", resource_metadata="{base}{self.metadata_path()}"')
        if not grant or grant["root"] != ("/moved" if "moved" in settings else prefix):
            parameters = ['error="invalid_token"']
            if settings.get("header") != "none" and "older" not in settings:
                parameters.append(f'resource_metadata="{base}{self.metadata_path()}"')
            if "challenge-scope" in settings:
                parameters.append(f'scope="{settings["challenge-scope"]}"')
            scheme = "DPoP " if "dpop" in settings else "Bearer "
            return self.answer(401, {}, WWW_Authenticate=scheme + ", ".join(parameters))
        required = settings.get("step-up") if self.command == "POST" else None
        if required and required not in grant["scope"].split():
            scope = "mcp:write" if required == "never" else required
            return self.answer(
                403, {}, WWW_Authenticate=f'Bearer error="insufficient_scope", scope="{scope}", '
                f'resource_metadata="{base}{self.metadata_path()}"')
        if "method" not in self.json:
            return self.answer(200, {"scope": grant["scope"]})
        return self.result({"scope": grant["scope"]})

    def result(self, result):
        if "tools" in settings:
            names = [f"n{number}" for number in range(int(settings["tools"]))]
            properties = {name: {"type": "string", "x-mcp-header": name} for name in names}
            result = {"tools": [{"name": "add", "inputSchema": {"type": "object", "properties": properties}}]}
        response = {"jsonrpc": "2.0", "id": self.json.get("id"), "result": result}
        return self.answer(200, [response] if "batch" in settings else response)

    # The authorization server

    def server_path(self, root):
        return {
            "oauth": "/.well-known/oauth-authorization-server" + root,
            "openid": "/.well-known/openid-configuration" + root,
            "openid-appended": root + "/.well-known/openid-configuration",
        }[settings.get("server", "oauth")]

    def server_metadata(self, root):
        at = base + ("/moved" if root == "/moved" else "")
        found = {
            "issuer": settings.get("metadata-issuer", base + root), "authorization_endpoint": at + "/authorize",
            "token_endpoint": at + "/token", "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": [settings.get("methods", "none")]}
        if "dpop" in settings:
            found["dpop_signing_alg_values_supported"] = ["ES256"]
        if "grants" in settings:
            found["grant_types_supported"] = settings["grants"].split()
        if settings.get("register") != "no":
            found["registration_endpoint"] = at + "/register"
        if "cimd" in settings:
            found["client_id_metadata_document_supported"] = True
        if "server-scopes" in settings:
            found["scopes_supported"] = settings["server-scopes"].split()
        if "promises-iss" in settings:
            found["authorization_response_iss_parameter_supported"] = True
        return found

    def register(self, root):
        client, secret = secrets.token_urlsafe(), secrets.token_urlsafe()
        method = settings.get("methods", "none")
        clients[client] = None if method == "none" else secret
        answer = dict(self.json, client_id=client, token_endpoint_auth_method=method)
        return self.answer(201, answer if method == "none" else dict(answer, client_secret=secret))

    def authorize(self, root):
        code = secrets.token_urlsafe()
        codes[code] = dict(self.query, root=root)
        answer = {"code": code, "state": self.query["state"]}
        issuer = settings.get("iss")
        if issuer:
            answer["iss"] = {"right": base + root, "slash": base + root + "/"}.get(issuer, issuer)
        return self.answer(302, Location=self.query["redirect_uri"] + "?" + urllib.parse.urlencode(answer))

    def machine(self, root):
        from joserfc.jwk import ECKey, KeySet

        form, issuer = self.form, base + root
        client, secret = form.get("client_id"), form.get("client_secret")
        if self.headers.get("Authorization", "").startswith("Basic "):
            pair = base64.b64decode(self.headers["Authorization"][6:]).decode().split(":")
            client, secret = map(urllib.parse.unquote_plus, pair)
        try:
            if settings.get("methods") == "private_key_jwt":
                if form.get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer":
                    raise Refused("client_assertion_type")
                with open(settings["key"], "rb") as file:
                    key = ECKey.import_key(file.read())
                claims = checked_claims(form.get("client_assertion", ""), key, issuer, ["JWT"])[1]
                client = claims["iss"]
                if client != "known" or claims["sub"] != client:
                    raise Refused("iss or sub")
            elif client not in clients or clients[client] != secret:
                raise Refused("client")
        except Refused as refused:
            print("client:", refused, file=sys.stderr, flush=True)
            return self.answer(401, {"error": "invalid_client"})
        grant = form.get("grant_type")
        if grant not in settings["grants"].split():
            return self.answer(400, {"error": "unsupported_grant_type"})
        if form.get("resource") != base + "/mcp":
            return self.answer(400, {"error": "invalid_target"})
        scope = form.get("scope", "")
        if scope == "wif.trigger-unauthorized":
            return self.answer(400, {"error": "unauthorized_client"})
        if scope == "wif.rejected":
            return self.answer(400, {"error": "invalid_scope"})
        if grant.endswith(":jwt-bearer"):
            try:
                with urllib.request.urlopen(settings["trust"]) as answer:
                    keys = KeySet.import_key_set(json.load(answer))
                header, claims = checked_claims(
                    form.get("assertion", ""), keys, issuer, ["JWT", "oauth-id-jag+jwt"])
                if header.get("typ") == "oauth-id-jag+jwt":
                    if clients[client] is None or claims["client_id"] != client:
                        raise Refused("client_id")
                    if claims["resource"] != base + "/mcp":
                        raise Refused("resource")
                    scope = claims.get("scope", "")
            except Refused as refused:
                print("assertion:", refused, file=sys.stderr, flush=True)
                return self.answer(400, {"error": "invalid_grant"})
        token = secrets.token_urlsafe()
        tokens[token] = {"scope": scope, "root": root, "key": None}
        return self.answer(200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": scope})

    def token(self, root):
        if self.form.get("grant_type") != "authorization_code":
            return self.machine(root)
        client, secret = self.form.get("client_id"), self.form.get("client_secret")
        if self.headers.get("Authorization", "").startswith("Basic "):
            pair = base64.b64decode(self.headers["Authorization"][6:]).decode().split(":")
            client, secret = map(urllib.parse.unquote_plus, pair)
        if clients.get(client) != secret and "cimd" not in settings:
            return self.answer(401, {"error": "invalid_client"})
        key = None
        if "dpop" in settings:
            try:
                key = checked_thumbprint(self, "server-nonce")
            except Refused as refused:
                print("server:", refused, file=sys.stderr, flush=True)
                error = "use_dpop_nonce" if str(refused) == "use_dpop_nonce" else "invalid_dpop_proof"
                return self.answer(400, {"error": error}, DPoP_Nonce="server-nonce")
        granted = codes.pop(self.form.get("code"), None)
        proof = hashlib.sha256(self.form.get("code_verifier", "").encode()).digest()
        if not granted or base64.urlsafe_b64encode(proof).rstrip(b"=").decode() != granted["code_challenge"]:
            return self.answer(400, {"error": "invalid_grant"})
        if granted["root"] != root or granted.get("resource") != self.form.get("resource"):
            return self.answer(400, {"error": "invalid_target"})
        if key and granted.get("dpop_jkt", key) != key:
            return self.answer(400, {"error": "invalid_dpop_proof"})
        token = secrets.token_urlsafe()
        tokens[token] = {"scope": granted.get("scope", ""), "root": root, "key": key}
        return self.answer(200, {
            "access_token": token, "token_type": "DPoP" if key else "Bearer", "expires_in": 3600, "scope": granted.get("scope", "")})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
base = f"http://127.0.0.1:{server.server_address[1]}"
print(base, flush=True)
server.serve_forever()
