#!/usr/bin/env python3
"""No page links to what does not exist, neither to a file nor to a heading.

usage: links.py SOURCE-ROOT [--site FOLDER | --linked]

With a site: its HTML pages as well. --linked prints the files that pages link to, besides pages.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def anchors_of(text):
    """Of the headings, as GitHub and MkDocs make them."""
    found = set()
    for heading in HEADING.findall(text):
        plain = re.sub(r"[^\w\s-]", "", heading.replace("`", "").lower())
        found.add(re.sub(r"\s", "-", plain.strip()))
    return found


def links_of(root):
    """(page, link, file that it leads to, heading) for every link that stays here."""
    for page in [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for match in LINK.finditer(CODE.sub(lambda code: code[0] if "](" in code[0] else "", text)):
            link = match[1] or match[2]
            if not re.match(r"[a-z]+:", link):
                path, _, anchor = link.partition("#")
                yield page, link, (page.parent / path).resolve() if path else page, anchor


def page_problems(root):
    problems = []
    for page, link, target, anchor in links_of(root):
        if not target.exists():
            problems.append(f"{page.relative_to(root)}: {link} does not exist")
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target.read_text(encoding="utf-8")):
            problems.append(f"{page.relative_to(root)}: {target.name} has no heading '{anchor}'")
    return problems


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src") and value]


def site_problems(site):
    problems = []
    for page in sorted(site.rglob("*.html")):
        if "reference" in page.parts or page.name == "404.html":
            continue  # Doxygen's own, and a page that is shown anywhere
        parser = Links()
        parser.feed(page.read_text(encoding="utf-8"))
        for link in parser.links:
            path = urllib.parse.unquote(link.partition("#")[0])
            if path and not re.match(r"[a-z]+:|//", path) and not (page.parent / path).exists():
                problems.append(f"{page.relative_to(site)}: {link} does not exist")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if "--linked" in sys.argv:
        print("\n".join(sorted({str(target.relative_to(root)) for _, _, target, _ in links_of(root)
                                if target.suffix != ".md"})))
        return 0
    problems = page_problems(root)
    if "--site" in sys.argv:
        site = pathlib.Path(sys.argv[-1])
        problems += site_problems(site)
        if not (site / "search/search_index.json").exists() or not (site / "reference/cpp/index.html").exists():
            problems.append("the site has no search index, or no C++ reference")
    print("\n".join(problems) or "every link leads somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
