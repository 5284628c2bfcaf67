"""An outbox in a folder: nothing leaves the computer."""

import json
import time


async def plugin_sms_send(mobile, body, subject=''):
    """Puts a message into the outbox; whether it is there."""
    message = json.dumps({'mobile': mobile, 'subject': subject, 'body': body}, ensure_ascii=False)
    kept = await files.write(path=f'outbox/{time.time_ns()}.json', text=message + '\n')
    if not kept.ok:
        raise OSError(str(kept.error))
    return True
