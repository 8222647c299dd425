"""The order in which Python looks up the members of classes."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

Class = TypeVar("Class")


def merge_orders(orders: Iterable[Sequence[Class]]) -> list[Class]:
    """Return the order of the base classes of a class:
    <https://docs.python.org/3/howto/mro.html>.

    Args:
        orders: The order of each base class, and the base classes.

    Raises:
        ValueError: The orders contradict each other.
    """
    merged = []
    waiting = [list(order) for order in orders if order]
    while waiting:
        first = _find_first(waiting)
        merged.append(first)
        remaining = []
        for order in waiting:
            if order[0] is first:
                order = order[1:]
            if order:
                remaining.append(order)
        waiting = remaining
    return merged


def _find_first(orders: Sequence[Sequence[Class]]) -> Class:
    for order in orders:
        if not any(order[0] in other[1:] for other in orders):
            return order[0]
    raise ValueError("the classes have no order")
