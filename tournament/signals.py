"""Signals by which the rooms above extend the tournament.

The tournament does not know what a ruling is. Adjudication connects to these signals when the
service starts (``adjudication/receivers.py``). A receiver runs in the transaction of the sender, and
its exception undoes the change.

======================  ============================  ==============================================
signal                  arguments                     sent, and what a receiver answers
======================  ============================  ==============================================
result_changed          ``sheet``                     when a result is made or unmade
deal_written            ``sheet, deal, before``       when a deal is written; ``before``: the
                                                      version that it replaces
round_locking           ``round_id``                  before an act on a round, and before its rows are
                                                      locked
round_withdrawn         ``round_id``                  before a publication is withdrawn and its
                                                      rows are locked
round_unseated          ``round_id, actor``           when its publication was withdrawn
measures_fallen         ``round_id, since``           numbers of the rulings whose measure fell since with
                                                      the draw of the round, and is in force no more
event_copied            ``source, copy, actor``       when an event was copied
event_packed            ``event``                     for an archive: ``(name, JSON)``
event_unpacked          ``event, parts, keys``        when an archive is taken up, with what
                                                      ``event_packed`` answered
rulings_requested       ``event_id, entrant,          a list of ``ShownRuling``, newest first: of
                        table, sheet, most,           an event, an entrant's id, a table's id and
                        private``                     its ``sheet`` (or no game); to ``private`` an
                                                      entrant's own link asks
rulings_counted         ``event_id``                  start number → how much the rulings about a
                                                      player have grown; it never shrinks, and
                                                      what it counts raises the mark of the draw
forfeits_told           ``event``                     a set of entrant and round: the forfeits whose
                                                      rulings the public may read
hangings_requested      ``concerned``                 a list of ``Hanging``: what hangs on the tables
                                                      and entrants that an act concerns
matters_requested       ``event, stage``              a list of ``OpenMatter``; of a stage or ``None``
late_rulings_requested  ``stage, since``              numbers of the rulings of a stage that were
                                                      made or changed after a moment
house_rules_saved       ``rules``                     before a club's rules are stored, as
                                                      :func:`~scoring.engine.rulebooks.read_house_rules`
                                                      reads them; a receiver refuses their penalties
penalties_requested     ``rules``                     a list of ``ChangedPenalty``: what such rules
                                                      change in the penal code
rules_changing          ``event_id``                  before another rulebook is chosen, and the event
                                                      is locked
rules_changed           ``event, before, actor``      when another rulebook was chosen; ``before``:
                                                      the club's own rules until then, or ``{}``
records_requested       ``event, entrant``            a sentence that names the entrant's records, or
                                                      ``""``; without an entrant, whether the event
                                                      has any
bans_requested          ``people``                    a list of ``Banned``: bans in force on the names
                                                      of people who come, and not yet admitted
banned_admitted         ``entrant, bans, reason,      when an entrant is admitted all the same
                        actor``
sanctions_requested     ``person``                    a list of ``Sanctioned``: the entries of the
                                                      discipline register about a person
person_forgotten        ``person_id, member_id,       when the data of a person, or a member of the
                        actor``                       register, are erased
report_requested        ``event, frame``              the ``AdjudicationReport`` for the event's report
======================  ============================  ==============================================
"""

from __future__ import annotations

from typing import Any

from django.dispatch import Signal

result_changed = Signal()
deal_written = Signal()
round_locking = Signal()
round_withdrawn = Signal()
round_unseated = Signal()
measures_fallen = Signal()
event_copied = Signal()
late_rulings_requested = Signal()
house_rules_saved = Signal()
penalties_requested = Signal()
rules_changing = Signal()
rules_changed = Signal()
event_packed = Signal()
event_unpacked = Signal()
rulings_requested = Signal()
rulings_counted = Signal()
forfeits_told = Signal()
hangings_requested = Signal()
matters_requested = Signal()
records_requested = Signal()
report_requested = Signal()
bans_requested = Signal()
banned_admitted = Signal()
sanctions_requested = Signal()
person_forgotten = Signal()


def answers(signal: Signal, **arguments: object) -> list[Any]:
    """Send ``signal`` and return what its receivers answer."""
    return [answer for _receiver, answer in signal.send(sender=None, **arguments)]
