#!/usr/bin/env python3
"""Takes the map of the board out of the report on the designers' claims, as a picture of its own.

    scripts/claims-map.py docs/claims.html docs/images/high.svg

It is the map of HC0: how often White wins in High Chess what orthodox chess draws, by the
square of the white king.
"""

import re
import sys

STYLE = """<style>
.cell{fill:#f2f2ee}.heat{fill:#1f6fb2}text{font:13px sans-serif;fill:#1b1d21}.over{fill:#fff}
@media(prefers-color-scheme:dark){.cell{fill:#212429}.heat{fill:#4d9be0}.under{fill:#e6e6e3}}
</style>"""


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    page, picture = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        section = re.search(r'<section id="HC0">.*?</section>', file.read(), re.DOTALL)
    found = section and re.search(r'<svg class="chart heat"(.*?)>(.*?)</svg>', section[0])
    if not found:
        sys.exit(f"{page} has no map for HC0")
    attributes, squares = found.groups()
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="402" height="402"{attributes}>'
    with open(picture, "w", encoding="utf-8") as file:
        file.write(f"{head}{STYLE}{squares}</svg>\n")


main()
