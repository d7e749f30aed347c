"""The services at which the SDKs of AWS, Azure, Google Cloud, Anthropic and OpenAI exchange an ID token, on loopback. Each
service verifies the token's signature, issuer, audience and expiry, without leeway. AWS is moto. Prints the URL; each
service has a path below it.

    sdk_services.py LOG ISSUER AUDIENCE[,AUDIENCE…] [CERTIFICATE KEY]

Tokens that a service issues are valid as long as the token that they were exchanged for. The log has a line for each use."""
import io
import json
import os
import secrets
import sys
import threading
import time
import urllib.parse
import urllib.request

import jwt
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

log, issuer, audiences, *tls = sys.argv[1:]
# The only AWS requests are those of a client of moto.
os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")
moto = DomainDispatcherApplication(create_backend_app)
keys = None
lock = threading.Lock()
issued = {}


def note(text):
    with lock, open(log, "a") as file:
        print(text, file=file)


def verified(token):
    """The claims of a valid token, or None."""
    global keys
    try:
        with lock:
            if keys is None:
                with urllib.request.urlopen(issuer + "/.well-known/openid-configuration") as response:
                    keys = jwt.PyJWKClient(json.load(response)["jwks_uri"])
            key = keys.get_signing_key_from_jwt(token)
        return jwt.decode(token, key.key, algorithms=["RS256", "ES256"], audience=audiences.split(","), issuer=issuer, options={"require": ["exp", "aud", "iss", "sub"]})
    except Exception as error:
        note(f"refused {type(error).__name__}: {error}")
        return None


def issue(service, token):
    """An access token for a valid token."""
    claims = verified(token or "")
    if claims is None:
        return None, 0
    name = f"{service}-{secrets.token_urlsafe(24)}"
    issued[name] = (service, claims["exp"])
    note(f"{service} {claims['sub']}")
    return name, max(1, int(claims["exp"] - time.time()))


def is_authorized(request, service):
    known = issued.get((request.headers.get("Authorization") or "").removeprefix("Bearer "))
    return known is not None and known[0] == service and time.time() < known[1] + 1


def answer(value, status=200):
    return Response(json.dumps(value), status, content_type="application/json")


def error(text, status=400):
    return answer({"error": text, "error_description": text}, status)


def azure(request, path):
    if path.endswith("/openid-configuration"):
        # Behind internet.py, each service has a separate host.
        own = f"https://{request.host}{'' if request.host.endswith('.com') else '/azure'}/tenant"
        return answer({"issuer": f"{own}/v2.0", "authorization_endpoint": f"{own}/oauth2/v2.0/authorize", "token_endpoint": f"{own}/oauth2/v2.0/token"})
    name, seconds = issue("azure", request.form.get("client_assertion"))
    if name is None:
        return error("invalid_client", 401)
    return answer({"access_token": name, "expires_in": seconds, "token_type": "Bearer"})


def google(request, path):
    if path == "/v1/token":
        form = request.form
        if form.get("grant_type") != "urn:ietf:params:oauth:grant-type:token-exchange" or "/workloadIdentityPools/" not in form.get("audience", ""):
            return error("invalid_request")
        name, seconds = issue("google", form.get("subject_token"))
        if name is None:
            return error("invalid_grant")
        return answer({"access_token": name, "expires_in": seconds, "token_type": "Bearer", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"})
    if not is_authorized(request, "google"):
        return error("unauthorized", 401)
    if path.endswith(":generateAccessToken"):
        return answer({"accessToken": request.headers["Authorization"].removeprefix("Bearer "), "expireTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60))})
    return answer({"items": [{"name": "backups"}]})


def anthropic(request, path):
    if path == "/v1/oauth/token":
        name, seconds = issue("anthropic", request.get_json().get("assertion"))
        return error("invalid_grant") if name is None else answer({"access_token": name, "expires_in": seconds, "token_type": "Bearer"})
    if not is_authorized(request, "anthropic"):
        return answer({"type": "error", "error": {"type": "authentication_error", "message": "invalid token"}}, 401)
    return answer({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}})


def openai(request, path):
    if path == "/oauth/token":
        name, seconds = issue("openai", (request.get_json(silent=True) or request.form).get("subject_token"))
        return error("invalid_grant", 401) if name is None else answer({"access_token": name, "expires_in": seconds, "token_type": "Bearer", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"})
    if not is_authorized(request, "openai"):
        return answer({"error": {"message": "invalid token", "type": "invalid_request_error", "code": "invalid_api_key"}}, 401)
    return answer({"object": "list", "data": [{"id": "model-1", "object": "model", "created": 1, "owned_by": "x"}]})


services = {"azure": azure, "google": google, "anthropic": anthropic, "openai": openai}


def application(environ, start):
    request = Request(environ)
    _, service, path = (environ["PATH_INFO"] + "//").split("/", 2)
    path = "/" + path.rstrip("/")
    if service != "aws":
        return services[service](request, path)(environ, start)
    if request.method == "POST" and request.form.get("Action") == "AssumeRoleWithWebIdentity":
        claims = verified(request.form.get("WebIdentityToken", ""))
        if claims is None:
            body = "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidIdentityToken</Code><Message>the token is not valid</Message></Error></ErrorResponse>"
            return Response(body, 400, content_type="text/xml")(environ, start)
        note(f"aws {claims['sub']}")
    # The body was already read. The roles' sessions last 15 minutes.
    form = {**request.form.to_dict(), **({"DurationSeconds": "900"} if "WebIdentityToken" in request.form else {})}
    body = request.get_data() or urllib.parse.urlencode(form).encode()
    environ.update({"PATH_INFO": path, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))})
    environ.pop("werkzeug.request", None)
    return moto(environ, start)


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet, ssl_context=tuple(tls) or None)
print(f"{'https' if tls else 'http'}://{'localhost' if tls else '127.0.0.1'}:{server.server_port}", flush=True)
server.serve_forever()
