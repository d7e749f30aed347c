"""PyPI's idpyoidc as an OpenID Provider that exchanges tokens (RFC 8693). Every user is Diana. Prints its URL.

    idpyoidc_server.py DIRECTORY REDIRECT_URI

It stores its keys in DIRECTORY. The clients `app` and `api` have the secret `the-secret`, and can exchange tokens of both.
"""
import http.server
import json
import os
import sys
import urllib.parse

from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration

directory, redirect_uri = sys.argv[1:]
os.makedirs(directory + "/private", exist_ok=True)
served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
base = f"http://127.0.0.1:{served.server_address[1]}"
keys = [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]
exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
jwt = {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 600, "aud": [base]}}
methods = ["client_secret_basic", "client_secret_post"]


def endpoint(path, name, **settings):
    return {"path": path, "class": "idpyoidc.server." + name, "kwargs": settings}


configuration = {
    "issuer": base, "httpc_params": {"verify": False, "timeout": 1},
    "preference": {"subject_types_supported": ["public"], "response_types_supported": ["code"],
                   "scopes_supported": ["openid", "profile", "email", "offline_access"]},
    "key_conf": {"uri_path": "jwks", "key_defs": keys, "private_path": directory + "/private/keys.json",
                 "read_only": False},
    "cookie_handler": {"class": "idpyoidc.server.cookie_handler.CookieHandler", "kwargs": {"keys": {"key_defs": [
        {"type": "OCT", "kid": "sig", "use": ["sig"]}, {"type": "OCT", "kid": "enc", "use": ["enc"]}]}}},
    "endpoint": {
        "provider_config": endpoint(
            ".well-known/openid-configuration", "oidc.provider_config.ProviderConfiguration",
            client_authn_method=None),
        "authorization": endpoint("authorization", "oidc.authorization.Authorization", client_authn_method=None),
        "token": endpoint("token", "oidc.token.Token", client_authn_method=methods),
        "userinfo": endpoint("userinfo", "oidc.userinfo.UserInfo"),
    },
    "authentication": {"anon": {
        "acr": "anybody", "class": "idpyoidc.server.user_authn.user.NoAuthn", "kwargs": {"user": "diana"}}},
    "userinfo": {"class": "idpyoidc.server.user_info.UserInfo",
                 "kwargs": {"db": {"diana": {"name": "Diana Example", "email": "diana@example.com"}}}},
    "authz": {"class": "idpyoidc.server.authz.AuthzHandling", "kwargs": {"grant_config": {
        "usage_rules": {
            "authorization_code": {
                "supports_minting": ["access_token", "refresh_token", "id_token"], "max_usage": 1},
            "access_token": {"supports_minting": ["access_token"], "expires_in": 600},
            "refresh_token": {"supports_minting": ["access_token", "refresh_token", "id_token"]},
        }, "expires_in": 3600}}},
    "token_handler_args": {
        "jwks_def": {"private_path": directory + "/private/token.json", "read_only": False, "key_defs": [
            {"type": "oct", "bytes": 24, "use": ["enc"], "kid": name} for name in ("code", "token", "refresh")]},
        "code": {"lifetime": 600}, "token": jwt, "refresh": jwt,
        "id_token": {"class": "idpyoidc.server.token.id_token.IDToken", "kwargs": {}},
    },
    "add_ons": {"pkce": {"function": "idpyoidc.server.oauth2.add_on.pkce.add_support", "kwargs": {
        "code_challenge_length": 64, "code_challenge_method": "S256"}}},
}
server = Server(OPConfiguration(conf=configuration, base_path=directory), cwd=directory)
server.context.map_supported_to_preferred()
for name in ("app", "api"):
    server.context.cdb[name] = {
        "client_id": name, "client_secret": "the-secret", "client_salt": "salt",
        "redirect_uris": [(redirect_uri, {})], "response_types": ["code"], "response_types_supported": ["code"],
        "token_endpoint_auth_method": "client_secret_basic",
        "grant_types_supported": ["authorization_code", "refresh_token", exchange],
        "allowed_scopes": ["openid", "profile", "email", "offline_access"]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if url.path == "/jwks":
            return self.answer(200, json.dumps(server.keyjar.export_jwks()).encode(), Content_Type="application/json")
        target = next((e for e in server.endpoint.values() if "/" + e.endpoint_path == url.path), None)
        if target is None:
            return self.answer(404)
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = dict(urllib.parse.parse_qsl(url.query)) if self.command == "GET" else body
        request = target.parse_request(sent, http_info={"headers": headers, "method": self.command, "url": self.path})
        args = {"response_args": request.to_dict()} if "error" in request else target.process_request(request)
        wrong = args if "error" in args else args.get("response_args", {})
        if "error" in wrong:
            error = {name: wrong[name] for name in ("error", "error_description") if name in wrong}
            return self.answer(400, json.dumps(error).encode(), Content_Type="application/json")
        output = target.do_response(request=request, **args)
        if target.response_placement == "url":
            return self.answer(303, Location=output["response"])
        self.answer(200, output["response"].encode(), Content_Type="application/json")

    do_GET = do_POST = handle_any


served.RequestHandlerClass = Handler
print(base, flush=True)
served.serve_forever()
