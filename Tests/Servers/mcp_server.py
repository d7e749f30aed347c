"""PyPI's mcp as a server that wants tokens, and as the authorization server that gives them: it registers whoever asks,
signs everybody in, and its tokens live for --life seconds. Prints its URL.

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


class Everybody:
    """Keeps clients and tokens; everybody is signed in."""

    def __init__(self):
        self.clients, self.codes, self.refreshes, self.tokens = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, asked):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(), scopes=asked.scopes or ["notes"], expires_at=time.time() + 60,
            client_id=client.client_id, code_challenge=asked.code_challenge, redirect_uri=asked.redirect_uri,
            redirect_uri_provided_explicitly=asked.redirect_uri_provided_explicitly, resource=asked.resource)
        self.codes[code.code] = code
        mark = "&" if "?" in str(asked.redirect_uri) else "?"
        return str(asked.redirect_uri) + mark + urllib.parse.urlencode({"code": code.code, "state": asked.state or ""})

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
    "notes", auth_server_provider=Everybody(),
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
