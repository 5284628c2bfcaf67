"""文件夹里的发件箱：没有内容离开这台电脑。"""

import json
import time


async def plugin_sms_send(mobile, body, subject=''):
    """往发件箱里放一条信息；返回是否已存入。"""
    message = json.dumps({'mobile': mobile, 'subject': subject, 'body': body}, ensure_ascii=False)
    kept = await files.write(path=f'outbox/{time.time_ns()}.json', text=message + '\n')
    if not kept.ok:
        raise OSError(str(kept.error))
    return True
