"""An editor on the protocol's own Python library, which checks every message against its schema.

editor.py SHIDI FOLDER: has the agent change a file with leave, and prints what the library understood as JSON.
"""

import asyncio
import json
import sys

from acp import PROTOCOL_VERSION, spawn_agent_process, text_block
from acp.schema import AllowedOutcome, RequestPermissionResponse


class Editor:
    def __init__(self):
        self.updates = []
        self.permissions = []

    def on_connect(self, connection):
        pass

    async def request_permission(self, options, session_id, tool_call, **rest):
        self.permissions.append(tool_call.model_dump(by_alias=True, mode="json"))
        once = next(option for option in options if option.kind == "allow_once")
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=once.option_id))

    async def session_update(self, session_id, update, **rest):
        self.updates.append(update.model_dump(by_alias=True, mode="json"))


async def main(shidi, folder):
    editor = Editor()
    async with spawn_agent_process(editor, shidi, "acp", transport_kwargs={"stderr": None}) as (agent, _):
        greeted = await agent.initialize(protocol_version=PROTOCOL_VERSION)
        made = await agent.new_session(cwd=folder, mcp_servers=[])
        await agent.set_session_mode(session_id=made.session_id, mode_id="ask")
        ended = await agent.prompt(session_id=made.session_id, prompt=[text_block("Write it")])
        listed = await agent.list_sessions(cwd=folder)
        before = len(editor.updates)
        await agent.load_session(cwd=folder, mcp_servers=[], session_id=made.session_id)
        print(
            json.dumps(
                {
                    "agent": greeted.agent_info.name,
                    "modes": len(made.modes.available_modes),
                    "stop": ended.stop_reason,
                    "permissions": editor.permissions,
                    "updates": editor.updates[:before],
                    "again": editor.updates[before:],
                    "sessions": [session.session_id for session in listed.sessions],
                    "session": made.session_id,
                }
            )
        )


asyncio.run(main(*sys.argv[1:]))
