"""Functions of the workflow menu-recommendation."""

SPICY = ("chili", "chilli", "pepper", "hot", "spicy", "辣", "椒", "麻")


def filter_spicy_dishes(recommendations):
    """The dishes whose name or description says that they are hot, each once."""
    found = []
    for dish in recommendations:
        text = dish if isinstance(dish, str) else " ".join(str(part) for part in dish.values())
        if any(word in text.lower() for word in SPICY) and dish not in found:
            found.append(dish)
    return found
