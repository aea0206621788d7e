"""Lists of many makers: polls, shops, banks, standings, pairs in two rows, answers behind names."""

from __future__ import annotations

from tests.lists.sent import csv, ods, rows, xlsx


def further(case):
    """Write the cases."""
    case(
        "sent-nl-tussenvoegsel.xlsx",
        rows(
            ["Roepnaam", "Tussenv.", "Achternaam", "Vereniging", "Voldaan"],
            ["Kees", "van der", "Meer", "De Vier Azen", "ja"],
            ["Annelies", "de", "Wit", "De Vier Azen", "nee"],
            ["Piet", "", "Jansen", "Hartenvrienden", "ja"],
            ["Sofie", "van 't", "Hof", "Hartenvrienden", "ja"],
        ),
        ["Kees van der Meer", "Annelies de Wit", "Piet Jansen", "Sofie van 't Hof"],
        clubs=["De Vier Azen", "De Vier Azen", "Hartenvrienden", "Hartenvrienden"],
        paid=[True, False, True, True],
    )

    def fill(b):
        s = b.active
        s.append(["Ploeg", "Spelers", "Gsm"])
        for i, (a, c, t) in enumerate(
            [
                ("Jan Peeters", "Mia Claes", "0475 11 22 33"),
                ("Luc Maes", "Rita Wouters", "0477 44 55 66"),
                ("Bert Goossens", "Els Jacobs", None),
            ],
            1,
        ):
            s.append([i, a, t])
            s.append([None, c, None])
            r = s.max_row
            s.merge_cells(f"A{r - 1}:A{r}")

    case(
        "sent-nl-pairs-two-rows.xlsx",
        xlsx(fill),
        ["Jan Peeters", "Luc Maes", "Bert Goossens"],
        pairs=True,
        phones=["0475 11 22 33", "0477 44 55 66", ""],
        partners=["Mia Claes", "Rita Wouters", "Els Jacobs"],
    )
    case(
        "sent-nl-pairs-two-cols.csv",
        csv(
            ["Speler 1", "Speler 2", "GSM contactpersoon", "Inschrijvingsgeld betaald?"],
            ["Jan Peeters", "Mia Claes", "0475112233", "Ja"],
            ["Luc Van Damme", "Rita Wouters", "0477445566", "Nog niet"],
            ["Bert Goossens", "Els De Smet", "", "Ja"],
        ),
        ["Jan Peeters", "Luc Van Damme", "Bert Goossens"],
        pairs=True,
        phones=["0475112233", "0477445566", ""],
        partners=["Mia Claes", "Rita Wouters", "Els De Smet"],
        paid=[True, False, True],
    )
    case(
        "sent-pairs-one-cell.ods",
        ods(
            (
                "Blad1",
                [
                    ["Nr", "Ploeg"],
                    [1, "Jan Peeters + Mia Claes"],
                    [2, "Luc Maes + Rita Wouters"],
                    [3, "Hugo Van den Bossche + Nele D'Hondt"],
                ],
            )
        ),
        ["Jan Peeters", "Luc Maes", "Hugo Van den Bossche"],
        pairs=True,
        partners=["Mia Claes", "Rita Wouters", "Nele D'Hondt"],
    )
    case(
        "sent-framadate.csv",
        csv(
            ["", "ven. 13 mars 2026"],
            ["", "20h00"],
            ["Camille Petit", "Oui"],
            ["Hugo Moreau", "Non"],
            ["Léa Girard", "Oui"],
            ["Thomas Roux", "Si nécessaire"],
            sep=",",
            quote=True,
        ),
        ["Camille Petit", "Léa Girard", "Thomas Roux"],
        aside=["Hugo Moreau"],
        look=["Thomas Roux"],
    )
    case(
        "sent-gforms-nl.csv",
        csv(
            [
                "Tijdstempel",
                "E-mailadres",
                "Wat is je naam?",
                "Met wie vorm je een ploeg? (leeg laten als je nog een maat zoekt)",
                "Op welk gsm-nummer kunnen we je bereiken?",
                "Blijf je nadien eten?",
            ],
            [
                "2026/03/02 8:14:07 p.m. CET",
                "jan.p@example.be",
                "Jan Peeters",
                "Mia Claes",
                "+32 475 11 22 33",
                "Ja, 2 personen",
            ],
            [
                "2026/03/02 9:01:44 p.m. CET",
                "luc@example.be",
                "Luc Maes",
                "Rita Wouters",
                "0477/44 55 66",
                "Nee",
            ],
            [
                "2026/03/03 7:50:12 a.m. CET",
                "koen@example.be",
                "Koen De Backer",
                "",
                "0499887766",
                "Ja",
            ],
            sep=",",
            quote=True,
            end="\n",
        ),
        ["Jan Peeters", "Luc Maes", "Koen De Backer"],
        pairs=True,
        look=["Koen De Backer"],
        emails=["jan.p@example.be", "luc@example.be", "koen@example.be"],
        phones=["+32 475 11 22 33", "0477/44 55 66", "0499887766"],
        partners=["Mia Claes", "Rita Wouters", ""],
    )
    case(
        "sent-weez.xlsx",
        rows(
            [
                "N° transaction",
                "Date d'achat",
                "Nom acheteur",
                "Prénom acheteur",
                "Email acheteur",
                "Nom",
                "Prénom",
                "Type de billet",
                "Montant",
                "Etat",
            ],
            [
                "W1234",
                "04/03/2026",
                "Blanchet",
                "Gérard",
                "gerard@example.fr",
                "Blanchet",
                "Gérard",
                "Joueur",
                12,
                "Valide",
            ],
            [
                "W1235",
                "04/03/2026",
                "Faure",
                "Monique",
                "mfaure@example.fr",
                "Faure",
                "Monique",
                "Joueur",
                12,
                "Valide",
            ],
            [
                "W1236",
                "05/03/2026",
                "Da Silva",
                "Alain",
                "ads@example.fr",
                "Da Silva",
                "Alain",
                "Joueur",
                12,
                "Annulé",
            ],
        ),
        ["Gérard Blanchet", "Monique Faure"],
        aside=["Alain Da Silva"],
        emails=["gerard@example.fr", "mfaure@example.fr"],
    )
    case(
        "sent-bank.csv",
        csv(
            [
                "Rekeningnummer",
                "Boekingsdatum",
                "Bedrag",
                "Munt",
                "Tegenpartij",
                "Rekening tegenpartij",
                "Mededeling",
            ],
            [
                "BE12 3456 7890 1234",
                "10/03/2026",
                "10,00",
                "EUR",
                "PEETERS JAN",
                "BE98 7654 3210 9876",
                "manille 14/3",
            ],
            [
                "BE12 3456 7890 1234",
                "11/03/2026",
                "10,00",
                "EUR",
                "CLAES MARIA",
                "BE11 2222 3333 4444",
                "inschrijving manillen",
            ],
            [
                "BE12 3456 7890 1234",
                "11/03/2026",
                "10,00",
                "EUR",
                "VAN HECKE LUC",
                "BE22 3333 4444 5555",
                "manille Luc",
            ],
            enc="cp1252",
        ),
        ["JAN PEETERS", "MARIA CLAES", "LUC VAN HECKE"],
        asked=["10,00", "10,00", "10,00"],
        paid=[False, False, False],
    )
    case(
        "sent-standings-fr.txt",
        "Classement final concours 2025\n1er DUPONT Jean 45 pts\n2e LEFÈVRE Marie 41 pts\n3e VANDENBERGHE Éric 39 pts\n4e MARTIN Luc 20 pts\n",
        [
            "2025 Classement final concours",
            "Jean DUPONT",
            "Marie LEFÈVRE",
            "Éric VANDENBERGHE",
            "Luc MARTIN",
        ],
        look=["2025 Classement final concours"],
    )
    case(
        "sent-footers.xlsx",
        rows(
            ["Kaarting 14 maart"],
            [],
            ["Naam deelnemer", "Inleg"],
            ["Jan Peeters", "betaald"],
            ["Mia Claes", "betaald"],
            ["Luc Maes", "niet betaald"],
            [],
            ["Aantal deelnemers:", 3],
            ["Ontvangen:", "20 €"],
            ["Opgemaakt door Frans De Clercq, secretaris"],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        paid=[True, True, False],
    )

    def fill(b):
        s = b.active
        for r in [
            ["Naam", "Voornaam"],
            ["Peeters", "Jan"],
            ["Claes", "Mia"],
            ["Willems", "Marc"],
            ["Maes", "Luc"],
        ]:
            s.append(r)
        s["E3"] = "komt iets later (rond 20u15)"
        s["E1"] = "Zaal open om 19u"

    case("sent-margin.xlsx", xlsx(fill), ["Jan Peeters", "Mia Claes", "Marc Willems", "Luc Maes"])
    case(
        "sent-particles.csv",
        csv(
            ["Nom et prénom"],
            ["VAN DEN BERGHE Luc"],
            ["de WILDE Anne"],
            ["D'HONDT Piet"],
            ["LE GOFF Yann"],
            ["du BOIS Charles"],
            ["van 't HOF Kees"],
            ["VER ELST Sofie"],
        ),
        [
            "Luc VAN DEN BERGHE",
            "Anne de WILDE",
            "Piet D'HONDT",
            "Yann LE GOFF",
            "Charles du BOIS",
            "Kees van 't HOF",
            "Sofie VER ELST",
        ],
    )
    case(
        "sent-married.csv",
        csv(
            ["Nom", "Prénom", "Date de naissance"],
            ["CLAESSENS-PEETERS", "Maria", "12/01/1950"],
            ["DUPONT-LEROY", "Anne", "03/06/1961"],
            ["VAN DAMME-DE SMET", "Jeanne", "30/11/1948"],
            ["MAES - WOUTERS", "Rita", "08/08/1955"],
        ),
        [
            "Maria CLAESSENS-PEETERS",
            "Anne DUPONT-LEROY",
            "Jeanne VAN DAMME-DE SMET",
            "Rita MAES - WOUTERS",
        ],
    )
    case(
        "sent-mojibake.csv",
        csv(
            ["Prénom", "Nom"],
            ["François", "Lefèvre"],
            ["Hélène", "Goüin"],
            ["Zoë", "Käschel"],
            ["André", "Noël"],
        )
        .decode()
        .encode("utf-8")
        .decode("cp1252", "replace")
        .encode("utf-8"),
        ["François Lefèvre", "Hélène Goüin", "Zoë Käschel", "André Noël"],
    )
    case(
        "sent-emoji.txt",
        "Stand van zaken manillen zaterdag 👇\n✅ Jan Peeters\n✅ Mia Claes\n❌ Luc Maes\n✅ Rita Wouters\n⏳ Bert Goossens (wachtlijst)\n",
        ["Jan Peeters", "Mia Claes", "Rita Wouters"],
        aside=["Luc Maes", "Bert Goossens"],
    )
    case(
        "sent-bare.csv",
        csv(
            ["Jan Peeters", "0475 11 22 33", "betaald"],
            ["Mia Claes", "0477 22 33 44", "niet betaald"],
            ["Luc Maes", "0499 33 44 55", "betaald"],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        phones=["0475 11 22 33", "0477 22 33 44", "0499 33 44 55"],
        paid=[True, False, True],
    )
    case(
        "sent-signs.xlsx",
        rows(
            ["Deelnemer", "Ontv."],
            ["Jan Peeters", "v"],
            ["Mia Claes", "-"],
            ["Luc Maes", "v"],
            ["Rita Wouters", None],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes", "Rita Wouters"],
        paid=[True, False, True, False],
    )
    case(
        "sent-wait.txt",
        "Inscrits :\n- Jean Dupont\n- Marie Lefèvre\n- Luc Martin\n\nListe d'attente :\n- Anne Roux\n- Paul Girard\n",
        ["Jean Dupont", "Marie Lefèvre", "Luc Martin"],
        aside=["Anne Roux", "Paul Girard"],
    )
    case(
        "sent-pairs-paste.txt",
        "Jan Peeters / Mia Claes - 0475 12 34 56 (betaald)\nLuc Maes / Rita Wouters - 0476 22 33 44\n",
        ["Jan Peeters", "Luc Maes"],
        pairs=True,
        phones=["0475 12 34 56", "0476 22 33 44"],
        partners=["Mia Claes", "Rita Wouters"],
        paid=[True, False],
    )
    case(
        "sent-couples.txt",
        "Jan en Mia Peeters\nLuc & Rita Maes\nBert Goossens en Els Jacobs\n",
        ["Jan Peeters", "Luc Maes", "Bert Goossens"],
        pairs=True,
        partners=["Mia Peeters", "Rita Maes", "Els Jacobs"],
    )
    case(
        "sent-clubs.txt",
        "De Vier Azen:\nJan Peeters\nMia Claes\n\nHartenvrienden Aalst:\nLuc Maes\nRita Wouters\n",
        [
            "De Vier Azen",
            "Jan Peeters",
            "Mia Claes",
            "Hartenvrienden Aalst",
            "Luc Maes",
            "Rita Wouters",
        ],
        look=["De Vier Azen", "Hartenvrienden Aalst"],
    )
    case(
        "sent-doodle.xlsx",
        rows(
            ['Poll "Manillen"'],
            ["https://doodle.example/poll/abc"],
            [],
            ["", "maart 2026"],
            ["", "vr 13"],
            ["", "20:00"],
            ["Jan Peeters", "OK"],
            ["Mia Claes", None],
            ["Luc Maes", "OK"],
            ["Rita Wouters", "OK"],
            ["Aantal", 3],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes", "Rita Wouters"],
        look=["Mia Claes"],
    )
    case(
        "sent-remarks.csv",
        csv(
            ["Naam", "Opmerking"],
            ["Jan Peeters", "komt later"],
            ["Mia Claes", "afgezegd 3/3"],
            ["Luc Maes", "vegetarisch"],
            ["Rita Wouters", "komt niet"],
        ),
        ["Jan Peeters", "Luc Maes"],
        aside=["Mia Claes", "Rita Wouters"],
    )
    case(
        "sent-quantity.csv",
        csv(
            ["Nom", "Prénom", "Nombre de places", "Montant réglé"],
            ["Fontaine", "Claire", "2", "20 €"],
            ["Le Goff", "Yves", "1", "10 €"],
        ),
        ["Claire Fontaine", "Yves Le Goff"],
        look=["Claire Fontaine"],
        asked=["20 €", "10 €"],
    )
    case(
        "sent-pairs-blank-rows.xlsx",
        rows(
            ["Ploegen"],
            ["Jan Peeters"],
            ["Mia Claes"],
            [],
            ["Luc Maes"],
            ["Rita Wouters"],
            [],
            ["Bert Goossens"],
            ["Els Jacobs"],
        ),
        ["Jan Peeters", "Luc Maes", "Bert Goossens"],
        pairs=True,
        partners=["Mia Claes", "Rita Wouters", "Els Jacobs"],
    )
    case(
        "sent-gforms-fr.csv",
        csv(
            [
                "Horodateur",
                "Adresse e-mail",
                "Nom et prénom",
                "Votre numéro de téléphone",
                "Comment avez-vous connu le concours ?",
                "Un commentaire ?",
            ],
            [
                "12/02/2026 20:10:11",
                "jean@example.be",
                "Jean Dupont",
                "0475 12 34 56",
                "Par Luc Martin",
                "",
            ],
            [
                "13/02/2026 08:00:12",
                "marie@example.be",
                "Marie Lefèvre",
                "0496 22 33 44",
                "Affiche",
                "Je suis végétarienne",
            ],
            [
                "13/02/2026 09:14:00",
                "luc@example.be",
                "Luc de Brouwer",
                "0477 00 11 22",
                "Facebook",
                "",
            ],
            sep=",",
            quote=True,
        ),
        ["Jean Dupont", "Marie Lefèvre", "Luc de Brouwer"],
        emails=["jean@example.be", "marie@example.be", "luc@example.be"],
        phones=["0475 12 34 56", "0496 22 33 44", "0477 00 11 22"],
    )
    case(
        "sent-comma-names.xlsx",
        rows(["Deelnemer"], ["Meer, Kees van der"], ["Vries, Anna de"], ["Jansen, Piet"]),
        ["Kees van der Meer", "Anna de Vries", "Piet Jansen"],
    )
    case(
        "sent-twizzit.csv",
        csv(
            [
                "Lidnummer",
                "Voornaam",
                "Achternaam",
                "Geslacht",
                "Geboortedatum",
                "E-mail 1",
                "Betaalstatus",
            ],
            ["1045", "Jan", "Peeters", "M", "1950-01-02", "jan@example.be", "Betaald"],
            ["1046", "Mia", "Claes", "V", "1961-07-30", "mia@example.be", "Openstaand"],
            ["1101", "Luc", "Van Hoof", "M", "1948-11-11", "luc@example.be", "Betaald"],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Van Hoof"],
        emails=["jan@example.be", "mia@example.be", "luc@example.be"],
        paid=[True, False, True],
    )
    case(
        "sent-phone-number.xlsx",
        rows(
            ["Naam", "Telefoonnr"],
            ["Jan Peeters", 475112233],
            ["Mia Claes", 477223344],
            ["Luc Maes", 51203040],
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        phones=["0475112233", "0477223344", "051203040"],
    )
    case(
        "sent-checkbox.csv",
        csv(
            ["Naam", "Betaald", "Aanwezig"],
            ["Jan Peeters", "TRUE", "FALSE"],
            ["Mia Claes", "FALSE", "FALSE"],
            ["Luc Maes", "TRUE", "FALSE"],
            sep=",",
        ),
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        paid=[True, False, True],
    )
    case(
        "sent-mail-list.txt",
        "Dag Frans,\n\nHierbij de inschrijvingen van onze club voor zaterdag:\n\n* Jan Peeters\n* Mia Claes\n* Luc Maes\n* Rita Wouters\n\nHet inschrijvingsgeld betalen we ter plaatse.\n\nMet vriendelijke groeten,\nHilde Segers\nKC De Zwaan\n0475 66 77 88\n",
        ["Jan Peeters", "Mia Claes", "Luc Maes", "Rita Wouters"],
    )
    case(
        "sent-prose-sections.txt",
        "Aanwezig: Jan Peeters, Mia Claes, Luc Maes\nAfwezig: Rita Wouters\n",
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        aside=["Rita Wouters"],
    )
    case(
        "sent-equipes.txt",
        "Équipe 1 : Jean Dupont / Marie Lefèvre\nÉquipe 2 : Luc Martin / Anne Roux\nÉquipe 3 : Paul Girard / Sophie Petit\n",
        ["Jean Dupont", "Luc Martin", "Paul Girard"],
        pairs=True,
        partners=["Marie Lefèvre", "Anne Roux", "Sophie Petit"],
    )
    case(
        "sent-pairs-club.txt",
        "Jan Peeters + Mia Claes (KC Menen)\nLuc Maes + Rita Wouters (KC Wevelgem)\n",
        ["Jan Peeters", "Luc Maes"],
        pairs=True,
        clubs=["KC Menen", "KC Wevelgem"],
        partners=["Mia Claes", "Rita Wouters"],
    )

    def fill(b):
        s = b.active
        for r in [
            ["Club", "Nom", "Prénom"],
            ["Les As", "Dupont", "Jean"],
            [None, "Lefèvre", "Marie"],
            ["La Levée", "Martin", "Luc"],
            [None, "Roux", "Anne"],
            [None, "Girard", "Paul"],
        ]:
            s.append(r)
        s.merge_cells("A2:A3")
        s.merge_cells("A4:A6")

    case(
        "sent-club-merged.xlsx",
        xlsx(fill),
        ["Jean Dupont", "Marie Lefèvre", "Luc Martin", "Anne Roux", "Paul Girard"],
        clubs=["Les As", "Les As", "La Levée", "La Levée", "La Levée"],
    )
    case(
        "sent-solde.xlsx",
        rows(
            ["Nom", "Prénom", "Reste à payer"],
            ["Dupont", "Jean", "0 €"],
            ["Lefèvre", "Marie", "10 €"],
        ),
        ["Jean Dupont", "Marie Lefèvre"],
        paid=[True, False],
    )
    case(
        "sent-ab-phones.ods",
        ods(
            (
                "Feuille1",
                [
                    ["Joueur A", "Téléphone A", "Joueur B", "Téléphone B"],
                    ["Jean Dupont", "0475112233", "Marie Lefèvre", "0495112233"],
                    ["Luc Martin", "0476112233", "Anne Roux", "0496112233"],
                ],
            )
        ),
        ["Jean Dupont", "Luc Martin"],
        pairs=True,
        phones=["0475112233", "0476112233"],
        partners=["Marie Lefèvre", "Anne Roux"],
    )
    case(
        "sent-contactpersoon.xlsx",
        rows(
            ["Ploegnaam", "Naam speler 1", "Naam speler 2", "E-mail contactpersoon", "Opmerkingen"],
            ["De Ruitenboeren", "Jan Peeters", "Mia Claes", "jan@example.be", ""],
            ["Troef!", "Luc Maes", "Rita Wouters", "luc@example.be", "komen iets later"],
        ),
        ["Jan Peeters", "Luc Maes"],
        pairs=True,
        emails=["jan@example.be", "luc@example.be"],
        partners=["Mia Claes", "Rita Wouters"],
    )
    case(
        "sent-stars.txt",
        "Jan Peeters *\nMia Claes\nLuc Maes *\n\n* = betaald\n",
        ["Jan Peeters", "Mia Claes", "Luc Maes"],
        paid=[True, False, True],
    )
    case(
        "sent-oui-poll.txt",
        "Jean Dupont : oui\nMarie Lefèvre : non\nLuc Martin : oui\n",
        ["Jean Dupont", "Luc Martin"],
        aside=["Marie Lefèvre"],
    )
    case(
        "sent-particle-last.csv",
        csv(
            ["Achternaam", "Voorletters", "Roepnaam", "Voorvoegsel"],
            ["Meer", "C.J.", "Kees", "van der"],
            ["Vries", "A.", "Anna", "de"],
            ["Jansen", "P.M.", "Piet", ""],
        ),
        ["Kees van der Meer", "Anna de Vries", "Piet Jansen"],
    )
