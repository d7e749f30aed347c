"""PyPI's mcp as a client of `authctl credential mcp --stdio URL`.

    mcp_bridge.py URL MODE CHECK…

MODE is legacy, auto or a version; with *N, N bridges do the checks at the same time. Each CHECK is a line of the output:

    add N      N calls, one after the other
    sampling   the server asks the client's model
    progress   a slow call with its progress, and a fast call that ends before it
    cancel     a slow call that the client cancels
    weather    a tool with an argument that is a header since 2026-07-28
    big N      a message with N characters in each direction
    until T    calls until T seconds have passed
    wait FILE  waits until the file exists
    try        a call that may fail, and its error
    slow T     a call that takes T seconds
"""
import asyncio
import os
import sys
import time

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CreateMessageResult, TextContent

url, mode, *checks = sys.argv[1:]
mode, _, count = mode.partition("*")


async def sampled(context, params):
    return CreateMessageResult(
        role="assistant", content=TextContent(type="text", text="re: " + params.messages[0].content.text), model="none")


async def add(client, number):
    result = await client.call_tool("add", {"a": number, "b": 1})
    assert result.structured_content["result"] == number + 1, result


async def main():
    bridge = StdioServerParameters(command="authctl", args=["credential", "mcp", "--stdio", url], env=dict(os.environ))
    async with Client(stdio_client(bridge), mode=mode, sampling_callback=sampled) as client:
        print("version", client.protocol_version, flush=True)
        queue = list(checks)
        while queue:
            check = queue.pop(0)
            if check == "add":
                for number in range(int(queue.pop(0))):
                    await add(client, number)
                print("add done")
            elif check == "sampling":
                result = await client.call_tool("ask", {"question": "why"})
                print("sampling", result.content[0].text)
            elif check == "progress":
                seen = []

                async def progress(value, total, message):
                    seen.append(value)

                slow = asyncio.create_task(
                    client.call_tool("slow", {"seconds": 1, "steps": 3}, progress_callback=progress))
                await asyncio.sleep(0)
                await add(client, 1)
                print("fast call first", not slow.done())
                result = await slow
                print("progress", seen, result.content[0].text)
            elif check == "cancel":
                started = asyncio.Event()

                async def progress(value, total, message):
                    started.set()

                slow = asyncio.create_task(
                    client.call_tool("slow", {"seconds": 600, "steps": 2}, progress_callback=progress))
                await started.wait()
                slow.cancel()
                await add(client, 1)
                print("cancel done")
            elif check == "weather":
                await client.list_tools()
                result = await client.call_tool("weather", {"region": "Zürich "})
                print("weather", result.content[0].text)
            elif check == "big":
                count = int(queue.pop(0))
                result = await client.call_tool("length", {"text": "x" * count})
                back = await client.call_tool("repeat", {"count": count})
                print("big", result.structured_content["result"], len(back.content[0].text))
            elif check == "until":
                end, calls = time.monotonic() + float(queue.pop(0)), 0
                while time.monotonic() < end:
                    await add(client, calls)
                    calls += 1
                    await asyncio.sleep(0.05)
                print("calls", calls)
                print("until done")
            elif check == "wait":
                name = queue.pop(0)
                while not os.path.exists(name):
                    await asyncio.sleep(0.02)
            elif check == "slow":
                result = await client.call_tool("slow", {"seconds": float(queue.pop(0)), "steps": 4})
                print("slow", result.content[0].text)
            elif check == "try":
                try:
                    await add(client, 1)
                    print("try done")
                except Exception as error:
                    print("try failed:", error)
            sys.stdout.flush()


async def all_bridges():
    await asyncio.gather(*(main() for _ in range(int(count or 1))))


asyncio.run(all_bridges())
