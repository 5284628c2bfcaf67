"""A client of the official SDK: lists the tools of a server and searches its memory. Arguments: the name it gives itself,
then an address, or a command. Over HTTP the token comes from TOKEN. Prints one JSON object."""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation


async def work(name: str, server: object) -> None:
    own = Implementation(name=name, version="1")
    async with Client(server, client_info=own) as client:
        tools = await client.list_tools()
        found = await client.call_tool("search_memory", {"query": "tea"})
        print(
            json.dumps(
                {
                    "version": client.protocol_version,
                    "tools": [tool.name for tool in tools.tools],
                    "is_error": bool(found.is_error),
                    "text": found.content[0].text,
                }
            )
        )


async def main() -> None:
    name, where, *arguments = sys.argv[1:]
    if not where.startswith("http"):
        command = StdioServerParameters(command=where, args=arguments, env=dict(os.environ))
        await work(name, command)
        return
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        await work(name, streamable_http_client(where, http_client=http))


asyncio.run(main())
