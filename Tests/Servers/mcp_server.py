"""PyPI's mcp as a server that requires tokens, and as the authorization server that issues them: it registers every client,
signs in every user, and its tokens are valid for --life seconds. Prints its URL. Writes to standard error a line for each
refresh, and for each reuse of a refresh token, after which all tokens of its family are invalid.

    mcp_server.py [--life SECONDS] [--port N] [--state FILE] [--resumable] [--refuse-once] [--trust URL] [--after FIFO]

    --state FILE    stores the issued clients and tokens, so that the server can be restarted
    --resumable     each stream ends after each message, and is continued with Last-Event-ID
    --refuse-once   rejects each client's first token
    --after FIFO    listens when its writer has closed it
    --trust URL     accepts identity assertions of the client `known` that are signed with these keys (JWKS)
"""
import argparse
import asyncio
import json
import os
import pickle
import secrets
import socket
import sys
import time
import urllib.parse
import urllib.request
from typing import Annotated

import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, TokenError
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.shared.auth import JWT_BEARER_GRANT_TYPE, OAuthClientInformationFull, OAuthToken
from mcp_types import SamplingMessage, TextContent
from pydantic import Field

flags = argparse.ArgumentParser()
flags.add_argument("--life", type=int, default=3)
flags.add_argument("--port", type=int, default=0)
flags.add_argument("--state")
flags.add_argument("--resumable", action="store_true")
flags.add_argument("--refuse-once", action="store_true")
flags.add_argument("--trust")
flags.add_argument("--after")
given = flags.parse_args()
life = given.life


class OpenProvider:
    """Stores clients and tokens. Every user is signed in."""

    def __init__(self):
        self.clients, self.codes, self.refreshes, self.tokens = {}, {}, {}, {}
        self.families, self.refused, self.used = {}, set(), set()
        if given.trust:
            self.clients["known"] = OAuthClientInformationFull(
                client_id="known", client_secret="the-secret", redirect_uris=["http://127.0.0.1/callback"],
                grant_types=[JWT_BEARER_GRANT_TYPE], token_endpoint_auth_method="client_secret_post")
        if given.state and os.path.exists(given.state):
            with open(given.state, "rb") as file:
                self.clients, self.refreshes, self.tokens, self.families = pickle.load(file)

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client
        self.save()

    def save(self):
        if given.state:
            with open(given.state, "wb") as file:
                pickle.dump((self.clients, self.refreshes, self.tokens, self.families), file)

    async def authorize(self, client, request):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(), scopes=request.scopes or ["notes"], expires_at=time.time() + 60,
            client_id=client.client_id, code_challenge=request.code_challenge, redirect_uri=request.redirect_uri,
            redirect_uri_provided_explicitly=request.redirect_uri_provided_explicitly, resource=request.resource)
        self.codes[code.code] = code
        mark = "&" if "?" in str(request.redirect_uri) else "?"
        return str(request.redirect_uri) + mark + urllib.parse.urlencode({"code": code.code, "state": request.state or ""})

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self.issue(client, code.scopes, code.resource)

    async def load_refresh_token(self, client, token):
        family = self.families.get(token)
        if token not in self.refreshes and family:
            print("reuse", file=sys.stderr, flush=True)
            for other in [other for other in self.families if self.families[other] == family]:
                self.refreshes.pop(other, None)
                self.tokens.pop(other, None)
        return self.refreshes.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        print("refresh", file=sys.stderr, flush=True)
        del self.refreshes[token.token]
        return self.issue(client, scopes or token.scopes, token.resource, self.families[token.token])

    async def load_access_token(self, token):
        known = self.tokens.get(token)
        if known and given.refuse_once and known.client_id not in self.refused:
            self.refused.add(known.client_id)
            return None
        return known if known and known.expires_at > time.time() else None

    async def revoke_token(self, token):
        self.tokens.pop(token.token, None)
        self.refreshes.pop(token.token, None)

    async def exchange_identity_assertion(self, client, params):
        from joserfc import jws
        from joserfc.jwk import KeySet

        with urllib.request.urlopen(given.trust) as answer:
            keys = KeySet.import_key_set(json.load(answer))
        found = jws.deserialize_compact(params.assertion, keys, algorithms=["RS256"])
        claims = json.loads(found.payload)
        wrong = [name for name, is_right in {
            "typ": found.headers()["typ"] == "oauth-id-jag+jwt", "aud": claims["aud"] == base,
            "client_id": claims["client_id"] == client.client_id, "exp": time.time() < claims["exp"],
            "jti": claims["jti"] not in self.used, "resource": claims["resource"] == params.resource == base + "/mcp",
        }.items() if not is_right]
        if wrong:
            raise TokenError("invalid_grant", f"wrong: {wrong}")
        self.used.add(claims["jti"])
        print("assertion of", claims["sub"], file=sys.stderr, flush=True)
        access, scopes = secrets.token_urlsafe(), claims["scope"].split()
        self.tokens[access] = AccessToken(
            token=access, expires_at=int(time.time()) + life, client_id=client.client_id, scopes=scopes,
            resource=claims["resource"])
        return OAuthToken(access_token=access, expires_in=life, scope=" ".join(scopes))

    def issue(self, client, scopes, resource, family=None):
        access, refresh = secrets.token_urlsafe(), secrets.token_urlsafe()
        common = {"client_id": client.client_id, "scopes": scopes, "resource": resource}
        self.tokens[access] = AccessToken(token=access, expires_at=int(time.time()) + life, **common)
        self.refreshes[refresh] = RefreshToken(token=refresh, **common)
        self.families[access] = self.families[refresh] = family or refresh
        self.save()
        return OAuthToken(access_token=access, expires_in=life, refresh_token=refresh, scope=" ".join(scopes))


class Events(EventStore):
    """All events of all streams."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        print("resume", file=sys.stderr, flush=True)
        stream = self.events[int(last_event_id) - 1][0]
        for number in range(int(last_event_id), len(self.events)):
            if self.events[number][0] == stream and self.events[number][1]:
                await send_callback(EventMessage(self.events[number][1], str(number + 1)))
        return stream


if given.after:
    open(given.after).read()
listening = socket.create_server(("127.0.0.1", given.port))
base = f"http://127.0.0.1:{listening.getsockname()[1]}"
server = MCPServer(
    "notes", auth_server_provider=OpenProvider(),
    auth=AuthSettings(
        issuer_url=base, identity_assertion_enabled=bool(given.trust), resource_server_url=base + "/mcp", required_scopes=["notes"], validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["notes"], default_scopes=["notes"]),
        revocation_options=RevocationOptions(enabled=True)))


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def weather(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})], days: int = 1) -> str:
    """The region is also a header since 2026-07-28, which the server compares."""
    return region


@server.tool()
def length(text: str) -> int:
    """Counts characters."""
    return len(text)


@server.tool(structured_output=False)
def repeat(count: int) -> str:
    """Returns a text with this many characters."""
    return "x" * count


@server.tool()
async def slow(seconds: float, steps: int, context: Context) -> str:
    """Reports progress in steps, and returns after some seconds."""
    try:
        for step in range(steps):
            await context.report_progress(step + 1, steps)
            if given.resumable:
                await context.close_sse_stream()
            await asyncio.sleep(seconds / steps)
    except asyncio.CancelledError:
        print("cancelled", file=sys.stderr, flush=True)
        raise
    return "done"


@server.tool()
async def ask(question: str, context: Context) -> str:
    """Asks the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=question))
    answer = await context.session.create_message([message], max_tokens=10, related_request_id=context.request_id)
    return answer.content.text


print(base, flush=True)
app = server.streamable_http_app(
    event_store=Events() if given.resumable else None, retry_interval=100 if given.resumable else None,
    max_request_body_size=32 << 20)
uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)).run(sockets=[listening])
