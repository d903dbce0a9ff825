#!/usr/bin/env python3
"""Draws docs/performance.svg from two tables of docs/performance.md.

    build/draw-figures.py            writes the picture
    build/draw-figures.py --print    prints it instead
"""
import pathlib
import sys
from xml.sax.saxutils import escape

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
WIDTH, LABELS, BARS, LINE, TITLE, MARGIN = 875, 430, 360, 22, 34, 16
LETTER = 8  # a little more than the average width of one, in the widest of the fonts
GROUND, TEXT, OURS, OTHERS = "#011627", "#d6deeb", "#7fdbca", "#5f7e97"
# The heading, the column, the title, and the longest bar: those of longer values are cut off, since they would dwarf
# the others.
PANELS = [
    ("## A command in a session", 1, "A command in an open session: ms until true has ended (median)", 16.0),
    ("## The start of the program", 2, "A program that runs true: its time ÷ that of codex's npm command (median)", 2.8),
]


def rows(page, heading, column):
    """Returns the labels and the values of a table, without rows that lack the value."""
    section = page.split(heading + "\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(row[0].replace("`", ""), row[column].split(" / ")[0]) for row in cells if row[column]]


def is_ours(label):
    return label.startswith(("host", "Landlock", "bubblewrap", "docker,", "paddock"))


def text(x, y, anchor, words, weight=""):
    return f'<text x="{x:.0f}" y="{y}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'


def draw(page):
    drawn, y = [], MARGIN
    for heading, column, title, longest in PANELS:
        drawn.append(text(MARGIN, y + 14, "start", title, ' font-weight="600"'))
        y += TITLE
        for label, value in rows(page, heading, column):
            if len(label) * LETTER > LABELS - 8 - MARGIN:
                sys.exit(f"the label '{label}' is too long for the picture")
            length = min(float(value), longest) / longest * BARS
            drawn.append(text(LABELS - 8, y + 13, "end", label))
            drawn.append(f'<rect x="{LABELS}" y="{y + 2}" width="{length:.1f}" height="14" rx="2" '
                         f'fill="{OURS if is_ours(label) else OTHERS}"/>')
            if float(value) > longest:
                drawn.append(f'<path d="M{LABELS + BARS - 24} {y + 18}l8 -18" stroke="{GROUND}" stroke-width="4"/>')
            drawn.append(text(LABELS + length + 8, y + 13, "start", value))
            y += LINE
        y += MARGIN
    start = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" role="img" '
             f'aria-label="Two tables of this page as bars">\n'
             f"<style>text{{font:13px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:{TEXT}}}</style>\n"
             f'<rect width="{WIDTH}" height="{y}" rx="8" fill="{GROUND}"/>')
    return "\n".join([start, *drawn, "</svg>"]) + "\n"


picture = draw((DOCS / "performance.md").read_text(encoding="utf-8"))
if sys.argv[1:] == ["--print"]:
    sys.stdout.buffer.write(picture.encode())
elif not sys.argv[1:]:
    (DOCS / "performance.svg").write_text(picture, encoding="utf-8")
else:
    sys.exit(__doc__)
