"""Every word that the documents print, in English, French and Dutch, with the field's terms.

The glossary is rules specification D.3: deal (donne, gift), trick (levée, slag), trump (atout,
troef), game (partie, boom), card event (concours de cartes, kaarting).
"""

from __future__ import annotations

from typing import Final

from scoring.engine.texts import Texts

# The frame
STATES: Final = {
    "provisional": Texts(en="Provisional", fr="Provisoire", nl="Voorlopig"),
    "frozen": Texts(en="Frozen", fr="Gelé", nl="Bevroren"),
    "final": Texts(en="Final", fr="Définitif", nl="Definitief"),
}
PAGE_OF: Final = Texts(
    en="page {page} of {pages}", fr="page {page} sur {pages}", nl="pagina {page} van {pages}"
)
FINGERPRINT: Final = Texts(en="records", fr="état", nl="stand")
PRINTED: Final = Texts(en="printed {moment}", fr="imprimé le {moment}", nl="afgedrukt op {moment}")
DATE: Final = Texts(en="Date", fr="Date", nl="Datum")
EVENT: Final = Texts(en="Event", fr="Concours", nl="Kaarting")
ROUND: Final = Texts(en="Round {round}", fr="Tour {round}", nl="Ronde {round}")
ROUND_WORD: Final = Texts(en="Round", fr="Tour", nl="Ronde")
TABLE: Final = Texts(en="Table", fr="Table", nl="Tafel")
SEAT: Final = Texts(en="Seat", fr="Place", nl="Plaats")
NAME: Final = Texts(en="Name", fr="Nom", nl="Naam")
NUMBER: Final = Texts(en="No.", fr="N°", nl="Nr.")
CLUB: Final = Texts(en="Club", fr="Club", nl="Club")
NO_CLUB: Final = Texts(en="Without a club", fr="Sans club", nl="Zonder club")
RANK: Final = Texts(en="Rank", fr="Rang", nl="Rang")
NOBODY: Final = Texts(en="Nobody yet.", fr="Personne pour l’instant.", nl="Nog niemand.")

# Standings
STANDINGS: Final = Texts(en="Standings", fr="Classement", nl="Klassement")
STANDINGS_TOP: Final = Texts(en="Top {top}", fr="Les {top} premiers", nl="De eerste {top}")
STANDINGS_BY_CLUB: Final = Texts(
    en="Standings by club", fr="Classement par club", nl="Klassement per club"
)
AFTER_ROUND: Final = Texts(
    en="after round {round} of {rounds}",
    fr="après le tour {round} sur {rounds}",
    nl="na ronde {round} van {rounds}",
)
AFTER_ROUND_OPEN: Final = Texts(
    en="after round {round}", fr="après le tour {round}", nl="na ronde {round}"
)
ENTRANTS: Final = Texts(en="{count} classified", fr="{count} classés", nl="{count} geklasseerd")
CUT: Final = Texts(
    en="Cut: {places} qualify", fr="Coupe : {places} qualifiés", nl="Grens: {places} gaan door"
)
QUALIFIED: Final = Texts(en="qualified", fr="qualifié", nl="gekwalificeerd")
WITHDRAWN: Final = Texts(en="withdrawn", fr="forfait", nl="opgave")
WITHDRAWN_LETTER: Final = Texts(en="wd", fr="ff", nl="opg.")
TIED: Final = Texts(
    en="shares its rank: nothing separates it from its neighbour",
    fr="rang partagé : rien ne départage de l’ex æquo",
    nl="gedeelde rang: niets scheidt van de ex aequo",
)
DECIDED: Final = Texts(
    en="what separates a line from the line above is in bold",
    fr="en gras : ce qui départage de la ligne précédente",
    nl="vet: wat scheidt van de vorige regel",
)
LEGEND: Final = Texts(en="Reading", fr="Lecture", nl="Leeswijzer")
ADJUSTED: Final = Texts(
    en="total changed by a ruling",
    fr="total modifié par une décision",
    nl="totaal gewijzigd door een uitspraak",
)

# Draws, slips, cards
DRAW_BY_TABLE: Final = Texts(en="Draw by table", fr="Tirage par table", nl="Loting per tafel")
DRAW_BY_NAME: Final = Texts(en="Draw by name", fr="Tirage par nom", nl="Loting op naam")
STARTS: Final = Texts(en="starts at {time}", fr="début à {time}", nl="begint om {time}")
SITTING_OUT: Final = Texts(
    en="Sitting out this round", fr="Au repos à ce tour", nl="Rust in deze ronde"
)
SITS_OUT_SHORT: Final = Texts(en="rests", fr="repos", nl="rust")
FIRST_DEALER_SHORT: Final = Texts(en="deals", fr="donne", nl="geeft")
SCOREKEEPER_SHORT: Final = Texts(en="scores", fr="marque", nl="schrijft")
FIRST_DEALER: Final = Texts(en="First dealer", fr="Premier donneur", nl="Eerste deler")
SCOREKEEPER: Final = Texts(en="Scorekeeper", fr="Marqueur", nl="Schrijver")
TABLE_SLIPS: Final = Texts(en="Table slips", fr="Feuilles de table", nl="Tafelbriefjes")
GAME: Final = Texts(en="Game {game}", fr="Partie {game}", nl="Partij {game}")
GAME_WORD: Final = Texts(en="Game", fr="Partie", nl="Partij")
AGAINST: Final = Texts(en="v", fr="contre", nl="tegen")
MARKS: Final = Texts(en="Marks", fr="Marques", nl="Punten")
SIGNATURE: Final = Texts(en="Signature", fr="Signature", nl="Handtekening")
SCAN_TABLE: Final = Texts(
    en="Scan to enter the deals, or type:",
    fr="Scannez pour saisir les donnes, ou tapez :",
    nl="Scan om de giften in te voeren, of tik:",
)
