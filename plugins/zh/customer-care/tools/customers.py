"""虚构的顾客，以及写给他们的信息。"""

CUSTOMERS = [
    {'name': '小安', 'mobile': '555-0100', 'preferences': '热菜', 'tags': ['老顾客', 'regulars']},
    {'name': '小博', 'mobile': '555-0101', 'preferences': '鱼', 'tags': ['新顾客']},
]


def plugin_user_info_by_tag_get(tag):
    """这组顾客中的第一位。"""
    for customer in CUSTOMERS:
        if tag in customer['tags']:
            return {key: customer[key] for key in ('name', 'mobile', 'preferences')}
    raise ValueError(f'没有标签为 {tag!r} 的顾客')


def plugin_marketing_article_generate(topic, audience=''):
    """一条短信息。"""
    if audience:
        return f'给喜欢{audience}的你：{topic}。期待你的光临。'
    return f'有新消息告诉你：{topic}。期待你的光临。'
