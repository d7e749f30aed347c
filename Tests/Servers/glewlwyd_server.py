#!/usr/bin/env python3
"""A real OpenID Provider for the tests: Glewlwyd from Debian, with a new database.

    glewlwyd_server.py start DIR     stores everything in DIR; DIR/env has the settings for clients
    glewlwyd_server.py stop DIR

PAR_REQUIRED and DPOP_NONCE make it require PAR or DPoP nonces. RESOURCES has the allowed resources (RFC 8707), separated by
spaces. TLS_URL is the URL of a proxy in front of it, which sends the client's certificate in the header SSL_CLIENT_CERT
(RFC 8705): the client `certificate` has a CA-signed one for CERTIFICATE_SUBJECT, `self-signed` the one in CERTIFICATE.
"""
import json
import os
import sqlite3
import subprocess
import sys
import urllib.request

import serverlib

SCHEMA = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
SECRET = "the-secret-of-the-confidential-client"
CONFIGURATION = """
port={port}
bind_address="127.0.0.1"
external_url="{external}"
login_url="login.html"
api_prefix="api"
static_files_path="/usr/share/glewlwyd/webapp/"
static_files_mime_types = (
  {{ extension = ".html" mime_type = "text/html" compress = 0 }},
  {{ extension = ".css" mime_type = "text/css" compress = 0 }},
  {{ extension = ".js" mime_type = "application/javascript" compress = 0 }},
  {{ extension = ".json" mime_type = "application/json" compress = 0 }},
  {{ extension = ".woff2" mime_type = "font/woff2" compress = 0 }} )
allow_origin="*"
allow_methods="GET, POST, PUT, DELETE, OPTIONS"
allow_headers="Origin, X-Requested-With, Content-Type, Accept, Bearer, Authorization, DPoP"
expose_headers="Content-Encoding, Authorization"
log_mode="file"
log_level="INFO"
log_file="{directory}/glewlwyd.log"
cookie_domain=""
cookie_secure=0
cookie_same_site="lax"
session_expiration=86400
session_key="SESSION"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
allow_multiple_user_per_session=true
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="{directory}/none"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = {{ type = "sqlite3" path = "{directory}/glewlwyd.db" }};
"""


class Admin:
    """The administrator's REST interface."""

    def __init__(self, base):
        self.base = base
        self.cookie = None
        _, headers = self.call("POST", "/auth/", {"username": "admin", "password": "password"})
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + "/api" + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        if self.cookie:
            request.add_header("Cookie", self.cookie)
        with urllib.request.urlopen(request, timeout=float(os.environ["PATIENCE"])) as answer:
            data = answer.read()
            return (json.loads(data) if data else None), answer.headers


def claim_of(user_property, scope):
    return {"name": "preferred_username", "user-property": user_property, "type": "string", "mandatory": False,
            "on-demand": True, "scope": [scope]}


def provider_settings(base, keys, scopes):
    """The OpenID Connect plugin: code flow with PKCE S256, rotating refresh tokens, revocation, registration."""
    on = ("allow-non-oidc", "auth-type-code-enabled", "auth-type-code-revoke-replayed", "auth-type-id-token-enabled",
          "auth-type-client-enabled", "auth-type-device-enabled", "auth-type-refresh-enabled", "auth-type-none-enabled",
          "pkce-allowed", "pkce-required", "pkce-required-public-client", "refresh-token-rolling", "jwks-show",
          "introspection-revocation-allowed", "introspection-revocation-allow-target-client", "register-client-allowed",
          "session-management-allowed", "oauth-as-iss-id", "request-parameter-allow", "oauth-par-allowed",
          "oauth-dpop-allowed")
    off = ("auth-type-token-enabled", "auth-type-password-enabled", "pkce-method-plain-allowed",
           "back-channel-logout-allowed", "front-channel-logout-allowed",
           "oauth-rar-allowed", "oauth-ciba-allowed",
           "encrypt-out-token-allow", "request-parameter-ietf-strict", "request-parameter-allow-encrypted",
           "request-uri-allow-https-non-secure", "register-client-management-allowed", "register-client-token-one-use",
           "resource-change-allowed", "resource-scope-and-client-property")
    accepts_certificates = "TLS_URL" in os.environ
    resources = os.environ.get("RESOURCES", "").split()
    settings = {name: True for name in on} | {name: False for name in off}
    return settings | {
        "oauth-par-required": bool(os.environ.get("PAR_REQUIRED")),
        "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "oauth-par-duration": 90,
        "oauth-dpop-iat-duration": 60, "oauth-dpop-iat-gap-duration": 5,
        "oauth-dpop-nonce-mandatory": bool(os.environ.get("DPOP_NONCE")), "oauth-dpop-nonce-counter": 5,
        "oauth-dpop-dpop_bound_access_tokens-property": "dpop_bound_access_tokens",
        "iss": base + "/api/oidc", "jwks-private": json.dumps(keys), "default-kid": keys["keys"][0]["kid"],
        "client-sign_kid-parameter": "sign_kid", "jwt-type": "rsa", "jwt-key-size": "256",
        "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 60,
        "refresh-token-one-use": "always", "device-authorization-expiration": 600, "device-authorization-interval": 1,
        "scope": [], "allowed-scope": scopes, "additional-parameters": [],
        "claims": [claim_of("username", "profile")], "name-claim": "on-demand", "name-claim-scope": ["profile"],
        "email-claim": "on-demand", "email-claim-scope": ["email"], "scope-claim": "no", "scope-claim-scope": [],
        "address-claim": {"type": "no"}, "subject-type": "public", "pkce-scopes": [],
        "request-maximum-exp": 3600, "client-pubkey-parameter": "pubkey", "client-jwks-parameter": "jwks",
        "client-jwks_uri-parameter": "jwks_uri", "introspection-revocation-auth-scope": [],
        "register-client-auth-scope": [], "register-client-credentials-scope": [], "register-default-properties": {},
        "session-cookie-name": "OIDC_SESSION", "session-cookie-expiration": 86400,
        "resource-allowed": bool(resources), "resource-client-property": "",
        "resource-scope": {scope: resources for scope in scopes} if resources else {},
        "client-cert-source": "header" if accepts_certificates else "no", "client-cert-header-name": "SSL_CLIENT_CERT",
        "client-cert-use-endpoint-aliases": accepts_certificates, "client-cert-self-signed-allowed": accepts_certificates,
    }


def certificate_set(path):
    """The key set of a client that registers its own certificate (RFC 8705 section 2.2)."""
    output = subprocess.run(["rnbyc", "-j", "-f", path], check=True, capture_output=True)
    return json.loads(output.stdout)


def provision(base, external, directory, redirect_port):
    admin = Admin(base)
    with open(os.path.join(directory, "jwks.json")) as file:
        keys = json.load(file)
    scopes = ["openid", "profile", "email", "offline_access"]
    for scope in scopes[1:]:
        admin.call("POST", "/scope/", {
            "name": scope, "display_name": scope, "description": scope, "password_required": True,
            "password_max_age": 0, "scheme": {}})
    openid, _ = admin.call("GET", "/scope/openid")
    admin.call("PUT", "/scope/openid", openid | {"password_required": True})
    store, _ = admin.call("GET", "/mod/client/database")
    for name in ("post_logout_redirect_uris", "sign_kid"):
        store["parameters"]["data-format"][name] = {"multiple": name.endswith("s"), "read": True, "write": True}
    store["parameters"]["data-format"]["tls_client_auth_subject_dn"] = {"multiple": False, "read": True, "write": True}
    store["parameters"]["data-format"]["jwks"] = {"multiple": False, "read": True, "write": True, "convert": "jwks"}
    admin.call("PUT", "/mod/client/database",
               {name: store[name] for name in ("display_name", "parameters", "order_rank", "readonly")})
    admin.call("PUT", "/mod/client/database/reset")
    admin.call("POST", "/mod/plugin/", {
        "module": "oidc", "name": "oidc", "display_name": "OpenID Connect",
        "parameters": provider_settings(external, keys, scopes)})
    redirect = f"http://127.0.0.1:{redirect_port}/callback"
    # The default provider configuration; the stories call it oidc.work.
    redirects = [redirect, redirect + "/oidc.work"]

    def add_client(name, confidential, key=None, **credential):
        client = {
            "client_id": name, "name": name, "confidential": confidential, "enabled": True,
            "redirect_uri": redirects, "post_logout_redirect_uris": [redirect], "scope": [],
            "authorization_type": ["code", "refresh_token", "delete_token", "device_authorization"],
            "token_endpoint_auth_method": ["none"]}
        if confidential:
            # Glewlwyd allows a client to call the revocation endpoint only with client_credentials.
            client |= {"client_secret": SECRET, "scope": ["openid"],
                       "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]}
            client["authorization_type"].append("client_credentials")
        if key:
            client["sign_kid"] = key
        if credential:
            del client["client_secret"]
        admin.call("POST", "/client/", client | credential)

    add_client("confidential", True)
    if "CERTIFICATE_SUBJECT" in os.environ:
        add_client("certificate", True, token_endpoint_auth_method=["tls_client_auth"],
                   tls_client_auth_subject_dn=os.environ["CERTIFICATE_SUBJECT"])
    if "CERTIFICATE" in os.environ:
        add_client("self-signed", True, token_endpoint_auth_method=["self_signed_tls_client_auth"],
                   jwks=certificate_set(os.environ["CERTIFICATE"]))
    for key in ("rs256", "es256", "es384", "ps256", "eddsa"):
        add_client("public-" + key, False, key)
    for user in ("alice", "bob"):
        admin.call("POST", "/user/", {
            "username": user, "password": user + "-password", "name": user.capitalize() + " Example",
            "email": user + "@example.com", "enabled": True, "scope": scopes + ["g_profile"]})


def start(directory):
    port, redirect_port = serverlib.free_port(), serverlib.free_port()
    base = f"http://127.0.0.1:{port}"
    external = os.environ.get("TLS_URL", base)
    os.makedirs(os.path.join(directory, "none"), exist_ok=True)
    with open(SCHEMA, encoding="utf-8") as schema, sqlite3.connect(os.path.join(directory, "glewlwyd.db")) as database:
        database.executescript(schema.read())
    keys = []
    for name, kind, algorithm in (("rs256", "rsa2048", "RS256"), ("es256", "ec256", "ES256"), ("es384", "ec384", "ES384"),
                                  ("eddsa", "ed25519", "EdDSA"), ("ps256", "rsa2048", "PS256")):
        keys += ["-g", kind, "-k", name, "-a", algorithm]
    subprocess.run(["rnbyc", "-j"] + keys + ["-p", os.devnull, "-o", os.path.join(directory, "jwks.json")],
                   check=True, stdout=subprocess.DEVNULL)
    configuration = os.path.join(directory, "glewlwyd.conf")
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(port=port, external=external, directory=directory))
    process = serverlib.start(directory, ["glewlwyd", "--config-file=" + configuration])
    serverlib.wait_for(base + "/config", process)
    provision(base, external, directory, redirect_port)
    serverlib.write_env(directory, {
        "PLAIN": base, "ISSUER": external + "/api/oidc", "CLIENT_ID": "confidential", "CLIENT_SECRET": SECRET,
        "PUBLIC_CLIENT_IDS": "public-rs256 public-es256 public-es384 public-ps256 public-eddsa",
        "REDIRECT_PORT": redirect_port})


if __name__ == "__main__":
    {"start": start, "stop": serverlib.stop}[sys.argv[1]](os.path.abspath(sys.argv[2]))
