"""Cheapest perfect matching in a general graph, exact, by a maintained library.

rustworkx's ``max_weight_matching`` is Edmonds' blossom algorithm (Galil 1986) in whole numbers of 128
bits; with weights ``top − cost`` and ``max_cardinality`` its answer is a cheapest perfect matching
of the graph it is given, hence a proven optimum when that graph holds every allowed pair.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import rustworkx

IndexArray = npt.NDArray[np.int64]

#: Weights must stay well inside the 128 bits of the library, which doubles them.
_LARGEST = 1 << 120


def cheapest_matching(
    nodes: int, left: IndexArray, right: IndexArray, costs: Sequence[int]
) -> list[tuple[int, int]] | None:
    """Perfect matching of least total cost on nodes ``0 … nodes − 1``, or ``None`` if there is none.

    Edge ``k`` joins ``left[k]`` and ``right[k]`` at ``costs[k]`` (whole number, not negative).
    Pairs come smaller index first, sorted.

    >>> cheapest_matching(4, np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3]), [1, 5, 5, 8])
    [(0, 1), (2, 3)]
    """
    if nodes % 2:
        return None
    if nodes == 0:
        return []
    if not len(costs):
        return None
    top = max(costs) + 1
    if top >= _LARGEST:
        raise OverflowError("the costs are too large for exact matching")
    # No pair is given twice; saying so by multigraph=False would cost a look-up an edge.
    graph = rustworkx.PyGraph(multigraph=True, node_count_hint=nodes, edge_count_hint=len(costs))
    graph.add_nodes_from(range(nodes))
    weights = [top - c for c in costs]
    graph.add_edges_from(list(zip(left.tolist(), right.tolist(), weights, strict=True)))
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) != nodes:
        return None
    return sorted((a, b) if a < b else (b, a) for a, b in matching)
