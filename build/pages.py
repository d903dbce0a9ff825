"""Prepares the repository's pages for mkdocs, completes the site that it made, and checks it. Used by build/site."""

import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
AT_ROOT = {"README.md": "index.md", "SECURITY.md": "SECURITY.md", "CHANGELOG.md": "CHANGELOG.md",
           "CONTRIBUTING.md": "CONTRIBUTING.md"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def site_name(target):
    """Returns the name of a file of the repository in the site, or None if it is not part of it."""
    name = target.relative_to(ROOT).as_posix()
    if name in AT_ROOT:
        return AT_ROOT[name]
    return name[len("docs/"):] if name.startswith("docs/") and target.is_file() else None


def rewrite(source):
    """Returns a page with its links as in the site. A link to another file of the repository becomes text."""
    def replace(match):
        picture, text, address = match.groups()
        if "://" in address or address.startswith(("#", "mailto:")):
            return match.group()
        path, _, fragment = address.partition("#")
        target = (source.parent / path).resolve()
        if not target.is_relative_to(ROOT) or not target.exists():
            sys.exit(f"{source.relative_to(ROOT)}: there is no {address}")
        name = site_name(target)
        return text if name is None else f"{picture}[{text}]({name}{'#' + fragment if fragment else ''})"
    return tabs(re.sub(r"(?m)^\|.*$", bars, LINK.sub(replace, source.read_text())))


def bars(row):
    """Returns a table's row without the escapes of bars in code: GitHub needs them, and mkdocs would show them."""
    return re.sub(r"`[^`]*`", lambda code: code.group().replace("\\|", "|"), row.group())


def tabs(page):
    """Returns a page with the sections between the comments "tabs" and "end of tabs" as tabs, by their headings."""
    def replace(match):
        lines = []
        for line in match.group(1).strip().splitlines():
            heading = re.fullmatch(r"#+ (.*)", line)
            lines.append(f'=== "{heading.group(1)}"' if heading else f"    {line}".rstrip())
        return "\n".join(lines)
    return re.sub(r"<!-- tabs -->(.*?)<!-- end of tabs -->", replace, page, flags=re.DOTALL)


def prepare(to):
    shutil.copytree(ROOT / "docs", to)
    for page in list((ROOT / "docs").glob("*.md")):
        (to / page.name).write_text(rewrite(page))
    for name, renamed in AT_ROOT.items():
        (to / renamed).write_text(rewrite(ROOT / name))


def complete(site):
    """Lets the search work in pages that are opened as files, where a browser fetches no index and starts no worker.
    Marks the words of options, for site.css."""
    worker, = site.glob("assets/javascripts/workers/search.*.min.js")
    index = json.loads((site / "search/search_index.json").read_text())
    (site / "search/offline.js").write_text(
        f"var __search = {{ index: Promise.resolve({json.dumps(index)}), worker: URL.createObjectURL("
        f"new Blob([{json.dumps(worker.read_text())}], {{ type: 'text/javascript' }})) }};\n")
    before = '<script src="assets/javascripts/bundle.'
    load = """<script>location.protocol === "file:" && document.write('<script src="search/offline.js"><\\/script>')</script>"""
    for file in site.glob("*.html"):
        if file.name != "404.html":
            page = file.read_text()
            if page.count(before) != 1:
                sys.exit(f"{file.name}: where the theme starts is not known")
            file.write_text(re.sub(r"<code>[^<]*</code>", mark_options, page.replace(before, load + before)))


def mark_options(code):
    return re.sub(r"(?<=[ >])-[\w-]+", r'<span class="word">\g<0></span>', code.group())


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(value for key, value in attributes.items() if key in ("id", "name"))
        loads = tag in ("script", "img", "iframe") or tag == "link" and attributes.get("rel") != "canonical"
        for key in ("href", "src"):
            if attributes.get(key):
                (self.loaded if loads else self.links).append(attributes[key])


def check(site):
    pages = {file: Page(file.read_text()) for file in site.rglob("*.html")}
    wrong = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links begin at the server's root
        for address in page.links + page.loaded:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loaded and parts.scheme != "data":
                    wrong.append(f"{file.relative_to(site)}: loads {address}")
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            fragment = unquote(parts.fragment)
            if not target.exists() or fragment and target in pages and fragment not in pages[target].ids:
                wrong.append(f"{file.relative_to(site)}: there is no {address}")
    for style in site.rglob("*.css"):
        wrong.extend(f"{style.name}: loads {found}"
                     for found in re.findall(r"url\(['\"]?(https?:[^)'\"]+)", style.read_text()))
    if wrong or not pages:
        sys.exit("\n".join(wrong) or f"no pages in {site}")


if __name__ == "__main__":
    {"prepare": prepare, "complete": complete, "check": check}[sys.argv[1]](Path(sys.argv[2]).resolve())
