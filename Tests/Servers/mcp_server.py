"""PyPI's mcp as a server that requires tokens, and as the authorization server that issues them: it registers every client,
signs in every user, and its tokens are valid for --life seconds. Prints its URL.

    mcp_server.py [--life SECONDS]
"""
import argparse
import secrets
import socket
import time
import urllib.parse

import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthToken

flags = argparse.ArgumentParser()
flags.add_argument("--life", type=int, default=3)
life = flags.parse_args().life


class OpenProvider:
    """Stores clients and tokens. Every user is signed in."""

    def __init__(self):
        self.clients, self.codes, self.refreshes, self.tokens = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

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
        return self.refreshes.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        del self.refreshes[token.token]
        return self.issue(client, scopes or token.scopes, token.resource)

    async def load_access_token(self, token):
        known = self.tokens.get(token)
        return known if known and known.expires_at > time.time() else None

    async def revoke_token(self, token):
        self.tokens.pop(token.token, None)
        self.refreshes.pop(token.token, None)

    async def exchange_identity_assertion(self, client, params):
        raise NotImplementedError

    def issue(self, client, scopes, resource):
        access, refresh = secrets.token_urlsafe(), secrets.token_urlsafe()
        common = {"client_id": client.client_id, "scopes": scopes, "resource": resource}
        self.tokens[access] = AccessToken(token=access, expires_at=int(time.time()) + life, **common)
        self.refreshes[refresh] = RefreshToken(token=refresh, **common)
        return OAuthToken(access_token=access, expires_in=life, refresh_token=refresh, scope=" ".join(scopes))


listening = socket.create_server(("127.0.0.1", 0))
base = f"http://127.0.0.1:{listening.getsockname()[1]}"
server = MCPServer(
    "notes", auth_server_provider=OpenProvider(),
    auth=AuthSettings(
        issuer_url=base, resource_server_url=base + "/mcp", required_scopes=["notes"], validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["notes"], default_scopes=["notes"]),
        revocation_options=RevocationOptions(enabled=True)))


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


print(base, flush=True)
uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="warning")).run(sockets=[listening])
