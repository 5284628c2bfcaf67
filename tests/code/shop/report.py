"""Weekly figures of the shop."""


class Report:
    """Sums of a week."""

    def __init__(self, orders):
        self.orders = orders

    def revenue(self):
        """All that was paid, without what was sent back."""
        return sum(order.paid for order in self.orders if not is_returned(order))


def is_returned(order):
    return order.state == "returned"
