"""The penal code of manille and the decisions under it, as pure functions (rules specification C).

Articles are data, pinned by edition (``editions``), merged with what an event adds (``code_for``)
and found by words (``search``). ``decide`` turns stated facts into a proposed ruling with its
reasons; ``combine`` makes one effect of all rulings on a deal; ``evidence`` and ``consistency``
advise the referee. Texts are in English, French and Dutch throughout.
"""

from .article import (
    Article,
    Beneficiary,
    Charge,
    DealRule,
    Domain,
    FactField,
    FactType,
    Ladder,
    LadderBy,
    LadderScope,
    Measure,
    Origin,
    Rulers,
    Step,
    Who,
)
from .code import Code, code_for, house_defects, house_from_json, house_to_json, rulers_from_json
from .codec import PenalCodeError, to_json
from .combine import both_at_fault, combine
from .consistency import SimilarRuling, Warning, alike, as_similar, differs
from .decision import decide
from .editions import CURRENT, EDITIONS, RULEBOOKS, all_articles
from .evidence import (
    Equity,
    Finding,
    MeanEquity,
    Proven,
    article_of,
    equity,
    findings,
    mean_equity,
    proven,
    signed,
)
from .faults import Fault, common_faults, fault_label, find_fault
from .game import Claimed, Game, PenaltyMode, Policy, Previous, default_policy, game_for
from .proposal import (
    Adjustment,
    Bonus,
    DealEffect,
    DealOutcome,
    Infraction,
    NextDealer,
    OpenChoice,
    Proposal,
    Reason,
    Verdict,
    reversal,
)
from .search import search
from .statement import Defect, Facts, FactsError, fact_defects

__all__ = [
    "CURRENT",
    "EDITIONS",
    "RULEBOOKS",
    "Adjustment",
    "Article",
    "Beneficiary",
    "Bonus",
    "Charge",
    "Claimed",
    "Code",
    "DealEffect",
    "DealOutcome",
    "DealRule",
    "Defect",
    "Domain",
    "Equity",
    "FactField",
    "FactType",
    "Facts",
    "FactsError",
    "Fault",
    "Finding",
    "Game",
    "Infraction",
    "Ladder",
    "LadderBy",
    "LadderScope",
    "MeanEquity",
    "Measure",
    "NextDealer",
    "OpenChoice",
    "Origin",
    "PenalCodeError",
    "PenaltyMode",
    "Policy",
    "Previous",
    "Proposal",
    "Proven",
    "Reason",
    "Rulers",
    "SimilarRuling",
    "Step",
    "Verdict",
    "Warning",
    "Who",
    "alike",
    "all_articles",
    "article_of",
    "as_similar",
    "both_at_fault",
    "code_for",
    "combine",
    "common_faults",
    "decide",
    "default_policy",
    "differs",
    "equity",
    "fact_defects",
    "fault_label",
    "find_fault",
    "findings",
    "game_for",
    "house_defects",
    "house_from_json",
    "house_to_json",
    "mean_equity",
    "proven",
    "reversal",
    "rulers_from_json",
    "search",
    "signed",
    "to_json",
]
