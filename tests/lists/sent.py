"""Lists that secretaries send: forms, shops, address books, messages, sheets with titles and totals."""

from __future__ import annotations

import datetime as dt
import io
import zipfile


def xlsx(fill):
    """Return a workbook that openpyxl writes."""
    import openpyxl

    book, out = openpyxl.Workbook(), io.BytesIO()
    fill(book)
    book.save(out)
    return out.getvalue()


def rows(*lines):
    """Return a workbook of one sheet."""

    def fill(book):
        for line in lines:
            book.active.append(list(line))

    return xlsx(fill)


def xw(fill):
    """Return a workbook that XlsxWriter writes."""
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    fill(book)
    book.close()
    return out.getvalue()


def csv(*lines, sep=";", end="\r\n", enc="utf-8", quote=False):
    """Return a text file of rows."""

    def cell(text):
        text = str(text)
        quoted = quote or sep in text or '"' in text or "\n" in text
        return '"' + text.replace('"', '""') + '"' if quoted else text

    return (end.join(sep.join(map(cell, line)) for line in lines) + end).encode(enc)


def zipped(name, content):
    """Return a ZIP of one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def ods(*sheets):
    """Return a spreadsheet that odfpy writes."""
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document, out = OpenDocumentSpreadsheet(), io.BytesIO()
    for name, lines in sheets:
        sheet = Table(name=name)
        for line in lines:
            row = TableRow()
            for value in line:
                number = isinstance(value, int)
                kind = (
                    {"valuetype": "float", "value": str(value)}
                    if number
                    else {"valuetype": "string"}
                )
                cell = TableCell(**kind)
                if value != "":
                    cell.addElement(P(text=str(value)))
                row.addElement(cell)
            sheet.addElement(row)
        document.spreadsheet.addElement(sheet)
    document.save(out)
    return out.getvalue()


def sent(case):
    """Write the cases."""
    case(
        "sent-title-total-sign.xlsx",
        rows(
            ["Cercle de manille L'As de Pique"],
            ["Concours du 12 décembre 2026"],
            [],
            ["N°", "NOM", "Prénom", "Commune", "Payé"],
            [1, "DUBOIS", "Claire", "Lille", "oui"],
            [2, "LEROY", "Marcel", "Roubaix", "non"],
            [3, "VASSEUR", "Odile", "Tourcoing", "oui"],
            [],
            ["", "", "", "Total payés", 2],
            ["", "", "", "Total inscrits", 3],
            ["Le secrétaire, M. Carpentier"],
        ),
        ["Claire DUBOIS", "Marcel LEROY", "Odile VASSEUR"],
        paid=[True, False, True],
        numbers=[1, 2, 3],
        clubs=["", "", ""],
    )

    def fill(b):
        s = b.active
        s.append(["Naam", "Club"])
        for n, c in [
            ("Rik Maertens", "Torhout"),
            ("Greet Pauwels", "Torhout"),
            ("Luc Dewaele", "Ichtegem"),
        ]:
            s.append([n, c])
        s.append(["=COUNTA(A2:A4)", "spelers"])

    case(
        "sent-count-formula-in-names.xlsx",
        xlsx(fill),
        ["Rik Maertens", "Greet Pauwels", "Luc Dewaele"],
        clubs=["Torhout", "Torhout", "Ichtegem"],
    )
    case(
        "sent-two-blocks.xlsx",
        rows(
            ["Nr", "Naam", "", "Nr", "Naam"],
            [1, "Jan Maes", "", 4, "Wim Sabbe"],
            [2, "Els Claes", "", 5, "Tine Neyt"],
            [3, "Tom Roels", "", 6, "Koen Baeten"],
        ),
        ["Jan Maes", "Els Claes", "Tom Roels", "Wim Sabbe", "Tine Neyt", "Koen Baeten"],
        numbers=[1, 2, 3, 4, 5, 6],
    )
    case(
        "sent-pairs-halves.xlsx",
        rows(
            [
                "Équipe",
                "Nom joueur 1",
                "Prénom joueur 1",
                "Nom joueur 2",
                "Prénom joueur 2",
                "Club",
            ],
            [1, "Petit", "Luc", "Renard", "Zoé", "Dour"],
            [2, "Delvaux", "Thérèse", "Noël", "Benoît", "Boussu"],
        ),
        ["Luc Petit", "Thérèse Delvaux"],
        pairs=True,
        partners=["Zoé Renard", "Benoît Noël"],
        clubs=["Dour", "Boussu"],
    )
    case(
        "sent-pairs-halves-nl.csv",
        csv(
            ["Voornaam 1", "Achternaam 1", "Voornaam 2", "Achternaam 2", "E-mail"],
            ["Jan", "Maes", "Els", "Claes", "jan@example.org"],
            ["Tom", "Roels", "An", "Smets", "tom@example.org"],
            enc="cp1252",
        ),
        ["Jan Maes", "Tom Roels"],
        pairs=True,
        partners=["Els Claes", "An Smets"],
        emails=["jan@example.org", "tom@example.org"],
    )
    case(
        "sent-sections-counts.xlsx",
        rows(
            ["KC De Ridders (3)"],
            ["Jan Maes"],
            ["Els Claes"],
            ["Tom Roels"],
            ["Manillevrienden Gits (2)"],
            ["Wim Sabbe"],
            ["Tine Neyt"],
        ),
        ["Jan Maes", "Els Claes", "Tom Roels", "Wim Sabbe", "Tine Neyt"],
        clubs=[
            "KC De Ridders",
            "KC De Ridders",
            "KC De Ridders",
            "Manillevrienden Gits",
            "Manillevrienden Gits",
        ],
    )
    case(
        "sent-gforms-pairs.csv",
        csv(
            [
                "Horodateur",
                "Adresse e-mail",
                "Nom et prénom du joueur 1",
                "Nom et prénom du joueur 2",
                "Souhaitez-vous manger sur place ?",
                "Remarques",
            ],
            [
                "2026/11/02 8:12:10 PM UTC+1",
                "zoe@example.org",
                "Renard Zoé",
                "Petit Luc",
                "Oui, 2 repas",
                "",
            ],
            [
                "2026/11/03 9:00:00 AM UTC+1",
                "benoit@example.org",
                "Noël Benoît",
                "Delvaux Thérèse",
                "Non",
                "Nous arriverons vers 13h45",
            ],
            [
                "2026/11/04 9:00:00 AM UTC+1",
                "claire@example.org",
                "Dubois Claire",
                "Leroy Marcel",
                "Non",
                "",
            ],
            sep=",",
        ),
        ["Zoé Renard", "Benoît Noël", "Claire Dubois"],
        pairs=True,
        partners=["Luc Petit", "Thérèse Delvaux", "Marcel Leroy"],
        emails=["zoe@example.org", "benoit@example.org", "claire@example.org"],
    )
    case(
        "sent-helloasso.csv",
        csv(
            [
                "Référence commande",
                "Date de la commande",
                "Statut de la commande",
                "Nom participant",
                "Prénom participant",
                "Nom payeur",
                "Prénom payeur",
                "Email payeur",
                "Moyen de paiement",
                "Tarif",
                "Montant tarif",
                "Code Promo",
            ],
            [
                "10234501",
                "12/11/2026 10:22",
                "Validé",
                "Vasseur",
                "Odile",
                "Vasseur",
                "Odile",
                "odile@example.org",
                "Carte bancaire",
                "Inscription concours",
                "8,00",
                "",
            ],
            [
                "10234502",
                "12/11/2026 11:40",
                "Validé",
                "Leroy",
                "Marcel",
                "Vasseur",
                "Odile",
                "odile@example.org",
                "Carte bancaire",
                "Inscription concours",
                "8,00",
                "",
            ],
            [
                "10234503",
                "13/11/2026 09:00",
                "Remboursé",
                "Caron",
                "Yvon",
                "Caron",
                "Yvon",
                "yvon@example.org",
                "Carte bancaire",
                "Inscription concours",
                "8,00",
                "",
            ],
            enc="utf-8-sig",
        ),
        ["Odile Vasseur", "Marcel Leroy"],
        aside=["Yvon Caron"],
        asked=["Carte bancaire", "Carte bancaire"],
        emails=["odile@example.org", "odile@example.org"],
        clubs=["", ""],
    )
    case(
        "sent-weezevent.csv",
        csv(
            [
                "N° de billet",
                "Code barre",
                "Nom",
                "Prénom",
                "E-mail",
                "Type de billet",
                "Montant",
                "Date d'achat",
                "Statut",
                "Contrôlé",
            ],
            [
                "100001",
                "990001",
                "DUBOIS",
                "Claire",
                "claire@example.org",
                "Joueur",
                "10.00",
                "2026-11-01 10:00:00",
                "Payé",
                "",
            ],
            [
                "100002",
                "990002",
                "LEROY",
                "Marcel",
                "marcel@example.org",
                "Joueur",
                "10.00",
                "2026-11-01 10:00:00",
                "Payé",
                "",
            ],
            [
                "100003",
                "990003",
                "CARON",
                "Yvon",
                "yvon@example.org",
                "Joueur",
                "10.00",
                "2026-11-01 10:00:00",
                "Annulé",
                "",
            ],
        ),
        ["Claire DUBOIS", "Marcel LEROY"],
        aside=["Yvon CARON"],
        emails=["claire@example.org", "marcel@example.org"],
    )
    case(
        "sent-doodle.txt",
        "Kaarting 12 december\n\tza 12/12\tzo 13/12\nJan Maes\tOK\t\nEls Claes\tOK\tOK\nTom Roels\t\tOK\nAantal\t2\t2\n",
        ["Jan Maes", "Els Claes", "Tom Roels"],
    )
    case(
        "sent-mail-forward.txt",
        "Beste,\n\nHierbij onze inschrijvingen:\n\n- Jan Maes\n- Els Claes\n- Tom Roels\n\nMet sportieve groeten,\nKoen Baeten\nSecretaris KC Torhout\nTel. 0470 12 34 56\n",
        ["Jan Maes", "Els Claes", "Tom Roels"],
    )

    def fill(b):
        s = b.add_worksheet("Deelnemers")
        st = b.add_format({"font_strikeout": True})
        h = b.add_format({"bold": True})
        for i, t in enumerate(["Speler", "Maat", "Opm."]):
            s.write(0, i, t, h)
        s.write(1, 0, "Jan Maes")
        s.write(1, 1, "Els Claes")
        s.write(2, 0, "Tom Roels", st)
        s.write(2, 1, "An Smets", st)
        s.write(2, 2, "ziek")
        s.write(3, 0, "Wim Sabbe")
        s.write(3, 1, "Tine Neyt")
        s.write_comment(3, 0, "belt nog")

    case(
        "sent-pairs-struck.xlsx",
        xw(fill),
        ["Jan Maes", "Wim Sabbe"],
        pairs=True,
        partners=["Els Claes", "Tine Neyt"],
        aside=["Tom Roels"],
    )
    case(
        "sent-titles-in-names.csv",
        csv(
            ["Nom"],
            ["M. Marcel Leroy"],
            ["Mme Claire Dubois"],
            ["Mlle Zoé Renard"],
            ["M. Yvon Caron"],
        ),
        ["Marcel Leroy", "Claire Dubois", "Zoé Renard", "Yvon Caron"],
    )
    case(
        "sent-paste-word-table.txt",
        "Nom\tPrénom\tVille\nDubois\tClaire\tLille\nLeroy\tMarcel\tRoubaix\n\nMerci de confirmer.\nYvon\n",
        ["Claire Dubois", "Marcel Leroy"],
    )
    case(
        "sent-gforms.zip",
        zipped(
            "Inschrijvingen.csv",
            csv(
                ["Tijdstempel", "Voornaam en naam", "Club of stad", "GSM-nummer"],
                ["2026/11/20 10:01:22 AM CET", "Jan Maes", "Menen", "0470123456"],
                ["2026/11/21 10:01:22 AM CET", "Els Claes", "Wervik", "0471223344"],
                sep=",",
                quote=True,
            ),
        ),
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Wervik"],
        phones=["0470123456", "0471223344"],
    )
    case(
        "sent-repeated-heads.csv",
        csv(
            ["Nr", "Naam", "Club"],
            [1, "Jan Maes", "Menen"],
            [2, "Els Claes", "Menen"],
            ["Nr", "Naam", "Club"],
            [3, "Tom Roels", "Wervik"],
            ["", "Blad 2 van 2", ""],
        ),
        ["Jan Maes", "Els Claes", "Tom Roels"],
        numbers=[1, 2, 3],
    )
    case(
        "sent-one-column-club.xlsx",
        rows(
            ["Inschrijvingen kaarting"],
            ["1. Jan Maes - Menen"],
            ["2. Els Claes - Wervik"],
            ["3. Tom Roels - Menen"],
            ["4. Wim Sabbe - Gits"],
        ),
        ["Jan Maes", "Els Claes", "Tom Roels", "Wim Sabbe"],
        clubs=["Menen", "Wervik", "Menen", "Gits"],
    )
    case(
        "sent-brackets-club.txt",
        "Claire Dubois (Lille)\nMarcel Leroy (Roubaix)\nYvon Caron (Lens)\n",
        ["Claire Dubois", "Marcel Leroy", "Yvon Caron"],
        clubs=["Lille", "Roubaix", "Lens"],
    )
    case(
        "sent-pairs-amp.txt",
        "1) Jan Maes & Els Claes\n2) Tom Roels & An Smets\n3) Wim Sabbe & ?\n",
        ["Jan Maes", "Tom Roels", "Wim Sabbe"],
        pairs=True,
        partners=["Els Claes", "An Smets", ""],
        look=["Wim Sabbe"],
    )
    case(
        "sent-members.csv",
        csv(
            [
                "Lidnr",
                "Familienaam",
                "Voornaam",
                "Straat",
                "Nr",
                "Postcode",
                "Gemeente",
                "Tel",
                "GSM",
                "E-mail",
                "Lid sinds",
                "Status",
            ],
            [
                "1001",
                "Maes",
                "Jan",
                "Kerkstraat",
                "12",
                "8820",
                "Torhout",
                "050 12 34 56",
                "0470 12 34 56",
                "jan@example.org",
                "1998",
                "actief",
            ],
            [
                "1002",
                "Claes",
                "Els",
                "Markt",
                "3",
                "8810",
                "Lichtervelde",
                "",
                "0471 22 33 44",
                "",
                "2004",
                "actief",
            ],
            enc="cp1252",
        ),
        ["Jan Maes", "Els Claes"],
        emails=["jan@example.org", ""],
    )
    case(
        "sent-plus-one.txt",
        "Salut,\nvoici les inscrits pour samedi :\n• Claire Dubois – 06 12 34 56 78\n• Marcel Leroy – 06 23 45 67 89\n• Yvon Caron\nÀ samedi !\nClaire\n",
        ["Claire Dubois", "Marcel Leroy", "Yvon Caron"],
        phones=["06 12 34 56 78", "06 23 45 67 89", ""],
    )
    case(
        "sent-google-contacts.csv",
        csv(
            [
                "First Name",
                "Middle Name",
                "Last Name",
                "Phonetic First Name",
                "Name Prefix",
                "Nickname",
                "Organization Name",
                "E-mail 1 - Label",
                "E-mail 1 - Value",
                "Phone 1 - Label",
                "Phone 1 - Value",
            ],
            [
                "Jan",
                "",
                "Maes",
                "",
                "",
                "",
                "KC Menen",
                "* Home",
                "jan@example.org",
                "Mobile",
                "+32 470 12 34 56",
            ],
            ["Els", "", "Claes", "", "", "", "", "", "", "", ""],
            sep=",",
        ),
        ["Jan Maes", "Els Claes"],
        emails=["jan@example.org", ""],
        phones=["+32 470 12 34 56", ""],
    )
    case(
        "sent-eventbrite.csv",
        csv(
            [
                "Order #",
                "Order Date",
                "First Name",
                "Last Name",
                "Email",
                "Quantity",
                "Ticket Type",
                "Attendee #",
                "Attendee Status",
                "Total Paid",
            ],
            [
                "5551",
                "2026-11-10 12:00:00",
                "Ann",
                "Cools",
                "ann@example.be",
                "1",
                "Speler",
                "7001",
                "Attending",
                "10.00",
            ],
            [
                "5552",
                "2026-11-10 13:00:00",
                "Bart",
                "Michiels",
                "bart@example.be",
                "1",
                "Speler",
                "7002",
                "Not Attending",
                "10.00",
            ],
            sep=",",
        ),
        ["Ann Cools"],
        aside=["Bart Michiels"],
        asked=["10.00"],
        emails=["ann@example.be"],
    )
    case(
        "sent-msforms.xlsx",
        rows(
            [
                "ID",
                "Begintijd",
                "Tijd van voltooien",
                "E-mail",
                "Naam",
                "Voornaam en achternaam speler 1",
                "Voornaam en achternaam speler 2",
                "Telefoonnummer",
                "Komen jullie eten?",
            ],
            [
                1,
                dt.date(2026, 11, 2),
                dt.date(2026, 11, 2),
                "anonymous",
                "",
                "Lies Verbeke",
                "Stien Dhaene",
                "0470111222",
                "Ja",
            ],
            [
                2,
                dt.date(2026, 11, 3),
                dt.date(2026, 11, 3),
                "anonymous",
                "",
                "Rob Cools",
                "Ivo Hoste",
                "0471222333",
                "Nee",
            ],
        ),
        ["Lies Verbeke", "Rob Cools"],
        pairs=True,
        partners=["Stien Dhaene", "Ivo Hoste"],
        phones=["0470111222", "0471222333"],
    )
    case(
        "sent-fr-mail.txt",
        "Bonsoir,\n\nJe vous inscris :\n - Ghislain Wattier (Cercle de Lens)\n - Norbert Pruvost (Cercle de Lens)\n - Edmonde Carlier (Béthune)\n\nBien cordialement\nGhislain Wattier\nPrésident\n06 11 22 33 44\n",
        ["Ghislain Wattier", "Norbert Pruvost", "Edmonde Carlier"],
        clubs=["Cercle de Lens", "Cercle de Lens", "Béthune"],
    )
    case(
        "sent-whatsapp-poll.txt",
        "Kaarting zaterdag 12/12?\n✅ Ja (4)\nMarc Vandewalle\nRosa Lagae\nWilly D'hondt\nLut Coene\n❌ Nee (2)\nJef Smets\nAn Smets\n",
        ["Marc Vandewalle", "Rosa Lagae", "Willy D'hondt", "Lut Coene"],
        aside=["Jef Smets", "An Smets"],
    )
    case(
        "sent-ods-pairs.ods",
        ods(
            (
                "Feuille1",
                [
                    ["Doublettes du 12/12"],
                    ["N°", "Joueur 1", "Joueur 2", "Club"],
                    [1, "WATTIER Ghislain", "PRUVOST Norbert", "Lens"],
                    [2, "CARLIER Edmonde", "PETIT Delphine", "Béthune"],
                ],
            )
        ),
        ["Ghislain WATTIER", "Edmonde CARLIER"],
        pairs=True,
        partners=["Norbert PRUVOST", "Delphine PETIT"],
        clubs=["Lens", "Béthune"],
        numbers=[1, 2],
    )
    case(
        "sent-shop.csv",
        csv(
            [
                "Order ID",
                "Order date",
                "Billing first name",
                "Billing last name",
                "Attendee first name",
                "Attendee last name",
                "Attendee email",
                "Ticket name",
                "Order total",
                "Order status",
            ],
            [
                "501",
                "2026-11-01",
                "Ann",
                "Cools",
                "Ann",
                "Cools",
                "ann@example.be",
                "Kaarting",
                "20.00",
                "completed",
            ],
            [
                "501",
                "2026-11-01",
                "Ann",
                "Cools",
                "Rob",
                "Cools",
                "rob@example.be",
                "Kaarting",
                "20.00",
                "completed",
            ],
            [
                "502",
                "2026-11-02",
                "Jef",
                "Smets",
                "Jef",
                "Smets",
                "jef@example.be",
                "Kaarting",
                "10.00",
                "cancelled",
            ],
            sep=",",
        ),
        ["Ann Cools", "Rob Cools"],
        aside=["Jef Smets"],
        emails=["ann@example.be", "rob@example.be"],
    )
    case(
        "sent-excel-fr-macroman.csv",
        csv(
            ["Nom et prénom", "Société de manille", "Présent"],
            ["Lefèbvre Hélène", "Hénin", "oui"],
            ["Noël François", "Liévin", "non"],
            ["Béart Gérard", "Liévin", "oui"],
            enc="mac_roman",
            end="\r",
        ),
        ["Hélène Lefèbvre", "Gérard Béart"],
        aside=["François Noël"],
        clubs=["Hénin", "Liévin"],
    )

    def fill(b):
        s = b.add_worksheet("2025")
        s.write_row(0, 0, ["Naam", "Club"])
        s.write_row(1, 0, ["Jan Oud", "Gent"])
        s.write_row(2, 0, ["Els Oud", "Gent"])
        t = b.add_worksheet("2026")
        t.write_row(0, 0, ["Naam", "Club"])
        t.write_row(1, 0, ["Jan Nieuw", "Gent"])
        t.write_row(2, 0, ["Els Nieuw", "Gent"])
        t.write_row(3, 0, ["Tom Nieuw", "Gent"])
        t.activate()

    case(
        "sent-two-years.xlsx",
        xw(fill),
        ["Jan Nieuw", "Els Nieuw", "Tom Nieuw"],
        sheet="2026",
        lists=["2025"],
    )
    case(
        "sent-semicolon-list.txt",
        "Vandewalle Marc; Lagae Rosa; D'hondt Willy; Coene Lut\n",
        ["Marc Vandewalle", "Rosa Lagae", "Willy D'hondt", "Lut Coene"],
    )
    case(
        "sent-english-table.xlsx",
        rows(
            ["Spring Manille Open"],
            ["Pos", "Player Name", "Club/Town", "Entry fee", "Contact no."],
            [1, "Ann Cools", "Bruges", "Paid", "+32 470 11 22 33"],
            [2, "Rob Cools", "Bruges", "Not paid", ""],
            [3, "Sofie De Vos", "Ghent", "Paid", ""],
            ["", "", "", "2 of 3", ""],
        ),
        ["Ann Cools", "Rob Cools", "Sofie De Vos"],
        clubs=["Bruges", "Bruges", "Ghent"],
        paid=[True, False, True],
        phones=["+32 470 11 22 33", "", ""],
    )
    case(
        "sent-reserve-list.csv",
        csv(
            ["Nr", "Naam", "Maat"],
            ["1", "Marc Vandewalle", "Rosa Lagae"],
            ["2", "Willy D'hondt", "Lut Coene"],
            ["R1", "Jef Smets", "An Smets"],
        ),
        ["Marc Vandewalle", "Willy D'hondt", "Jef Smets"],
        pairs=True,
        partners=["Rosa Lagae", "Lut Coene", "An Smets"],
        look=["Jef Smets"],
    )
    case(
        "sent-caps-all.csv",
        csv(
            ["NOM PRENOM", "VILLE"],
            ["WATTIER GHISLAIN", "LENS"],
            ["PRUVOST NORBERT", "LENS"],
            ["CARLIER EDMOND", "BETHUNE"],
            ["PETIT DELPHINE", "LENS"],
        ),
        ["GHISLAIN WATTIER", "NORBERT PRUVOST", "EDMOND CARLIER", "DELPHINE PETIT"],
    )
    case(
        "sent-club-rows.xlsx",
        rows(
            ["Club", "Naam"],
            ["De Zwaan", "Marc Vandewalle"],
            ["", "Rosa Lagae"],
            ["", "Willy D'hondt"],
            ["De Leeuw", "Lut Coene"],
            ["", "Jef Smets"],
        ),
        ["Marc Vandewalle", "Rosa Lagae", "Willy D'hondt", "Lut Coene", "Jef Smets"],
        clubs=["De Zwaan", "De Zwaan", "De Zwaan", "De Leeuw", "De Leeuw"],
    )
    case(
        "sent-tally.csv",
        csv(
            [
                "Submission ID",
                "Respondent ID",
                "Submitted at",
                "Naam en voornaam",
                "Telefoonnummer",
                "Met wie speel je?",
            ],
            ["a1", "b1", "2026-11-02 10:00:00", "Hilde Deceuninck", "0470112233", "Roger Vanhee"],
            ["a2", "b2", "2026-11-02 10:10:00", "Greta Muylaert", "0470223344", ""],
            sep=",",
        ),
        ["Hilde Deceuninck", "Greta Muylaert"],
        pairs=True,
        partners=["Roger Vanhee", ""],
        look=["Greta Muylaert"],
    )
    case(
        "sent-messenger.txt",
        "Hilde Deceuninck\nIk kom!\nRoger Vanhee\nIk ook 👍\nGreta Muylaert\nSorry kan niet\n",
        ["Hilde Deceuninck", "Roger Vanhee", "Greta Muylaert"],
        look=["Greta Muylaert"],
    )

    def fill(b):
        s = b.active
        s.append(["Inschrijvingen"])
        s.merge_cells("A1:D1")
        s.append(["Ploeg", "Speler 1", "Speler 2", "Betaald"])
        for r in [
            [1, "Hilde Deceuninck", "Roger Vanhee", "ja"],
            [2, "Greta Muylaert", "Maurits Bril", None],
            [3, "Noëlla Claeys", None, None],
        ]:
            s.append(r)
        s.append([None, None, "Aantal ploegen", "=COUNTA(B3:B5)"])

    case(
        "sent-ploeg-merged.xlsx",
        xlsx(fill),
        ["Hilde Deceuninck", "Greta Muylaert", "Noëlla Claeys"],
        pairs=True,
        partners=["Roger Vanhee", "Maurits Bril", ""],
        paid=[True, False, False],
        look=["Noëlla Claeys"],
    )
    case(
        "sent-waitlist-status.csv",
        csv(
            ["Name", "Email", "RSVP status", "Guests"],
            ["Ann Cools", "ann@example.be", "Going", "0"],
            ["Rob Cools", "rob@example.be", "Waitlist", "0"],
            ["Sofie De Vos", "", "Can't go", "0"],
            ["Jef Smets", "", "Going", "1"],
            sep=",",
        ),
        ["Ann Cools", "Jef Smets"],
        aside=["Rob Cools", "Sofie De Vos"],
    )
    case(
        "sent-mail-commas.txt",
        "Hallo, we komen met Hilde Deceuninck, Roger Vanhee, Greta Muylaert en Maurits Bril.\n",
        ["Hilde Deceuninck", "Roger Vanhee", "Greta Muylaert", "Maurits Bril"],
    )
    case(
        "sent-colour-notes.xlsx",
        rows(
            ["Inschrijving", "Naam", "Tel", "Nota"],
            ["12/11", "Hilde Deceuninck", "0470112233", "vegetarisch"],
            ["13/11", "Roger Vanhee", "", ""],
            ["14/11", "Greta Muylaert", "", "afgebeld 20/11"],
        ),
        ["Hilde Deceuninck", "Roger Vanhee"],
        aside=["Greta Muylaert"],
    )
    case(
        "sent-phone-first.csv",
        csv(
            ["GSM", "Wie"],
            ["0470112233", "Hilde Deceuninck"],
            ["0470223344", "Roger Vanhee"],
            ["", "Greta Muylaert"],
        ),
        ["Hilde Deceuninck", "Roger Vanhee", "Greta Muylaert"],
        phones=["0470112233", "0470223344", ""],
    )
    case(
        "sent-fr-semicolon-heads.csv",
        csv(
            [
                "Nom du joueur",
                "Prénom du joueur",
                "Club d'appartenance",
                "N° de téléphone",
                "Adresse électronique",
            ],
            ["Delvoye", "Huguette", "Dour", "0470/11.22.33", "h@example.org"],
            ["Cousin", "Raymond", "", "", ""],
        ),
        ["Huguette Delvoye", "Raymond Cousin"],
        clubs=["Dour", ""],
        phones=["0470/11.22.33", ""],
        emails=["h@example.org", ""],
    )
    case(
        "sent-lines-slash.txt",
        "Hilde Deceuninck / De Sportman\nRoger Vanhee / De Sportman\nGreta Muylaert / De Zwaan\n",
        ["Hilde Deceuninck", "Roger Vanhee", "Greta Muylaert"],
        clubs=["De Sportman", "De Sportman", "De Zwaan"],
    )
    case(
        "sent-whole-rows-quoted.csv",
        csv(
            ["Naam;Voornaam;Club;Betaald"],
            ["Bossuyt;Kristof;De Kroon;ja"],
            ["Vermote;Annick;De Kroon;nee"],
            sep=",",
            quote=True,
        ),
        ["Kristof Bossuyt", "Annick Vermote"],
        clubs=["De Kroon", "De Kroon"],
        paid=[True, False],
    )
    case(
        "sent-lines-with-commas.txt",
        "Kristof Bossuyt, De Kroon, 0470/11.22.33\nAnnick Vermote, De Kroon, 0471/11.22.33\nDaisy Neirynck, Het Anker, \n",
        ["Kristof Bossuyt", "Annick Vermote", "Daisy Neirynck"],
        clubs=["De Kroon", "De Kroon", "Het Anker"],
        phones=["0470/11.22.33", "0471/11.22.33", ""],
    )
    case(
        "sent-mail-with-sections.txt",
        "From: Luc <luc@example.org>\nTo: Rita <rita@example.org>\nSubject: lijst\n\nHoi Rita,\n\nKomen zeker:\nKristof Bossuyt\nAnnick Vermote\nMisschien:\nDaisy Neirynck\nKomt niet:\nFrans Lesage\n\nGroetjes Luc\n",
        ["Kristof Bossuyt", "Annick Vermote", "Daisy Neirynck"],
        aside=["Frans Lesage"],
        look=["Daisy Neirynck"],
    )
    case(
        "sent-whole-name-in-french.csv",
        csv(
            ["Id", "Nom complet", "Ville", "Licencié", "A réglé (O/N)"],
            ["1", "Jocelyne Lemaire", "Mons", "oui", "O"],
            ["2", "Alphonse Dumont", "Mons", "non", "N"],
            enc="utf-8-sig",
        ),
        ["Jocelyne Lemaire", "Alphonse Dumont"],
        paid=[True, False],
    )
    case(
        "sent-comments.csv",
        csv(
            ["# Liste exportée le 12/11/2026"],
            ["Nom", "Prénom", "Club"],
            ["Lemaire", "Jocelyne", "Mons"],
            ["Dumont", "Alphonse", "Mons"],
            ["# 2 lignes"],
        ),
        ["Jocelyne Lemaire", "Alphonse Dumont"],
        clubs=["Mons", "Mons"],
    )
    case(
        "sent-keycaps-below-a-title.txt",
        "🃏 Kaarting 12/12 🃏\n1️⃣ Kristof Bossuyt\n2️⃣ Annick Vermote\n3️⃣ Daisy Neirynck ❓\n4️⃣\n\nReserve:\n- Frans Lesage\n",
        ["Kristof Bossuyt", "Annick Vermote", "Daisy Neirynck"],
        aside=["Frans Lesage"],
        look=["Daisy Neirynck"],
    )
    case(
        "sent-pairs-with-team-numbers.txt",
        "Équipe 1 : Jocelyne Lemaire et Alphonse Dumont\nÉquipe 2 : Edmond Carlier et Reine Bastin\n",
        ["Jocelyne Lemaire", "Edmond Carlier"],
        pairs=True,
        partners=["Alphonse Dumont", "Reine Bastin"],
    )
    case(
        "sent-halves-without-headings.txt",
        "Bossuyt\tKristof\t0470 11 22 33\tkb@example.be\nVermote\tAnnick\t\tav@example.be\nNeirynck\tDaisy\t\t\n",
        ["Kristof Bossuyt", "Annick Vermote", "Daisy Neirynck"],
        emails=["kb@example.be", "av@example.be", ""],
        phones=["0470 11 22 33", "", ""],
    )
    case(
        "sent-club-rows-with-headings.xlsx",
        rows(
            ["", "Club De Kroon", "", ""],
            ["", "Naam", "Voornaam", "Betaald"],
            ["1", "Bossuyt", "Kristof", "v"],
            ["2", "Vermote", "Annick", ""],
            [],
            ["", "Club Het Anker", "", ""],
            ["", "Naam", "Voornaam", "Betaald"],
            ["1", "Neirynck", "Daisy", "v"],
        ),
        ["Kristof Bossuyt", "Annick Vermote", "Daisy Neirynck"],
        paid=[True, False, True],
    )
    case(
        "sent-surname-comma-heading.csv",
        csv(
            ["Last Name, First Name", "Club", "Paid (Y/N)"],
            ["Bossuyt, Kristof", "De Kroon", "Y"],
            ["Vermote, Annick", "De Kroon", "N"],
            sep=",",
            quote=True,
        ),
        ["Kristof Bossuyt", "Annick Vermote"],
        clubs=["De Kroon", "De Kroon"],
        paid=[True, False],
    )
