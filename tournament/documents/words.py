"""Every word that the documents print, in English, French and Dutch, with the field's terms.

The glossary is rules specification D.3: deal (donne, gift), trick (levée, slag), trump (atout,
troef), game (manche, boom), card event (concours de cartes, kaarting).
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

NOT_CLASSIFIED: Final = Texts(en="not classified", fr="hors classement", nl="buiten klassement")

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
DECIDED_FOR: Final = Texts(
    en="decided by the director for {who}: {why}",
    fr="attribué par la direction à {who}\u00a0: {why}",
    nl="door de wedstrijdleiding beslist voor {who}: {why}",
)
WHOLE_EVENT: Final = Texts(en="whole event", fr="ensemble du concours", nl="hele kaarting")
STAGE: Final = Texts(en="Stage", fr="Phase", nl="Fase")
RANK_THERE: Final = Texts(en="rank in it", fr="rang dans la phase", nl="plaats in de fase")
ENTRANTS: Final = Texts(en="{count} classified", fr="{count} classés", nl="{count} geklasseerd")
CUT: Final = Texts(
    en="Cut: {places} qualify", fr="Barre : {places} qualifiés", nl="Grens: {places} gaan door"
)
QUALIFIED: Final = Texts(en="qualified", fr="qualifié", nl="gekwalificeerd")
WITHDRAWN: Final = Texts(en="withdrawn", fr="forfait", nl="opgave")
UNPLAYED: Final = Texts(en="did not play", fr="n’a pas joué", nl="niet gespeeld")
EXCLUDED: Final = Texts(en="excluded", fr="exclu", nl="uitgesloten")
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
GAME: Final = Texts(en="Game {game}", fr="Manche {game}", nl="Boom {game}")
GAME_WORD: Final = Texts(en="Game", fr="Manche", nl="Boom")
MARKS: Final = Texts(en="Marks", fr="Marques", nl="Punten")
SIGNATURE: Final = Texts(en="Signature", fr="Signature", nl="Handtekening")
SCAN_TABLE: Final = Texts(
    en="Scan to enter the deals, or type:",
    fr="Scannez pour saisir les donnes, ou tapez :",
    nl="Scan om de giften in te voeren, of tik:",
)

# Badges and cards
BADGES: Final = Texts(en="Badges", fr="Badges", nl="Badges")
SEAT_CARDS: Final = Texts(en="Seat cards", fr="Chevalets de place", nl="Naamkaartjes")
TABLE_CARDS: Final = Texts(en="Table cards", fr="Chevalets de table", nl="Tafelkaarten")
FOLD: Final = Texts(en="fold", fr="pli", nl="vouw")
SCAN_BADGE: Final = Texts(en="my page", fr="ma page", nl="mijn pagina")

# Certificates
CERTIFICATE: Final = Texts(en="Certificate", fr="Diplôme", nl="Diploma")
CERTIFICATES: Final = Texts(en="Certificates", fr="Diplômes", nl="Diploma’s")
AWARDED_TO: Final = Texts(en="awarded to", fr="décerné à", nl="uitgereikt aan")
CERTIFICATE_RANK: Final = Texts(en="{rank} place", fr="{rank} place", nl="{rank} plaats")
CERTIFICATE_TIED: Final = Texts(
    en="{rank} place, shared", fr="{rank} place ex æquo", nl="{rank} plaats ex aequo"
)
DIRECTOR: Final = Texts(en="Director", fr="Directeur", nl="Wedstrijdleider")
AMONG: Final = Texts(
    en="among {count} classified", fr="sur {count} classés", nl="van {count} geklasseerden"
)

# Prizes
PRIZE_LIST: Final = Texts(en="Prize list", fr="Palmarès et prix", nl="Prijzenlijst")
PRIZE: Final = Texts(en="Prize", fr="Prix", nl="Prijs")
AMOUNT: Final = Texts(en="Amount", fr="Montant", nl="Bedrag")
SHARED_BY: Final = Texts(
    en="shared by {count}", fr="partagé entre {count}", nl="gedeeld door {count}"
)
PRIZE_TOTAL: Final = Texts(en="Total paid out", fr="Total distribué", nl="Totaal uitgekeerd")
PRIZE_SHARING: Final = Texts(
    en="Those who share a rank share the money of the places that they fill, equally and to the cent; "
    "cents that do not divide go one each to the lowest start numbers.",
    fr="Les ex æquo se partagent à parts égales, au centime, l’argent des places qu’ils occupent ; "
    "les centimes indivisibles vont un par un aux plus petits numéros de départ.",
    nl="Wie een rang deelt, deelt gelijk en op de cent het geld van de plaatsen die samen bezet zijn; "
    "ondeelbare centen gaan één voor één naar de laagste startnummers.",
)
RECEIVED: Final = Texts(en="Received", fr="Reçu", nl="Ontvangen")

# Receipts
RECEIPT: Final = Texts(en="Receipt", fr="Reçu", nl="Ontvangstbewijs")
RECEIPTS: Final = Texts(en="Receipts", fr="Reçus", nl="Ontvangstbewijzen")
RECEIVED_FROM: Final = Texts(en="Received from", fr="Reçu de", nl="Ontvangen van")
PAID_ON: Final = Texts(en="Paid on", fr="Payé le", nl="Betaald op")
PAID_BY: Final = Texts(en="Paid by", fr="Mode de paiement", nl="Betaalwijze")
TOTAL: Final = Texts(en="Total", fr="Total", nl="Totaal")
FOR_ORGANISER: Final = Texts(
    en="For the organiser", fr="Pour l’organisateur", nl="Voor de inrichter"
)

# Rulings
RULING: Final = Texts(en="Ruling {number}", fr="Décision {number}", nl="Uitspraak {number}")
DEAL_WORD: Final = Texts(en="Deal", fr="Donne", nl="Gift")
SIDES: Final = Texts(en="Sides", fr="Camps", nl="Kampen")
OFFENDER: Final = Texts(en="Side at fault", fr="Camp fautif", nl="Kamp in fout")
ARTICLE: Final = Texts(en="Article", fr="Article", nl="Artikel")
FACTS: Final = Texts(en="Facts", fr="Faits", nl="Feiten")
DECISION: Final = Texts(en="Decision", fr="Décision", nl="Beslissing")
REASON: Final = Texts(en="Reason", fr="Motifs", nl="Motivering")
EFFECT: Final = Texts(
    en="Effect on the scores", fr="Effet sur les marques", nl="Gevolg voor de punten"
)
APPEAL: Final = Texts(en="Appeal", fr="Appel", nl="Beroep")
APPEAL_UNTIL: Final = Texts(
    en="A side may appeal until {moment}.",
    fr="Un camp peut faire appel jusqu’au {moment}.",
    nl="Een kamp kan in beroep gaan tot {moment}.",
)
NO_APPEAL: Final = Texts(
    en="No appeal is open.", fr="Aucun appel n’est ouvert.", nl="Er staat geen beroep open."
)
REFEREE: Final = Texts(en="Referee", fr="Arbitre", nl="Scheidsrechter")
SEEN_BY: Final = Texts(
    en="Seen by {side} (signing is not agreeing)",
    fr="Vu par {side} (signer n’est pas approuver)",
    nl="Gezien door {side} (tekenen is niet instemmen)",
)
NOTHING_DUE: Final = Texts(
    en="No points are due under this ruling.",
    fr="Aucun point n’est dû en vertu de cette décision.",
    nl="Volgens deze uitspraak zijn er geen punten verschuldigd.",
)
ISSUED: Final = Texts(en="Issued", fr="Rendue", nl="Uitgesproken")
STATUS: Final = Texts(en="Status", fr="État", nl="Status")

# Adjudication report
ADJUDICATION_REPORT: Final = Texts(
    en="Adjudication report", fr="Rapport d’arbitrage", nl="Arbitrageverslag"
)
FREQUENCIES: Final = Texts(
    en="Frequency by article", fr="Fréquence par article", nl="Frequentie per artikel"
)
COUNT: Final = Texts(en="Count", fr="Nombre", nl="Aantal")
ALL_INCIDENTS: Final = Texts(en="All incidents", fr="Tous les incidents", nl="Alle incidenten")
INCIDENTS: Final = Texts(en="Incidents", fr="Incidents", nl="Incidenten")
RULINGS: Final = Texts(en="Rulings", fr="Décisions", nl="Uitspraken")
NO_INCIDENT: Final = Texts(
    en="No incident was reported.", fr="Aucun incident signalé.", nl="Geen enkel incident gemeld."
)
NO_RULING: Final = Texts(en="no ruling", fr="sans décision", nl="geen uitspraak")
SUMMARY: Final = Texts(en="Summary", fr="Résumé", nl="Samenvatting")
TIME: Final = Texts(en="Time", fr="Heure", nl="Uur")
APPEALS_COUNT: Final = Texts(en="Appeals", fr="Appels", nl="Beroepen")

# Event report
EVENT_REPORT: Final = Texts(
    en="Event report", fr="Rapport du concours", nl="Verslag van de kaarting"
)
PLAYERS: Final = Texts(en="Players", fr="Joueurs", nl="Spelers")
SIDE_WORD: Final = Texts(en="Side", fr="Camp", nl="Kamp")

# Score sheets
SCORE_SHEET: Final = Texts(en="Score sheet", fr="Feuille de marque", nl="Scoreblad")
DEALER: Final = Texts(en="Dealer", fr="Donneur", nl="Deler")
DECLARER: Final = Texts(en="Declarer", fr="Preneur", nl="Vrager")
CHOOSER: Final = Texts(en="Trump by", fr="Atout par", nl="Troef door")
TRUMP: Final = Texts(en="Trump", fr="Atout", nl="Troef")
NO_TRUMP_SHORT: Final = Texts(en="NT", fr="SA", nl="ZT")
TURN_UP: Final = Texts(en="Turn-up", fr="Retourne", nl="Keerkaart")
TURN_UP_RANKS: Final = Texts(en="10 A K Q J –", fr="10 A R D V –", nl="10 A H V B –")
BID: Final = Texts(en="Bid", fr="Enchère", nl="Bod")
ALL_TRICKS_SHORT: Final = Texts(en="all", fr="gén.", nl="alle")
BLIND: Final = Texts(en="Blind", fr="Aveugle", nl="Blind")
EXCHANGED: Final = Texts(en="Cards exchanged", fr="Cartes échangées", nl="Geruilde kaarten")
POINTS: Final = Texts(en="Points", fr="Points", nl="Kaartpunten")
TRICKS: Final = Texts(en="Tricks", fr="Levées", nl="Slagen")
TOTALS: Final = Texts(en="Total", fr="Total", nl="Totaal")
DEAL_NUMBER: Final = Texts(en="Deal", fr="Donne", nl="Gift")
CARRIED: Final = Texts(en="Carried forward", fr="Report", nl="Overdracht")
DEALER_SIDE: Final = Texts(en="Dealer", fr="Donneur", nl="Deler")
OTHERS_SIDE: Final = Texts(en="Others", fr="Autres", nl="Anderen")
PLAYER_NUMBER: Final = Texts(en="Player {number}", fr="Joueur {number}", nl="Speler {number}")
PAIR_NS: Final = Texts(en="N-S", fr="N-S", nl="N-Z")
PAIR_EW: Final = Texts(en="E-W", fr="E-O", nl="O-W")
SEATS_TO_CIRCLE: Final = Texts(en="N E S W", fr="N E S O", nl="N O Z W")
WRITE_HELP: Final = Texts(
    en="Circle what applies; a corrected line is crossed out, never overwritten.",
    fr="Entourez ce qui convient ; une ligne corrigée se barre, jamais ne se surcharge.",
    nl="Omcirkel wat past; een verbeterde regel wordt doorstreept, nooit overschreven.",
)
HALF_HELP: Final = Texts(
    en="Half of a deal is {half}.",
    fr="La moitié d’une donne est {half}.",
    nl="De helft van een gift is {half}.",
)
