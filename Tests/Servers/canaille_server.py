#!/usr/bin/env python3
"""A real OpenID Provider for the tests: canaille from PyPI, with a new database.

    canaille_server.py start DIR     stores everything in DIR; DIR/env has the settings for clients
    canaille_server.py stop DIR

Runs in the virtual environment that requirements.txt was installed into.
"""
import datetime
import os
import secrets
import sys

import serverlib

SECRET = "the-secret-of-the-confidential-client"


def settings(directory, port):
    from joserfc.jwk import ECKey, OKPKey, RSAKey
    keys = (RSAKey.generate_key(2048, auto_kid=True), ECKey.generate_key("P-256", auto_kid=True),
            OKPKey.generate_key("Ed25519", auto_kid=True))
    inline = ",\n  ".join(
        "{ " + ", ".join(f'{name} = "{value}"' for name, value in key.as_dict(private=True).items()) + " }"
        for key in keys)
    return f"""SECRET_KEY = "{secrets.token_urlsafe(24)}"
SERVER_NAME = "127.0.0.1:{port}"
PREFERRED_URL_SCHEME = "http"

[CANAILLE]
NAME = "Example sign-in"
DATABASE = "sql"
JAVASCRIPT = false
HTMX = false
EMAIL_CONFIRMATION = false
ENABLE_PASSWORD_RECOVERY = false
CAPTCHA_ENABLED = false

[CANAILLE_SQL]
DATABASE_URI = "sqlite:///{directory}/canaille.sqlite"
PASSWORD_SCHEMES = "pbkdf2_sha512"

[CANAILLE_OIDC]
DYNAMIC_CLIENT_REGISTRATION_OPEN = true
REQUIRE_NONCE = false
TRUSTED_DOMAINS = ["127.0.0.1"]
ACTIVE_JWKS = [
  {inline}
]
"""


def fill(redirect):
    """Adds the clients and users to the database."""
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend
    with create_app().app_context(), Backend.instance.session():
        now = datetime.datetime.now(datetime.timezone.utc)
        for name, method, algorithm in (
                ("confidential", "client_secret_basic", "RS256"), ("confidential-post", "client_secret_post", "RS256"),
                ("public-rs256", "none", "RS256"), ("public-es256", "none", "ES256"), ("public-eddsa", "none", "EdDSA")):
            client = models.Client(
                client_id=name, client_name=name, client_secret=None if method == "none" else SECRET,
                client_id_issued_at=now, client_uri="https://authctl.example/", redirect_uris=[redirect],
                post_logout_redirect_uris=[redirect], grant_types=["authorization_code", "refresh_token"],
                response_types=["code"], token_endpoint_auth_method=method, scope=["openid", "profile", "email"],
                id_token_signed_response_alg=algorithm)
            Backend.instance.save(client)
            client.audience = [client]
            Backend.instance.save(client)
        for user in ("alice", "bob"):
            Backend.instance.save(models.User(
                user_name=user, password=user + "-password", given_name=user.capitalize(), family_name="Example",
                formatted_name=user.capitalize() + " Example", display_name=user, emails=[user + "@example.com"],
                preferred_language="en"))


def start(directory):
    port, redirect_port = serverlib.free_port(), serverlib.free_port()
    base = f"http://127.0.0.1:{port}"
    configuration = os.path.join(directory, "canaille.toml")
    with open(configuration, "w") as file:
        file.write(settings(directory, port))
    # Canaille also reads settings from the environment, so it gets only the variables that it requires.
    bin_directory = os.path.dirname(sys.executable)
    environment = {"PATH": bin_directory + ":/usr/bin:/bin", "HOME": directory, "LANG": "C.UTF-8",
                   "CANAILLE_CONFIG": configuration}
    os.environ.clear()
    os.environ.update(environment)
    # The stories call this provider oidc.work, whose redirect URI has its own path.
    fill(f"http://127.0.0.1:{redirect_port}/callback/oidc.work")
    process = serverlib.start(
        directory, [bin_directory + "/canaille", "run", "--bind", f"127.0.0.1:{port}", "--workers", "1"], environment)
    serverlib.wait_for(base + "/.well-known/openid-configuration", process)
    serverlib.write_env(directory, {
        "ISSUER": base, "CLIENT_ID": "confidential", "CLIENT_SECRET": SECRET,
        "PUBLIC_CLIENT_IDS": "public-rs256 public-es256 public-eddsa", "REDIRECT_PORT": redirect_port})


if __name__ == "__main__":
    {"start": start, "stop": serverlib.stop}[sys.argv[1]](os.path.abspath(sys.argv[2]))
