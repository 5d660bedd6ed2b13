"""Moving mechanism in a page of HTML: its numbers, the player that draws them on a canvas, and the
picture shown without JavaScript and in print.
"""

import base64
import functools
import hashlib
import json
from xml.sax.saxutils import escape

from mechstudio.folders import resource_folder
from mechstudio.symbolic.exports.pages.style import HAIR, NOTE, SOFT
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import tr

STYLE = f"""
figure.moving {{ margin: 4px 0 10px; break-inside: avoid; }}
figure.moving canvas, figure.moving .bar, figure.moving figcaption {{ display: none; }}
@media screen {{
figure.moving.live > img {{ display: none; }}
figure.moving.live canvas {{ display: block; width: 100%; aspect-ratio: 2.2; cursor: grab; \
touch-action: pan-y; border: 1px solid {HAIR}; border-radius: 8px; }}
figure.moving.live canvas:active {{ cursor: grabbing; }}
figure.moving.live canvas:focus-visible, figure.moving button:focus-visible {{ outline: 2px solid \
#3F55D0; outline-offset: 1px; }}
figure.moving.live .bar {{ display: flex; align-items: center; gap: 10px; margin-top: 6px; }}
figure.moving.live figcaption {{ display: block; }}
figure.moving.still .bar {{ display: none; }}
}}
figure.moving button {{ width: 30px; height: 30px; padding: 0; border: 1px solid {HAIR}; \
border-radius: 15px; background: #FFFFFF; cursor: pointer; }}
figure.moving button svg {{ display: block; margin: auto; fill: #3F55D0; }}
figure.moving button .pause, figure.moving.playing button .play {{ display: none; }}
figure.moving.playing button .pause {{ display: block; }}
figure.moving input {{ flex: 1; accent-color: #3F55D0; }}
figure.moving output {{ min-width: 64px; text-align: right; color: {SOFT}; }}
figure.moving figcaption {{ color: {NOTE}; font-size: 11.5px; margin-top: 4px; }}
"""
_BUTTON = (
    '<svg class="play" width="12" height="12" viewBox="0 0 12 12"><path d="M3 1v10l8-5z"/></svg>'
    '<svg class="pause" width="12" height="12" viewBox="0 0 12 12">'
    '<path d="M2 1h3v10H2zM7 1h3v10H7z"/></svg>'
)


@functools.cache
def player() -> str:
    """The program that draws the mechanism."""
    path = resource_folder("player") / "mechanism.js"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def policy() -> str:
    """Content security policy of the page: only its own player and its own pictures."""
    digest = base64.b64encode(hashlib.sha256(player().encode()).digest()).decode()
    rules = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">'


def figure(numbers: str, picture: str, title: str) -> str:
    """The mechanism.  numbers: of application/films/moving_drawing.py.  picture: an image in HTML
    for readers without the player.
    """
    said = lambda text: escape(line(text), {'"': "&quot;"})
    found = json.loads(numbers)
    # a text inside a script ends at the first tag, and this one has none
    safe = numbers.replace("<", "\\u003c")
    how = tr("Drag to turn it, double-click to turn it back.")
    play = said(tr("Play"))
    return (
        f'<figure class="moving">{picture}'
        f'<canvas tabindex="0" role="img" aria-label="{said(title)}"></canvas>'
        f'<div class="bar"><button type="button" aria-label="{play}">{_BUTTON}</button>'
        f'<input type="range" min="0" max="1000" value="0" aria-label="{said(tr("Time"))}">'
        f"<output></output></div>"
        f"<figcaption>{said(found['note'])}. {said(how)}</figcaption>"
        f'<script type="application/json">{safe}</script></figure>'
    )


def script() -> str:
    """The player, after all figures that it moves."""
    return f"<script>{player()}</script>"
