"""Made-up customers, and what is written to them."""

CUSTOMERS = [
    {'name': 'Ann', 'mobile': '555-0100', 'preferences': 'warm dishes', 'tags': ['regulars', 'lunch']},
    {'name': 'Bo', 'mobile': '555-0101', 'preferences': 'fish', 'tags': ['new']},
]


def plugin_user_info_by_tag_get(tag):
    """The first customer of a group."""
    for customer in CUSTOMERS:
        if tag in customer['tags']:
            return {key: customer[key] for key in ('name', 'mobile', 'preferences')}
    raise ValueError(f'There is no customer of the group {tag!r}')


def plugin_marketing_article_generate(topic, audience=''):
    """A short message."""
    if audience:
        return f'For everybody who likes {audience}: {topic}. We look forward to you.'
    return f'News for you: {topic}. We look forward to you.'
