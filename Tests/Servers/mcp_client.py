"""PyPI's mcp as a client that runs a headers helper for each request, like clients with a headersHelper setting. Calls a
tool, waits until the token has expired at its server, and calls it again.

    mcp_client.py URL
"""
import asyncio
import json
import subprocess
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

url = sys.argv[1]
seen = []


class Helper(httpx2.Auth):
    def auth_flow(self, request):
        answer = subprocess.run(["authctl", "credential", "mcp", url], capture_output=True, check=True)
        headers = json.loads(answer.stdout)
        if headers["Authorization"] not in seen:
            seen.append(headers["Authorization"])
        request.headers.update(headers)
        yield request


def is_refused(authorization):
    """Whether the server refuses a token."""
    return httpx2.post(url, headers={"Authorization": authorization}, json={}).status_code == 401


async def main():
    async with httpx2.AsyncClient(auth=Helper()) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            added = await client.call_tool("add", {"a": 1, "b": 2})
            print("added", added.structured_content["result"])
            first = seen[-1]
            while not is_refused(first):
                await asyncio.sleep(0.1)
            again = await client.call_tool("add", {"a": 3, "b": 4})
            print("again", again.structured_content["result"])
            print("other token", seen[-1] != first)


asyncio.run(main())
