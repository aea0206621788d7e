"""Every word that the documents print, in English, French and Dutch, with the field's terms.

The glossary is rules specification D.3: deal (donne, gift), trick (levée, slag), trump (atout,
troef), game (manche, boom), card event (concours de cartes, kaarting).
"""

from __future__ import annotations

from typing import Final

from scoring.texts import gettext_lazy as _
from scoring.texts import ngettext_lazy, pgettext_lazy

# The frame
STATES: Final = {
    "provisional": _("Provisional"),
    "frozen": _("Frozen"),
    "final": pgettext_lazy("state of a document", "Final"),
}
PAGE_OF: Final = _("page {page} of {pages}")
FINGERPRINT: Final = _("check code")
JOURNAL: Final = _("journal {anchor}")
PRINTED: Final = _("printed {moment}")
DATE: Final = _("Date")
ROUND: Final = _("Round {round}")
ROUND_WORD: Final = _("Round")
TABLE: Final = _("Table")
SEAT: Final = _("Seat")
NAME: Final = _("Name")
NUMBER: Final = _("No.")
CLUB: Final = _("Club")
NO_CLUB: Final = _("Without a club")
RANK: Final = _("Rank")
NOBODY: Final = _("Nobody yet.")

NOT_CLASSIFIED: Final = _("not ranked")

# Standings
STANDINGS: Final = _("Standings")
STANDINGS_TOP: Final = _("Top {top}")
STANDINGS_BY_CLUB: Final = _("Standings by club")
AFTER_ROUND: Final = _("after round {round} of {rounds}")
AFTER_ROUND_OPEN: Final = _("after round {round}")
SIGNED_IN_PLAY: Final = _("with the tables signed in the round in play")
DECIDED_FOR: Final = _("decided by the director for {who}: {why}")
FORFEITED_BY: Final = _("round forfeited by {who}: lost, no points")
WHOLE_EVENT: Final = _("whole event")
STAGE: Final = _("Stage")
RANK_THERE: Final = _("rank in it")
ENTRANTS: Final = ngettext_lazy("{count} ranked", "{count} ranked", "count")
CUT: Final = ngettext_lazy("Cut: {places} qualifies", "Cut: {places} qualify", "places")
QUALIFIED: Final = _("qualified")
WITHDRAWN: Final = _("withdrawn")
UNPLAYED: Final = _("did not play")
FORFEITED: Final = _("lost by a ruling")
EXCLUDED: Final = _("excluded")
WITHDRAWN_LETTER: Final = _("wd")
TIED: Final = _("shared rank: equal on every criterion")
DECIDED: Final = _("what separates a line from the line above is in bold")
ADJUSTED: Final = _("total changed by a ruling or the director")

BRACKET: Final = _("Pools and brackets")
SCORED: Final = _("Points")
SCORED_GAMES: Final = _("Games")

# Draws, slips, cards
DRAW_BY_TABLE: Final = _("Draw by table")
DRAW_BY_NAME: Final = _("Draw by name")
STARTS: Final = _("starts at {time}")
SITTING_OUT: Final = _("Byes this round")
SITS_OUT_SHORT: Final = _("bye")
FIRST_DEALER_SHORT: Final = _("deals")
SCOREKEEPER_SHORT: Final = _("scores")
SCOREKEEPER: Final = _("Scorekeeper")
TABLE_SLIPS: Final = _("Table slips")
GAME: Final = _("Game {game}")
GAME_WORD: Final = _("Game")
MARKS: Final = _("Points")
SIGNATURE: Final = _("Signature")
SCAN_TABLE: Final = _("Scan to enter the deals, or type:")

# Badges and cards
BADGES: Final = _("Badges")
SEAT_CARDS: Final = _("Seat cards")
TABLE_CARDS: Final = _("Table cards")
FOLD: Final = _("fold")
SCAN_BADGE: Final = _("my page")

# Diplomas
DIPLOMA: Final = pgettext_lazy("diploma", "Diploma")
DIPLOMAS: Final = _("Diplomas")
AWARDED_TO: Final = _("awarded to")
DIPLOMA_RANK: Final = _("{rank} place")
DIPLOMA_TIED: Final = _("{rank} place, shared")
DIRECTOR: Final = _("Director")
AMONG: Final = ngettext_lazy("among {count} ranked", "among {count} ranked", "count")

# Prizes
PRIZE_LIST: Final = _("Prize list")
PRIZE: Final = _("Prize")
AMOUNT: Final = _("Amount")
SHARED_BY: Final = _("{count} share it")
PRIZE_TOTAL: Final = _("Total paid out")
PRIZE_SHARING: Final = _(
    "Those who share a rank share the money of the places that they fill, equally and to the cent; cents that "
    "cannot be divided go one each to the lowest start numbers."
)
PRIZE_SHARING_HOUSE: Final = _(
    "Those who share a rank share the money of the places that they fill, equally and to the cent; cents that "
    "cannot be divided stay with the organiser."
)
RECEIVED: Final = _("Received")

# Receipts
RECEIPT: Final = _("Receipt")
RECEIPTS: Final = _("Receipts")
RECEIVED_FROM: Final = _("Received from")
PAID_ON: Final = _("Paid on")
PAID_BY: Final = _("Paid by")
TOTAL: Final = _("Total")
FOR_ORGANISER: Final = _("For the organiser")

# Rulings
RULING: Final = _("Ruling {number}")
DEAL_WORD: Final = _("Deal")
SIDES: Final = _("Sides")
OFFENDER: Final = _("Side at fault")
ARTICLE: Final = _("Article")
FACTS: Final = _("Facts")
DECISION: Final = pgettext_lazy("ruling", "Decision")
REASON: Final = pgettext_lazy("ruling", "Reason")
EFFECT: Final = _("Effect on the scores")
APPEAL: Final = _("Appeal")
APPEAL_UNTIL: Final = _("A side may appeal until {moment}.")
NO_APPEAL: Final = _("No appeal is open.")
REFEREE: Final = _("Referee")
CONFIRMED_BY: Final = _("Confirmed by")
SEEN_BY: Final = _("Seen by {side} (signature does not imply agreement)")
NOTHING_DUE: Final = _("No points are due under this ruling.")
ISSUED: Final = _("Issued")
STATUS: Final = _("Status")

# Minutes of an appeals committee
MINUTES: Final = _("Minutes of the appeals committee, ruling {number}")
CHAIR_SIGNS: Final = _("Chair")
MEMBER_SIGNS: Final = _("Member")

# Adjudication report
ADJUDICATION_REPORT: Final = _("Adjudication report")
FREQUENCIES: Final = _("Frequency by article")
COUNT: Final = _("Count")
ALL_INCIDENTS: Final = _("All incidents")
INCIDENTS: Final = _("Incidents")
RULINGS: Final = _("Rulings")
NO_INCIDENT: Final = _("No incident was reported.")
NO_RULING: Final = _("no ruling")
SUMMARY: Final = _("Summary")
TIME: Final = _("Time")
APPEALS_COUNT: Final = _("Appeals")

# Event report
EVENT_REPORT: Final = _("Event report")
PLAYERS: Final = _("Players")
SIDE_WORD: Final = _("Side")

# Score sheets
SCORE_SHEET: Final = _("Score sheet")
DECLARER: Final = _("Declarer")
CHOOSER: Final = _("Trump by")
NO_TRUMP_SHORT: Final = _("NT")
POINTS: Final = _("Card points")
TRICKS: Final = _("Tricks")
TOTALS: Final = _("Total")
DEAL_NUMBER: Final = _("Deal")
CARRIED: Final = _("Carried forward")
DEALER_SIDE: Final = _("Dealer")
OTHERS_SIDE: Final = _("Others")
PLAYER_NUMBER: Final = _("Player {number}")
PAIR_NS: Final = _("N-S")
PAIR_EW: Final = _("E-W")
PAIR_NUMBER: Final = _("Pair {number}")
SEATS_TO_CIRCLE: Final = _("North East South West")
WRITE_HELP: Final = _("Circle what applies. To correct a line, cross it out and write a new one.")
HALF_HELP: Final = _("Half of a deal is {half}.")
