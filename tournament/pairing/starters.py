"""First rounds of Whist tournaments, found once by search and stored; all others are made from them.

A *starter* is a round over a group of ``m`` elements (and, with ``m + 1`` players, one who stands
still): adding every element of the group to it in turn gives the tournament, when the differences of
partners are all the elements but 0 once each and those of opponents twice (Anderson, *Combinatorial
Designs and Tournaments*, chapter 7). How they were found: simulated annealing on the number of
differences missing; for the larger ones on rounds that a multiplier of the group turns into themselves
(Anderson and Finizio), so that only the *base* tables need be sought and kept; for 77 on tables
``(x, y, −x, −y)``, whose partners then differ by ``2x`` and ``2y`` and always fit. The tests develop and count
every one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

Four = tuple[int, int, int, int]
Tables = tuple[Four, ...]


@dataclass(frozen=True, slots=True)
class Starter:
    """A first round over the product of the cyclic groups of ``moduli`` (lowest digit first).

    ``fixed`` tables stand as they are; each of ``base`` stands for its images under multiplying the
    digits by ``multiplier``, ``order`` of them. The element ``m`` is the player who stands still. With
    ``hole`` true the elements whose lowest digit is 0, and the differences among them, are left out.
    """

    moduli: tuple[int, ...]
    fixed: Tables = ()
    multiplier: tuple[int, ...] = ()
    order: int = 1
    base: Tables = ()
    hole: bool = False

    @property
    def size(self) -> int:
        """Number of elements of the group."""
        return prod(self.moduli)

    def add(self, x: int, y: int) -> int:
        """Add two elements; the fixed player stays."""
        if x == self.size:
            return x
        out, unit = 0, 1
        for modulus in self.moduli:
            out += (x // unit + y // unit) % modulus * unit
            unit *= modulus
        return out

    def tables(self) -> Tables:
        """Return the whole first round."""
        out = list(self.fixed)
        for table in self.base:
            now = table
            for _ in range(self.order):
                out.append(now)
                a, b, c, d = (self._times(x) for x in now)
                now = (a, b, c, d)
        return tuple(out)

    def _times(self, x: int) -> int:
        out, unit = 0, 1
        for modulus, factor in zip(self.moduli, self.multiplier, strict=True):
            out += x // unit % modulus * factor % modulus * unit
            unit *= modulus
        return out


def _opposite(m: int, pairs: Iterable[tuple[int, int]]) -> Tables:
    """Tables ``(x, y, −x, −y)`` modulo ``m``."""
    return tuple((x, y, m - x, m - y) for x, y in pairs)


#: First rounds: players → tables as (N, E, S, W); slots below the modulus turn, the last stands still.
FIRST_ROUNDS: dict[int, Tables] = {
    4: ((3, 1, 0, 2),),
    8: ((7, 1, 0, 5), (2, 4, 3, 6)),
    12: ((11, 6, 0, 7), (3, 10, 9, 1), (2, 8, 5, 4)),
    16: ((15, 11, 0, 7), (4, 9, 10, 6), (8, 1, 13, 14), (12, 2, 5, 3)),
    20: ((19, 10, 0, 7), (14, 4, 5, 16), (15, 1, 9, 3), (18, 13, 17, 2), (8, 6, 12, 11)),
    21: ((20, 3, 2, 19), (15, 13, 4, 7), (6, 9, 14, 16), (18, 10, 1, 8), (11, 17, 12, 5)),
    24: (
        (23, 11, 0, 2),
        (17, 21, 1, 16),
        (22, 20, 12, 5),
        (18, 8, 14, 9),
        (13, 4, 15, 10),
        (19, 3, 7, 6),
    ),
    28: (
        (27, 17, 0, 22),
        (12, 6, 15, 19),
        (11, 13, 21, 24),
        (20, 5, 18, 1),
        (8, 4, 2, 3),
        (26, 14, 7, 23),
        (25, 9, 10, 16),
    ),
    32: (
        (31, 4, 0, 9),
        (24, 3, 20, 17),
        (19, 30, 1, 7),
        (12, 18, 2, 25),
        (15, 5, 14, 27),
        (29, 26, 10, 6),
        (13, 8, 28, 11),
        (16, 21, 22, 23),
    ),
    33: (
        (14, 25, 17, 13),
        (3, 32, 29, 15),
        (2, 27, 22, 8),
        (7, 19, 12, 9),
        (6, 21, 31, 30),
        (26, 24, 4, 20),
        (16, 23, 18, 5),
        (10, 28, 11, 1),
    ),
    36: (
        (35, 3, 0, 12),
        (16, 34, 24, 10),
        (28, 8, 9, 2),
        (23, 30, 1, 32),
        (6, 26, 31, 14),
        (5, 15, 4, 18),
        (19, 17, 33, 22),
        (7, 29, 27, 11),
        (13, 21, 20, 25),
    ),
}

_77 = (
    (16, 19),
    (21, 8),
    (17, 24),
    (20, 6),
    (14, 25),
    (31, 15),
    (18, 35),
    (3, 1),
    (36, 26),
    (7, 27),
    (23, 32),
    (33, 38),
    (5, 13),
    (12, 11),
    (22, 34),
    (37, 10),
    (28, 9),
    (29, 4),
    (2, 30),
)

#: Players → starter, for numbers that no other construction reaches.
STARTERS: dict[int, Starter] = {
    44: Starter(
        (43,),
        (
            (10, 34, 2, 12),
            (39, 4, 24, 21),
            (8, 41, 42, 5),
            (22, 40, 3, 17),
            (14, 29, 30, 0),
            (18, 26, 31, 1),
            (11, 20, 13, 9),
            (36, 15, 35, 43),
            (32, 28, 37, 25),
            (38, 19, 7, 23),
            (6, 33, 16, 27),
        ),
    ),
    76: Starter(
        (3, 5, 5),
        (
            (1, 75, 0, 2),
            (13, 39, 20, 70),
            (61, 24, 14, 64),
            (19, 42, 62, 34),
            (18, 4, 52, 57),
            (12, 16, 67, 21),
            (60, 73, 49, 27),
            (56, 47, 28, 30),
            (8, 38, 58, 54),
            (32, 11, 22, 6),
            (9, 25, 72, 51),
            (45, 43, 3, 66),
            (36, 40, 15, 48),
            (26, 46, 17, 31),
            (44, 37, 74, 55),
            (41, 10, 5, 7),
            (33, 71, 53, 23),
            (69, 65, 68, 29),
            (63, 35, 50, 59),
        ),
    ),
    77: Starter((77,), _opposite(77, _77)),
    88: Starter(
        (87,),
        ((58, 0, 87, 29),),
        (7,),
        7,
        ((76, 81, 21, 15), (40, 13, 41, 17), (71, 52, 20, 9)),
    ),
    112: Starter(
        (111,),
        ((74, 111, 37, 0),),
        (10,),
        3,
        (
            (85, 65, 82, 30),
            (94, 86, 75, 98),
            (9, 4, 34, 28),
            (105, 87, 54, 48),
            (49, 39, 35, 8),
            (68, 89, 104, 19),
            (33, 101, 55, 91),
            (56, 31, 18, 47),
            (10, 99, 6, 44),
        ),
    ),
    124: Starter(
        (123,),
        ((41, 123, 0, 82),),
        (10,),
        5,
        (
            (48, 34, 95, 98),
            (116, 64, 81, 101),
            (36, 32, 63, 35),
            (5, 109, 37, 122),
            (93, 7, 88, 91),
            (42, 9, 99, 61),
        ),
    ),
    184: Starter(
        (183,),
        ((61, 0, 183, 122),),
        (34,),
        5,
        (
            (78, 136, 68, 135),
            (172, 69, 156, 21),
            (166, 36, 115, 18),
            (155, 139, 12, 92),
            (74, 65, 32, 37),
            (45, 52, 109, 179),
            (62, 143, 105, 167),
            (73, 38, 70, 55),
            (76, 24, 174, 182),
        ),
    ),
}

#: (players of a group, groups) → starter with a hole: each round leaves out one group.
HOLED: dict[tuple[int, int], Starter] = {
    (8, 7): Starter(
        (7, 8),
        (),
        (2, 1),
        3,
        ((50, 48, 12, 9), (19, 43, 52, 6), (29, 34, 24, 2), (22, 37, 18, 41)),
        hole=True,
    ),
    (20, 7): Starter(
        (7, 20),
        (),
        (2, 1),
        3,
        (
            (113, 18, 51, 104),
            (96, 9, 57, 13),
            (124, 2, 32, 52),
            (39, 62, 136, 5),
            (44, 71, 41, 45),
            (65, 120, 25, 129),
            (127, 110, 17, 88),
            (89, 34, 24, 100),
            (134, 73, 117, 107),
            (69, 79, 80, 92),
        ),
        hole=True,
    ),
    (16, 11): Starter(
        (11, 16),
        (),
        (4, 1),
        5,
        (
            (34, 163, 105, 26),
            (4, 161, 30, 113),
            (166, 104, 18, 53),
            (117, 148, 43, 63),
            (87, 60, 90, 91),
            (51, 122, 80, 131),
            (153, 137, 75, 74),
            (7, 142, 173, 15),
        ),
        hole=True,
    ),
    (8, 31): Starter(
        (31, 8),
        (),
        (2, 1),
        5,
        (
            (68, 170, 10, 177),
            (202, 147, 165, 77),
            (21, 169, 136, 192),
            (120, 135, 44, 236),
            (100, 111, 240, 109),
            (1, 216, 12, 56),
            (64, 87, 106, 105),
            (199, 61, 72, 28),
            (37, 211, 204, 218),
            (133, 235, 51, 163),
            (33, 27, 228, 179),
            (126, 223, 83, 138),
        ),
        hole=True,
    ),
    (3, 89): Starter(
        (89, 3),
        (),
        (78, 1),
        11,
        (
            (141, 145, 72, 190),
            (114, 258, 157, 222),
            (64, 30, 98, 154),
            (97, 47, 38, 257),
            (24, 11, 216, 65),
            (163, 240, 255, 256),
        ),
        hole=True,
    ),
    (20, 19): Starter(
        (19, 20),
        (),
        (4, 1),
        9,
        (
            (123, 240, 226, 348),
            (99, 284, 277, 92),
            (305, 26, 244, 167),
            (288, 363, 254, 365),
            (182, 89, 64, 312),
            (137, 136, 344, 204),
            (181, 223, 201, 259),
            (158, 11, 65, 33),
            (127, 12, 48, 325),
            (43, 329, 302, 103),
        ),
        hole=True,
    ),
}

#: (m, v) → the ``m`` first rounds with a hole of a frame with ``v`` groups of ``m``, where none turned through
#: the whole group is known: each is turned through its lowest digit only.
HOLED_APART: dict[tuple[int, int], tuple[Starter, ...]] = {
    (4, 23): tuple(
        Starter((23, 4), (), (4, 1), 11, base, hole=True)
        for base in (
            ((31, 5, 71, 68), (76, 13, 28, 54)),
            ((1, 38, 36, 5), (56, 90, 72, 47)),
            ((20, 9, 73, 90), (42, 35, 68, 55)),
            ((79, 39, 87, 43), (15, 51, 1, 58)),
        )
    ),
    (4, 59): tuple(
        Starter((59, 4), (), (4, 1), 29, base, hole=True)
        for base in (
            ((198, 224, 99, 78), (27, 161, 169, 56)),
            ((148, 183, 145, 184), (4, 76, 39, 99)),
            ((221, 203, 1, 58), (165, 133, 96, 105)),
            ((107, 146, 25, 233), (152, 56, 206, 73)),
        )
    ),
}
