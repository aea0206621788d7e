"""Write the corpus of lists: invented people in the shapes that programs and secretaries give them.

Run in an environment with openpyxl, XlsxWriter, odfpy, pandas and xlwt::

    python -m tests.lists.make

Each case is a file or a text, and beside it a TOML file with its right answer. A corrected case is
corrected here.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from pathlib import Path

from tests.lists.further import further
from tests.lists.sent import sent

HERE = Path(__file__).parent / "cases"
made = 0


def case(name, content, people, **right):
    """Write one case; text is pasted, bytes are a file."""
    global made
    made += 1
    pasted = isinstance(content, str)
    path = HERE / (name if "." in name else f"{name}.txt")
    path.write_bytes(content.encode() if pasted else content)
    answer = {"pasted": True} if pasted else {}
    answer |= {"people": people, **right}
    lines = []
    for key, value in answer.items():
        if isinstance(value, dict):
            continue
        lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    path.with_name(path.name + ".toml").write_text("\n".join(lines) + "\n")


NL = ["Anneleen Vermeire", "Björn Desmedt", "Zoë Verhaeghe", "Hugo Callewaert"]
FR = ["Thérèse Delvaux", "Benoît Noël", "Hélène Lefèbvre", "François Maréchal"]


def table(separator, head, rows, end="\r\n"):
    return end.join(separator.join(row) for row in [head, *rows]) + end


def text_files():
    two = [[name, club] for name, club in zip(FR, ["Dour", "Boussu", "Dour", ""], strict=True)]
    clubs = [row[1] for row in two]
    for label, separator in (("semicolon", ";"), ("comma", ","), ("tab", "\t"), ("stroke", "|")):
        case(
            f"csv-utf8-{label}.csv",
            table(separator, ["Nom", "Club"], two).encode(),
            FR,
            clubs=clubs,
        )
    for encoding in ("utf-8-sig", "utf-16", "cp1252", "cp850", "mac_roman", "latin-1"):
        case(
            f"csv-{encoding}.csv",
            table(";", ["Nom", "Société"], two).encode(encoding),
            FR,
            clubs=clubs,
        )
        case(
            f"csv-nl-{encoding}.csv",
            table(";", ["Naam"], [[name] for name in NL]).encode(encoding),
            NL,
        )
    for encoding in ("utf-16-le", "utf-16-be"):
        case(
            f"csv-{encoding}-without-mark.csv",
            table("\t", ["Nom", "Club"], two).encode(encoding),
            FR,
            clubs=clubs,
        )
    for wrong in ("latin-1", "cp1252", "cp850"):
        twice = table(";", ["Prénom", "Nom"], [name.split(" ", 1) for name in FR]).encode()
        case(f"csv-utf8-read-as-{wrong}.csv", twice.decode(wrong).encode(), FR)
    case(
        "csv-lines-of-two-encodings.csv",
        b"Naam\n" + "Zoë Müller\n".encode() + "Thérèse Noël\n".encode("cp1252"),
        ["Zoë Müller", "Thérèse Noël"],
    )
    case(
        "csv-sep-line.csv",
        ("sep=;\r\n" + table(";", ["Naam", "Club"], [["Jan Maes", "Menen, stad"]])).encode(),
        ["Jan Maes"],
        clubs=["Menen, stad"],
    )
    case(
        "csv-quote-not-closed.csv",
        b'Naam;Club\r\nAn Maes;Menen\r\nJan "Jef Claes;Gent\r\n"Els Baert;Gent\r\nTom Roels;Menen\r\n',
        ["An Maes", 'Jan "Jef Claes', "Els Baert", "Tom Roels"],
        look=["Els Baert"],
    )
    case(
        "csv-quote-not-closed-one-column.csv",
        b'Naam\n"Els Baert\nTom Roels\nAn Maes\nJan Claes\nPiet Hoste\n',
        ["Els Baert", "Tom Roels", "An Maes", "Jan Claes", "Piet Hoste"],
        look=["Els Baert"],
    )
    case(
        "csv-cell-of-two-lines.csv",
        b'Naam;Club;Nota\r\nAn Maes;Menen;"belt nog\r\nlater"\r\nTom Roels;Gent;\r\n',
        ["An Maes", "Tom Roels"],
        clubs=["Menen", "Gent"],
    )
    case(
        "csv-all-quoted.csv",
        b'"Naam","Club"\r\n"Maes, Jan","Menen"\r\n"Claes, Els","Gent"\r\n"De Smet, An","Gent"\r\n',
        ["Jan Maes", "Els Claes", "An De Smet"],
        clubs=["Menen", "Gent", "Gent"],
    )
    case(
        "csv-mac-line-ends.csv",
        b"Naam;Club\rJan Maes;Menen\rEls Claes;Gent\r",
        ["Jan Maes", "Els Claes"],
    )
    case(
        "csv-title-and-total.csv",
        b"Manilleclub De Tien\n\nLijst van 20 november\nNr;Naam;Betaald\n1.;Jan Maes;ja\n2.;Els Claes;neen\n3.;;\nTotaal;2;1\n",
        ["Jan Maes", "Els Claes"],
        paid=[True, False],
        numbers=[1, 2],
    )
    case(
        "csv-numbers-with-dots.csv",
        b"Nr;Naam\n1.;Jan Maes\n2);Els Claes\n3;Tom Roels\n",
        ["Jan Maes", "Els Claes", "Tom Roels"],
        numbers=[1, 2, 3],
    )
    case(
        "csv-form-questions.csv",
        b"Tijdstempel,Wat is je naam? (verplicht),Naam van je club,E-mailadres\n"
        b"2026/11/20 10:01:22,Jan Maes,Menen,jan@example.org\n2026/11/20 11:41:00,Els Claes,,els@example.org\n",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", ""],
        emails=["jan@example.org", "els@example.org"],
    )
    case(
        "csv-form-french.csv",
        "Horodateur,Quel est votre nom ?,Votre prénom,Numéro de téléphone\n"
        "20/11/2026 10:01:22,Delvaux,Thérèse,0470 12 34 56\n20/11/2026 11:00:00,Noël,Benoît,\n".encode(),
        ["Thérèse Delvaux", "Benoît Noël"],
        phones=["0470 12 34 56", ""],
    )
    case(
        "csv-ticket-shop.csv",
        b"Order number,Attendee first name,Attendee last name,Order status,Ticket\n"
        b"A-1001,Jan,Maes,Completed,Standard\nA-1002,Els,Claes,Cancelled,Standard\nA-1003,Tom,Roels,Completed,Standard\n",
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case(
        "csv-ticket-shop-french.csv",
        "Commande;Participant prénom;Participant nom;Statut commande;Statut paiement\n"
        "77;Luc;Petit;Validée;payé\n78;Zoé;Renard;Annulée;\n79;Claire;Dubois;Validée;virement\n".encode(),
        ["Luc Petit", "Claire Dubois"],
        paid=[True, True],
        aside=["Zoé Renard"],
    )
    case(
        "csv-surname-first.csv",
        b"Naam;Club\nMaes Jan;Menen\nDe Smet An;Gent\nVan den Abeele Luc;Gent\nClaes Els;Menen\n",
        ["Jan Maes", "An De Smet", "Luc Van den Abeele", "Els Claes"],
    )
    case(
        "csv-surname-in-capitals.csv",
        "NOM Prénom;Club\nDELVAUX Thérèse;Dour\nVAN DEN BOSSCHE Jean-Pierre;Boussu\nNOËL Benoît;Dour\n".encode(),
        ["Thérèse DELVAUX", "Jean-Pierre VAN DEN BOSSCHE", "Benoît NOËL"],
    )
    case(
        "csv-without-headings.csv",
        b"Jan Maes;Menen\nEls Claes;Gent\nTom Roels;Menen\nAn De Smet;Gent\n",
        ["Jan Maes", "Els Claes", "Tom Roels", "An De Smet"],
        clubs=["Menen", "Gent", "Menen", "Gent"],
    )
    case(
        "csv-halves-without-headings.csv",
        b"Maes;Jan\nClaes;Els\nRoels;Tom\nDe Smet;An\n",
        ["Jan Maes", "Els Claes", "Tom Roels", "An De Smet"],
    )
    case(
        "csv-one-column-without-heading.csv",
        "Jan Maes\nEls Claes\nZoë Roels\n".encode(),
        ["Jan Maes", "Els Claes", "Zoë Roels"],
    )
    case(
        "csv-payments.csv",
        "Nom;Payé\nJan Maes;payé\nEls Claes;betaald\nTom Roels;OK\nAn Smets;virement\nLuc Petit;VRAI\n"
        "Zoé Renard;à payer 10 €\nIvo Hoste;doit 10\nBea Moens;FAUX\nKris Baert;10 €\nRita Celis;pas encore\n".encode(),
        [
            "Jan Maes",
            "Els Claes",
            "Tom Roels",
            "An Smets",
            "Luc Petit",
            "Zoé Renard",
            "Ivo Hoste",
            "Bea Moens",
            "Kris Baert",
            "Rita Celis",
        ],
        paid=[True, True, True, True, True, False, False, False, False, False],
        asked=["10 €"],
    )
    case(
        "csv-payments-asked.csv",
        b"Naam;Betaald\nJan Maes;gratis\nEls Claes;ja\nTom Roels;via Jan\n",
        ["Jan Maes", "Els Claes", "Tom Roels"],
        asked=["gratis", "via Jan"],
    )
    case(
        "csv-state.csv",
        "Naam;Status\nJan Maes;aanwezig\nEls Claes;afgemeld\nTom Roels;Annulé\nAn Smets;wachtlijst\nLuc Petit;misschien\n".encode(),
        ["Jan Maes", "Luc Petit"],
        aside=["Els Claes", "Tom Roels", "An Smets"],
        look=["Luc Petit"],
    )
    case(
        "csv-remark-says-called-off.csv",
        b"Naam;Club;Opmerking\nJan Maes;Menen;\nEls Claes;Gent;afgemeld op 12/11\nTom Roels;Gent;komt later\n",
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case(
        "csv-presence.csv",
        "Nom;Présent\nJan Maes;oui\nEls Claes;non\nTom Roels;x\n".encode(),
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case(
        "csv-address-in-name.csv",
        b"Naam\nJan Maes <jan@example.org>\nEls Claes (0470 12 34 56)\n",
        ["Jan Maes", "Els Claes"],
        emails=["jan@example.org", ""],
        phones=["", "0470 12 34 56"],
    )
    case(
        "csv-two-in-a-cell.csv",
        b"Naam\nJan Maes / Els Claes\nTom Roels - An Smets\nLuc Petit\n",
        ["Jan Maes / Els Claes", "Tom Roels - An Smets", "Luc Petit"],
        look=["Jan Maes / Els Claes", "Tom Roels - An Smets"],
    )
    case(
        "csv-nameless.csv",
        "Naam;Club\nJan Maes;Menen\n\u3164;Gent\n12345;Gent\n...;Gent\n".encode(),
        ["Jan Maes", "", "12345", "..."],
        wrong=3,
    )
    case(
        "csv-errors.csv",
        b"Naam;Club\nJan Maes;Menen\n#N/A;Gent\n#NAAM?;Gent\n",
        ["Jan Maes", "#N/A", "#NAAM?"],
        wrong=2,
    )
    case(
        "csv-empty-columns.csv",
        b";;;\n;Naam;Club;\n;Jan Maes;Menen;\n;;;\n;Els Claes;Gent;\n",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
    )
    case(
        "csv-nonbreaking-spaces.csv",
        "Naam\nJan\u00a0Maes\n\u200bEls Claes\ufeff\n".encode(),
        ["Jan Maes", "Els Claes"],
    )
    case(
        "csv-decomposed.csv",
        "Nom\nThe\u0301re\u0300se Delvaux\nLuc Petit\n".encode(),
        ["The\u0301re\u0300se Delvaux", "Luc Petit"],
    )


def book(*sheets, prepare=None):
    import openpyxl

    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets:
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    if prepare:
        prepare(workbook)
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def changed(file, change, only="xl/"):
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(file)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for item in old.infolist():
            content = old.read(item)
            new.writestr(
                item.filename,
                change(item.filename, content) if item.filename.startswith(only) else content,
            )
    return out.getvalue()


LIST = [["Naam", "Club"], ["Jan Maes", "Menen"], ["Els Claes", "Gent"], ["Tom Roels", "Menen"]]
WHO = ["Jan Maes", "Els Claes", "Tom Roels"]
WHERE = ["Menen", "Gent", "Menen"]
GUIDE = ("Uitleg", [["Hoe vul je dit in?"], ["Een speler per regel"]])


def workbooks():
    case("xlsx-openpyxl.xlsx", book(("Blad1", LIST)), WHO, clubs=WHERE)
    for stated in ("A1:B2", "A1", "A1:XFD1048576", "B2:B3"):
        wrong = changed(
            book(("Blad1", LIST)),
            lambda _name, part, stated=stated: re.sub(
                rb'<dimension ref="[^"]*"', b'<dimension ref="' + stated.encode() + b'"', part
            ),
        )
        case(f"xlsx-dimension-{stated.replace(':', '-')}.xlsx", wrong, WHO, clubs=WHERE)
    case("xlsx-guide-first.xlsx", book(GUIDE, ("Spelers", LIST)), WHO, sheet="Spelers")
    case(
        "xlsx-numbers-summary.xlsx",
        book(
            (
                "Export Summary",
                [
                    ["This document was exported from Numbers."],
                    ["Numbers Sheet Name", "Numbers Table Name", "Excel Worksheet Name"],
                    ["Spelers", "Tabel 1", "Spelers"],
                ],
            ),
            ("Spelers", [["Tabel 1"], *LIST]),
        ),
        WHO,
        sheet="Spelers",
    )
    case(
        "xlsx-hidden-sheet-before.xlsx",
        book(
            ("Oud", LIST[:2]),
            ("Nu", LIST),
            prepare=lambda b: setattr(b["Oud"], "sheet_state", "hidden"),
        ),
        WHO,
        sheet="Nu",
        lists=["Oud"],
    )
    case(
        "xlsx-two-lists.xlsx",
        book(("Zaterdag", LIST), ("Zondag", LIST[:2])),
        WHO,
        sheet="Zaterdag",
        lists=["Zondag"],
    )

    def strike(workbook):
        from openpyxl.styles import Font

        for cell in workbook["Blad1"][3]:
            cell.font = Font(strike=True)

    case(
        "xlsx-struck-through.xlsx",
        book(("Blad1", LIST), prepare=strike),
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )

    def hide(workbook):
        workbook["Blad1"].row_dimensions[4].hidden = True
        workbook["Blad1"].auto_filter.ref = "A1:B4"

    case(
        "xlsx-filtered.xlsx",
        book(("Blad1", LIST), prepare=hide),
        ["Jan Maes", "Els Claes"],
        aside=["Tom Roels"],
    )

    def merge(workbook):
        sheet = workbook["Blad1"]
        sheet["B3"].value = None
        sheet.merge_cells("B2:B3")
        sheet["B4"].value = "Gent"

    case(
        "xlsx-club-merged-down.xlsx",
        book(("Blad1", LIST), prepare=merge),
        WHO,
        clubs=["Menen", "Menen", "Gent"],
    )

    def title(workbook):
        workbook["Blad1"].insert_rows(1, 2)
        workbook["Blad1"]["A1"] = "Inschrijvingen 2026"
        workbook["Blad1"].merge_cells("A1:B1")

    case("xlsx-title-merged.xlsx", book(("Blad1", LIST), prepare=title), WHO, clubs=WHERE)
    formula = [
        ["Voornaam", "Familienaam", "Naam"],
        ["Jan", "Maes", '=A2&" "&B2'],
        ["Els", "Claes", '=A3&" "&B3'],
    ]
    case("xlsx-formula-beside-halves.xlsx", book(("Blad1", formula)), ["Jan Maes", "Els Claes"])
    only = [["Nr", "Naam"], [1, '="Jan "&"Maes"'], [2, "Els Claes"]]
    case(
        "xlsx-formula-without-result.xlsx",
        book(("Blad1", only)),
        ["#FORMULA", "Els Claes"],
        wrong=1,
    )
    errors = [["Naam", "Club"], ["Jan Maes", "Menen"], ["#N/A", "Gent"]]
    case("xlsx-error.xlsx", book(("Blad1", errors)), ["Jan Maes", "#N/A"], wrong=1)
    flags = [
        ["Naam", "Betaald"],
        ["Jan Maes", True],
        ["Els Claes", False],
        ["Tom Roels", 1],
        ["An Smets", 0],
        ["Luc Petit", None],
    ]
    case(
        "xlsx-booleans.xlsx",
        book(("Blad1", flags)),
        ["Jan Maes", "Els Claes", "Tom Roels", "An Smets", "Luc Petit"],
        paid=[True, False, False, False, False],
        asked=["1"],
    )
    case(
        "xlsx-amount-asked.xlsx",
        book(("Blad1", [["Naam", "Betaald"], ["Jan Maes", 5], ["Els Claes", None]])),
        ["Jan Maes", "Els Claes"],
        asked=["5"],
    )
    from datetime import datetime

    dated = [
        ["Nr", "Naam", "Ingeschreven op"],
        [1.0, "Jan Maes", datetime.fromisoformat("2026-11-12")],
        [2.0, "Els Claes", datetime.fromisoformat("2026-11-13T14:05")],
    ]
    case("xlsx-dates.xlsx", book(("Blad1", dated)), ["Jan Maes", "Els Claes"], numbers=[1, 2])
    lines = [["Naam"], ["Jan Maes\nEls Claes"], ["Tom Roels"]]
    case(
        "xlsx-two-lines-in-a-cell.xlsx",
        book(("Blad1", lines)),
        ["Jan Maes Els Claes", "Tom Roels"],
        look=["Jan Maes Els Claes"],
    )
    strict = changed(
        book(("Blad1", LIST)),
        lambda _name, part: part.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        ).replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        ),
        only=("xl/", "_rels/"),
    )
    case("xlsx-strict.xlsx", strict, WHO, clubs=WHERE)
    case(
        "xlsx-broken-styles.xlsx",
        changed(
            book(("Blad1", LIST)),
            lambda name, part: (
                part.replace(b"<b val", b"<b vl").replace(b'sz val="11"', b'sz val="x"')
                if name.endswith("styles.xml")
                else part
            ),
        ),
        WHO,
    )

    def far(workbook):
        workbook["Blad1"].cell(4000, 1, "Laura Hoste")

    case("xlsx-far-below.xlsx", book(("Blad1", LIST), prepare=far), [*WHO, "Laura Hoste"])
    state = [
        ["Naam", "Status"],
        ["Jan Maes", "OK"],
        ["Els Claes", "Annulé"],
        ["Tom Roels", "réserve"],
    ]
    case("xlsx-state.xlsx", book(("Blad1", state)), ["Jan Maes"], aside=["Els Claes", "Tom Roels"])
    pad = [
        [None, None, None],
        [None, "Naam", "Club"],
        [None, "Jan Maes", "Menen"],
        [None, "Els Claes", "Gent"],
    ]
    case(
        "xlsx-away-from-the-corner.xlsx",
        book(("Blad1", pad)),
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
    )
    case(
        "xlsx-phones-as-numbers.xlsx",
        book(
            ("Blad1", [["Naam", "GSM"], ["Jan Maes", 32470123456], ["Els Claes", "0470/12.34.56"]])
        ),
        ["Jan Maes", "Els Claes"],
        phones=["32470123456", "0470/12.34.56"],
    )
    case(
        "xlsx-partner-column.xlsx",
        book(
            ("Blad1", [["Speler", "Partner"], ["Jan Maes", "Els Claes"], ["Tom Roels", "An Smets"]])
        ),
        ["Jan Maes", "Tom Roels"],
        pairs=True,
        partners=["Els Claes", "An Smets"],
    )
    case(
        "xlsx-pairs-in-a-cell.xlsx",
        book(
            ("Blad1", [["Ploeg", "Namen"], [1, "Jan Maes / Els Claes"], [2, "Tom Roels\nAn Smets"]])
        ),
        ["Jan Maes", "Tom Roels"],
        pairs=True,
        partners=["Els Claes", "An Smets"],
    )

    import xlsxwriter

    for memory in (False, True):
        out = io.BytesIO()
        workbook = xlsxwriter.Workbook(out, {"constant_memory": memory, "in_memory": True})
        sheet = workbook.add_worksheet("Deelnemers")
        bold, struck = (
            workbook.add_format({"bold": True}),
            workbook.add_format({"font_strikeout": True}),
        )
        for at, row in enumerate(
            [
                ["Nr", "Voornaam", "Naam", "Betaald"],
                [1, "Jan", "Maes", "10 €"],
                [2, "Els", "Claes", ""],
                [3, "Tom", "Roels", "x"],
            ]
        ):
            for column, value in enumerate(row):
                sheet.write(at, column, value, bold if at == 0 else struck if at == 2 else None)
        workbook.close()
        case(
            f"xlsx-xlsxwriter-{'stream' if memory else 'usual'}.xlsx",
            out.getvalue(),
            ["Jan Maes", "Tom Roels"],
            aside=["Els Claes"],
            paid=[False, True],
            asked=["10 €"],
            numbers=[1, 3],
        )
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = workbook.add_worksheet()
    bold = workbook.add_format({"bold": True})
    sheet.write(0, 0, "Naam")
    sheet.write_rich_string(1, 0, bold, "Jan", " Maes")
    sheet.write_formula(2, 0, '="Els "&"Claes"', None, "Els Claes")
    sheet.write_boolean(2, 1, True)
    workbook.close()
    case("xlsx-rich-text-and-kept-formula.xlsx", out.getvalue(), ["Jan Maes", "Els Claes"])

    import pandas

    frame = pandas.DataFrame({"Nom": FR, "Club": ["Dour", "Boussu", None, "Dour"]})
    for index in (True, False):
        out = io.BytesIO()
        frame.to_excel(out, index=index)
        case(
            f"xlsx-pandas-{'index' if index else 'plain'}.xlsx",
            out.getvalue(),
            FR,
            clubs=["Dour", "Boussu", "", "Dour"],
        )
        case(
            f"csv-pandas-{'index' if index else 'plain'}.csv",
            frame.to_csv(index=index).encode(),
            FR,
        )
    out = io.BytesIO()
    frame.to_excel(out, index=False, engine="odf")
    case("ods-pandas.ods", out.getvalue(), FR, clubs=["Dour", "Boussu", "", "Dour"])
    case("html-pandas.xls", frame.to_html(index=False).encode(), FR)


def documents():
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.style import Style, TextProperties
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    def ods(*sheets, struck=(), hidden=(), repeated=1):
        document = OpenDocumentSpreadsheet()
        strike = Style(name="ce1", family="table-cell")
        strike.addElement(TextProperties(textlinethroughstyle="solid"))
        document.automaticstyles.addElement(strike)
        for name, rows in sheets:
            made_table = Table(name=name)
            for at, row in enumerate(rows):
                line = TableRow(visibility="filter") if at in hidden else TableRow()
                for value in row:
                    kind = (
                        {"valuetype": "boolean", "booleanvalue": str(value).lower()}
                        if isinstance(value, bool)
                        else {"valuetype": "string"}
                    )
                    cell = TableCell(**kind, **({"stylename": strike} if at in struck else {}))
                    for part in str(value).split("\n"):
                        cell.addElement(P(text=part))
                    line.addElement(cell)
                line.addElement(TableCell(numbercolumnsrepeated=1000))
                made_table.addElement(line)
            made_table.addElement(TableRow(numberrowsrepeated=1048000))
            document.spreadsheet.addElement(made_table)
        out = io.BytesIO()
        document.write(out)
        return out.getvalue()

    case("ods-plain.ods", ods(("Blad1", LIST)), WHO, clubs=WHERE)
    case("ods-guide-first.ods", ods(GUIDE, ("Spelers", LIST)), WHO, sheet="Spelers")
    case(
        "ods-struck.ods",
        ods(("Blad1", LIST), struck={2}),
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case(
        "ods-filtered.ods",
        ods(("Blad1", LIST), hidden={1}),
        ["Els Claes", "Tom Roels"],
        aside=["Jan Maes"],
    )
    case(
        "ods-booleans.ods",
        ods(("Blad1", [["Nom", "Payé"], ["Luc Petit", True], ["Zoé Renard", False]])),
        ["Luc Petit", "Zoé Renard"],
        paid=[True, False],
    )
    case(
        "ods-two-lines.ods",
        ods(("Blad1", [["Naam"], ["Jan Maes\nEls Claes"], ["Tom Roels"]])),
        ["Jan Maes Els Claes", "Tom Roels"],
        look=["Jan Maes Els Claes"],
    )

    import xlwt

    def xls(rows, struck=(), hidden=()):
        workbook = xlwt.Workbook()
        sheet = workbook.add_sheet("Blad1")
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                sheet.write(
                    at,
                    column,
                    value,
                    xlwt.easyxf("font: struck_out on")
                    if at in struck
                    else xlwt.Style.default_style,
                )
            sheet.row(at).hidden = at in hidden
        out = io.BytesIO()
        workbook.save(out)
        return out.getvalue()

    case("xls-plain.xls", xls(LIST), WHO, clubs=WHERE)
    case("xls-struck.xls", xls(LIST, struck={3}), ["Jan Maes", "Els Claes"], aside=["Tom Roels"])
    case("xls-hidden.xls", xls(LIST, hidden={2}), ["Jan Maes", "Tom Roels"], aside=["Els Claes"])
    case(
        "xls-flags.xls",
        xls([["Naam", "Betaald", "Nr"], ["Jan Maes", True, 7], ["Zoë Claes", False, 9]]),
        ["Jan Maes", "Zoë Claes"],
        paid=[True, False],
        numbers=[7, 9],
    )

    def archive(**files):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made_archive:
            for name, content in files.items():
                made_archive.writestr(name.replace("__DOT__", "."), content)
        return out.getvalue()

    csv = table(";", ["Naam", "Club"], [["Jan Maes", "Menen"], ["Zoë Claes", "Gent"]]).encode()
    case("zip-of-a-csv.zip", archive(**{"Inschrijvingen.csv": csv}), ["Jan Maes", "Zoë Claes"])
    case(
        "zip-with-mac-shadow.zip",
        archive(**{"lijst/leden.csv": csv, "__MACOSX/lijst/._leden.csv": b"x"}),
        ["Jan Maes", "Zoë Claes"],
    )
    case("zip-of-a-workbook.zip", archive(**{"a.xlsx": book(("Blad1", LIST))}), WHO)
    case("zip-of-two.zip", archive(**{"a.csv": csv, "b.csv": csv}), [], refused="several_files")
    case("word.docx", archive(**{"word/document.xml": b"<w/>"}), [], refused="not_a_table")
    case(
        "numbers.numbers",
        archive(**{"Index/Document.iwa": b"x", "Index/Tables/a.iwa": b"x"}),
        [],
        refused="not_a_table",
    )
    case("print.pdf", b"%PDF-1.7\n1 0 obj\n", [], refused="not_a_table")
    card = "BEGIN:VCARD\r\nVERSION:{v}\r\nN:{n}\r\nFN:{f}\r\n{more}END:VCARD\r\n"
    three = card.format(
        v="3.0",
        n="Maes;Jan;;;",
        f="Jan Maes",
        more="EMAIL;TYPE=INTERNET:jan@example.org\r\nTEL;TYPE=CELL:+32 470 12 34 56\r\n",
    )
    case(
        "cards-3.vcf",
        (three + card.format(v="3.0", n="Claes;Zoë;;;", f="Zoë Claes", more="")).encode(),
        ["Jan Maes", "Zoë Claes"],
        emails=["jan@example.org", ""],
        phones=["+32 470 12 34 56", ""],
    )
    case(
        "cards-4.vcf",
        card.format(
            v="4.0",
            n="Roels;Tom;;;",
            f="Tom Roels",
            more="item1.EMAIL:tom@example.org\r\nTEL;VALUE=uri:tel:+32-470-00-00-00\r\n",
        ).encode(),
        ["Tom Roels"],
    )
    case(
        "cards-2.vcf",
        b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:No=C3=ABl;Beno=C3=AEt;;;\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Beno=C3=AEt No=C3=ABl\r\nEND:VCARD\r\n",
        ["Benoît Noël"],
    )
    case(
        "cards-folded.vcf",
        b"BEGIN:VCARD\nVERSION:3.0\nN:De Smet;An\nFN:An De\n  Smet\nEND:VCARD\n",
        ["An De Smet"],
    )
    case(
        "html-shop.xls",
        "<html><body><table><tr><th>Nom</th><th>Prénom</th></tr><tr><td>Delvaux</td><td>Thérèse</td></tr><tr><td>Noël</td><td>Beno&icirc;t</td></tr></table></body></html>".encode(),
        ["Thérèse Delvaux", "Benoît Noël"],
    )


def messages():
    case(
        "chat-list",
        "Bonsoir, voici les inscrits :\n\n1. Jan Maes\n2) Els Claes\n3 - Tom Roels\n\nMerci !",
        WHO,
    )
    case("chat-bullets", "- Jan Maes\n• Els Claes\n* Tom Roels", WHO)
    case("chat-boxes", "☑ Jan Maes\n✅ Els Claes\n[x] Tom Roels", WHO)
    case("chat-keycaps", "1️⃣ Jan Maes\n2️⃣ Els Claes\n3️⃣ Tom Roels", WHO)
    case("chat-pictures", "Jan Maes ✅\nEls Claes 👍🏽\nTom Roels 🎉", WHO)
    case(
        "chat-struck",
        "Jan Maes\n~Els Claes~\nTom Roels",
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    struck = "".join(sign + "\u0336" for sign in "Els Claes")
    case(
        "chat-struck-letters",
        f"Jan Maes\n{struck}\nTom Roels",
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case(
        "chat-called-off-beside",
        "1. Jan Maes\n2. Els Claes (afgemeld)\n3. Tom Roels - annulé\n4. An Smets (réserve)\n5. Luc Petit",
        ["Jan Maes", "Luc Petit"],
        aside=["Els Claes", "Tom Roels", "An Smets"],
    )
    case(
        "chat-android",
        "12/11/2026, 20:15 - Jan Maes: ik kom\n12/11/2026, 20:17 - Els Claes: kan niet\n12/11/2026, 20:18 - Tom Roels: ja, ik kom ook\n12/11/2026, 21:00 - An Smets: hoeveel kost het",
        ["Jan Maes", "Tom Roels", "An Smets"],
        aside=["Els Claes"],
        look=["An Smets"],
    )
    case(
        "chat-iphone",
        "[12/11/2026 20:15:33] Luc Petit: je viens\n[12/11/2026 20:17:01] Zoé Renard: je viens\n[12/11/2026 20:19:01] Zoé Renard: je ne peux pas",
        ["Luc Petit"],
        aside=["Zoé Renard"],
    )
    case(
        "chat-exported-list",
        "12/11/2026, 20:15 - Secretaris: Lijst voor vrijdag:\n1. Jan Maes\n2. Els Claes\n3. Tom Roels\n12/11/2026, 20:20 - Bart Hoste: prima",
        WHO,
    )
    case(
        "mail-receivers",
        "Jan Maes <jan@example.org>, Els Claes <els@example.org>; Tom Roels <tom@example.org>",
        WHO,
        emails=["jan@example.org", "els@example.org", "tom@example.org"],
    )
    case(
        "mail-receivers-quoted",
        '"Maes, Jan" <jan@example.org>; "Claes, Els" <els@example.org>; "Roels, Tom" <tom@example.org>',
        WHO,
        emails=["jan@example.org", "els@example.org", "tom@example.org"],
    )
    case(
        "mail-heads",
        "Van: Secretaris <sec@example.org>\nAan: Jan Maes <jan@example.org>; Els Claes <els@example.org>\nCc: Tom Roels <tom@example.org>",
        WHO,
    )
    case("mail-quoted-answer", "> 1. Jan Maes\n> 2. Els Claes\n> 3. Tom Roels", WHO)
    case(
        "mail-with-greeting",
        "Beste Jan,\n\nVoor vrijdag:\n\nEls Claes\nTom Roels\n\nMet vriendelijke groeten,",
        ["Els Claes", "Tom Roels"],
    )
    case(
        "sheet-pasted-headed",
        "Naam\tClub\tBetaald\nJan Maes\tMenen\tja\nEls Claes\tGent\tnee",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
        paid=[True, False],
    )
    case(
        "sheet-pasted-bare",
        "7\tJan Maes\tMenen\n8\tEls Claes\tGent",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
        numbers=[7, 8],
    )
    case("sheet-pasted-halves", "Nom\tPrénom\nPetit\tLuc\nRenard\tZoé", ["Luc Petit", "Zoé Renard"])
    case("sheet-pasted-gap", "Naam\n\nJan Maes\n\n\nEls Claes", ["Jan Maes", "Els Claes"])
    case(
        "web-table",
        "| Naam | Club |\n|------|------|\n| Jan Maes | Menen |\n| Els Claes | Gent |",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
    )
    case(
        "poll-table",
        "Naam\tvr 20/11\tza 21/11\nJan Maes\tOK\t\nEls Claes\tOK\tOK",
        ["Jan Maes", "Els Claes"],
    )
    case(
        "poll-answers",
        "Name\tRSVP\nJan Maes\tYes\nEls Claes\tNo\nTom Roels\tYes",
        ["Jan Maes", "Tom Roels"],
        aside=["Els Claes"],
    )
    case("phones-behind", "Jan Maes 0470 12 34 56\nEls Claes, gsm 0471/12.34.56\nTom Roels", WHO)
    case("line-of-commas", "Jan Maes, Els Claes, Tom Roels", WHO)
    case(
        "surnames-with-commas",
        "Maes, Jan\nClaes, Els\nVan den Abeele, Luc",
        ["Jan Maes", "Els Claes", "Luc Van den Abeele"],
    )
    case(
        "two-on-a-line",
        "Jan en Els Maes\nTom Roels",
        ["Jan en Els Maes", "Tom Roels"],
        look=["Jan en Els Maes"],
    )
    case(
        "pairs-pasted",
        "Jan Maes & Els Claes\nTom Roels + An Smets",
        ["Jan Maes", "Tom Roels"],
        pairs=True,
        partners=["Els Claes", "An Smets"],
    )
    case(
        "pairs-pasted-dash",
        "Jan Maes - Els Claes\nTom Roels – An Smets",
        ["Jan Maes", "Tom Roels"],
        pairs=True,
        partners=["Els Claes", "An Smets"],
    )
    case("numbered-in-advance", "1. Jan Maes\n2. Els Claes\n3.\n4.", ["Jan Maes", "Els Claes"])
    case(
        "ticket-mail",
        "Ticket holder name;Order status\nJan Maes;Completed\nEls Claes;Refunded",
        ["Jan Maes"],
        aside=["Els Claes"],
    )
    case(
        "semicolons",
        "Jan Maes;Menen\nEls Claes;Gent",
        ["Jan Maes", "Els Claes"],
        clubs=["Menen", "Gent"],
    )
    case("single-name", "Jan Maes", ["Jan Maes"])
    case(
        "tricky-surnames",
        "Jan-Piet d'Hondt\nNoël De Clercq\nÉlise 't Kint",
        ["Jan-Piet d'Hondt", "Noël De Clercq", "Élise 't Kint"],
    )


def secretaries():
    """Write what secretaries send and what was once misread."""
    for label, heads, off in (
        ("nl", ["Naam", "Afgemeld"], ["", "x", "nee", "ja (ziek)", "27/11/2026", "misschien"]),
        ("fr", ["Nom", "Désisté"], ["non", "oui", "", "oui, malade", "le 27/11", "à voir"]),
        ("en", ["Name", "Withdrawn"], ["-", "yes", "no", "x (ill)", "2026-11-27 10:00", "perhaps"]),
        ("forfait", ["Joueur", "Forfait"], ["", "Forfait", "FAUX", "VRAI", "désistée", "10 €"]),
    ):
        rows = [*zip([*WHO, "An Smets", "Luc Petit", "Zoé Renard"], off, strict=True)]
        plays = {
            "people": ["Jan Maes", "Tom Roels", "Zoé Renard"],
            "aside": ["Els Claes", "An Smets", "Luc Petit"],
            "look": ["Zoé Renard"],
        }
        case(f"csv-called-off-{label}.csv", table(";", heads, rows).encode(), **plays)
        case(f"sheet-pasted-called-off-{label}", table("\t", heads, rows, "\n"), **plays)
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    sheet = Table(name="Lijst")
    for cells in (["Naam", "Afgemeld"], ["Jan Maes", ""], ["Els Claes", "x"], ["Tom Roels", "nee"]):
        row = TableRow()
        for text in cells:
            cell = TableCell(valuetype="string")
            cell.addElement(P(text=text))
            row.addElement(cell)
        sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    out = io.BytesIO()
    document.save(out)
    case("ods-called-off.ods", out.getvalue(), ["Jan Maes", "Tom Roels"], aside=["Els Claes"])
    case(
        "mail-receiver-without-name",
        'Tom Bogaert <tom.b@example.be>; "Cools, Ann" <ann@example.be>, jef.smets@example.be; '
        "Sofie De Vos <sofie@example.be>\nBart Michiels <bart@example.be>,",
        ["Tom Bogaert", "Ann Cools", "", "Sofie De Vos", "Bart Michiels"],
        emails=[
            "tom.b@example.be",
            "ann@example.be",
            "jef.smets@example.be",
            "sofie@example.be",
            "bart@example.be",
        ],
        wrong=1,
    )
    case(
        "mail-receivers-unquoted",
        "Maes, Jan <jan@example.org>, Els Claes, Roels, Tom <tom@example.org>",
        ["Jan Maes", "Els Claes", "Tom Roels"],
    )
    case(
        "words-behind-names",
        "Guy Stevens payé\nSofie De Vos betaald\nJan Pot 10€\nRik Bos nog te betalen\nEls Aerts afgemeld\n"
        "Luc Fort désisté\nAn Smets réserve\nTom Roels (payé)\nIvo Hoste - betaald\nBea Moens niet betaald\n"
        "Kris Baert - cash\nRita Celis niet afgemeld\nDirk Van Hove wachtlijst\nAn Cash\nMarie De La Rue",
        [
            "Guy Stevens",
            "Sofie De Vos",
            "Jan Pot",
            "Rik Bos",
            "Tom Roels",
            "Ivo Hoste",
            "Bea Moens",
            "Kris Baert",
            "Rita Celis",
            "An Cash",
            "Marie De La Rue",
        ],
        aside=["Els Aerts", "Luc Fort", "An Smets", "Dirk Van Hove"],
        paid=[True, True, False, False, True, True, False, False, False, False, False],
        asked=["10€", "cash"],
        look=["Rita Celis"],
    )
    case(
        "question-behind-names",
        "Wie komt er?\nJan Maes\nFreddy Maes?\nRita Maes ??\nG?rard Petit\nTom Roels (?)\nEls Claes !\n"
        "Qui vient ?\nMerci à tous !",
        ["Jan Maes", "Freddy Maes", "Rita Maes", "G?rard Petit", "Tom Roels", "Els Claes !"],
        look=["Freddy Maes", "Rita Maes", "G?rard Petit", "Tom Roels"],
    )
    case(
        "csv-payments-to-ask.csv",
        "Nom;A payé\nJan Maes;10 €\nEls Claes;€10\nTom Roels;20 €\nAn Smets;cash\nLuc Petit;OK 27/11\n"
        "Zoé Renard;1\nIvo Hoste;OK\nBea Moens;virement\nKris Baert;pas payé\nRita Celis;✓\n".encode(),
        [
            *WHO,
            "An Smets",
            "Luc Petit",
            "Zoé Renard",
            "Ivo Hoste",
            "Bea Moens",
            "Kris Baert",
            "Rita Celis",
        ],
        asked=["10 €", "€10", "20 €", "cash", "OK 27/11", "1"],
        paid=[False] * 6 + [True, True, False, True],
    )
    case(
        "csv-team-is-a-number.csv",
        "Équipe;Nom;Club\n1;Jan Maes;Menen\n1;Els Claes;Gent\n2;Tom Roels;\n".encode(),
        WHO,
        clubs=["Menen", "Gent", ""],
    )
    case(
        "csv-ploeg-is-a-number.csv",
        b"Naam;Ploeg\nJan Maes;Ploeg 1\nEls Claes;Ploeg 1\nTom Roels;Ploeg 2\n",
        WHO,
        clubs=["", "", ""],
    )
    case(
        "csv-team-is-a-club.csv",
        b"Naam;Ploeg\nJan Maes;Menen\nEls Claes;Gent 2\nTom Roels;3\n",
        WHO,
        clubs=["Menen", "Gent 2", "3"],
    )
    case(
        "pairs-half",
        "Jan Maes & Els Claes\nG. Seul",
        ["Jan Maes", "G. Seul"],
        pairs=True,
        partners=["Els Claes", ""],
        look=["G. Seul"],
    )
    case(
        "chat-numbered-messages",
        "28/11/2026, 14:02 - Rita: 1. Rita Goossens\n28/11/2026, 14:03 - Rita: 2. Jan Maes\n"
        "28/11/2026, 14:05 - Els: dank je\n28/11/2026, 14:06 - Els: 3. Els Claes",
        ["Rita Goossens", "Jan Maes", "Els Claes"],
    )
    case(
        "chat-list-behind-its-sender",
        "[14:02 21/11/2026] Rita: 1. Rita Goossens\n2. Jan Maes\n3. Els Claes",
        ["Rita Goossens", "Jan Maes", "Els Claes"],
    )
    case(
        "chat-one-sender-names",
        "[14:02 21/11/2026] Rita: Rita Goossens\n[14:02 21/11/2026] Rita: Jan Maes\n"
        "[14:03 21/11/2026] Rita: Els Claes",
        ["Rita Goossens", "Jan Maes", "Els Claes"],
    )
    case(
        "chat-time-first",
        "[14:02, 21/11/2026] Jan Maes: ik kom\n[14:05, 21/11/2026] Els Claes: kan niet",
        ["Jan Maes"],
        aside=["Els Claes"],
    )


def walked():
    """Lists of a walk: what a shop, a poll, a chat and a page of comments add to the names."""
    case(
        "csv-fee-paid-en.csv",
        table(
            ",", ["Name", "Fee paid"], [[NL[0], "yes"], [NL[1], "unpaid"], [NL[2], "owes 8"]]
        ).encode(),
        NL[:3],
        paid=[True, False, False],
    )
    case(
        "csv-no-beside.csv",
        table(
            ";",
            ["Naam", "Nieuwsbrief", "Vegetarisch"],
            [[NL[0], "ONWAAR", "nooit"], [NL[1], "WAAR", "unpaid"], [NL[2], "FALSE", "afgemeld"]],
        ).encode(),
        NL[:2],
        aside=NL[2:3],
    )
    case(
        "csv-paid-on.csv",
        table(";", ["Speler", "Betaald op"], [[NL[0], "3/11/2026"], [NL[1], ""]]).encode(),
        NL[:2],
        paid=[False, False],
        asked=["3/11/2026"],
    )
    for language, heads, words in (
        ("nl", ["Naam", "Betaald"], ["betaalt ter plaatse", "betaald ter plaatse"]),
        ("fr", ["Nom", "Payé"], ["à régler sur place", "payé sur place"]),
    ):
        case(
            f"csv-pays-at-the-door-{language}.csv",
            table(";", heads, zip(NL[:2], words, strict=True)).encode(),
            NL[:2],
            paid=[False, False],
            asked=words[1:],
        )
    case(
        "csv-player-1-player-2.csv",
        table(
            ";", ["Speler 1", "Speler 2", "Club"], [[NL[0], NL[1], "KC"], [NL[2], NL[3], "KC"]]
        ).encode(),
        [NL[0], NL[2]],
        pairs=True,
        partners=[NL[1], NL[3]],
        clubs=["KC", "KC"],
    )
    case(
        "chat-title-above-numbers",
        f"📋 Manille vrijdag\n1. {NL[0]} ✅\n2. {NL[1]}\n3. {NL[2]}\n4. \n5. \n",
        NL[:3],
    )
    case("chat-first-number-lost", f"{NL[0]}\n2. {NL[1]}\n3. {NL[2]}\n", NL[:3])
    case(
        "chat-me-too",
        f"[28/11/2026, 18:02:11] {NL[0]}: Ik kom\n[28/11/2026, 18:03:40] {NL[1]}: ik ook\n"
        f"[28/11/2026, 18:05:02] {NL[2]}: sorry, kan niet\n",
        NL[:2],
        aside=NL[2:3],
    )
    case(
        "sections-of-a-message",
        f"Dames:\n{NL[0]}\n\nReserve:\n{NL[1]}\n\nAfgemeld\n{NL[3]}\n\nHeren:\n{FR[1]}\n",
        [NL[0], FR[1]],
        aside=[NL[1], NL[3]],
    )
    case(
        "csv-sections.csv",
        table(
            ";", ["Nom", "Club"], [[FR[0], "Dour"], ["Liste d’attente", ""], [FR[1], "Dour"]]
        ).encode(),
        FR[:1],
        aside=FR[1:2],
    )
    case(
        "poll-answers-beside",
        f"\tvr 4 dec\tvr 11 dec\n{NL[0]}\tOK\t\n{NL[1]}\tOK\tOK\n{NL[2]}\t\tOK\n",
        NL[:3],
        clubs=["", "", ""],
    )
    case(
        "comments-of-a-page",
        f"{NL[0]}\nIk doe mee!\nVind ik leuk · Beantwoorden · 2 d\n{NL[1]}\nMet 2 personen aub\n",
        [NL[0], "Vind ik leuk · Beantwoorden · 2 d", NL[1], "Met 2 personen aub"],
        look=["Vind ik leuk · Beantwoorden · 2 d", "Met 2 personen aub"],
    )


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for old in HERE.iterdir():
        old.unlink()
    for write in (text_files, workbooks, documents, messages, secretaries, walked):
        write()
    sent(case)
    further(case)
    sys.stdout.write(f"{made} cases\n")
