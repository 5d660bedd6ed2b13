"""The formats of films, for the window, the command line and the encoders (files/films)."""

import msgspec

from mechstudio.translation import Words

PILLOW, FFMPEG, SEQUENCE = "pillow", "ffmpeg", "sequence"


class FilmFormat(msgspec.Struct, frozen=True):
    """One format.

    id: as in commands.  label: as in the window.  suffix: ending of its files, "" for a folder of
    pictures.  kind: the files' kind in a dialog.  encoder: the program that writes it. transparent:
    it supports a transparent background. most_fps: most frames per second of players, 0 for any.
    even: width and height are even. palette: it has 255 colours, chosen beforehand. size:
    approximate bytes of a frame of a megapixel, for an estimate.
    """

    id: str
    label: Words
    suffix: str
    kind: Words
    encoder: str
    transparent: bool = False
    most_fps: float = 0.0
    even: bool = False
    palette: bool = False
    size: float = 100e3


FILM_FORMATS: tuple[FilmFormat, ...] = (
    FilmFormat("mp4", "MP4", ".mp4", "MP4 films", FFMPEG, even=True, size=15e3),
    FilmFormat(
        "gif",
        "GIF",
        ".gif",
        "Animated GIF pictures",
        PILLOW,
        transparent=True,
        most_fps=50.0,
        palette=True,
        size=60e3,
    ),
    FilmFormat(
        "webm", "WebM", ".webm", "WebM films", FFMPEG, transparent=True, even=True, size=15e3
    ),
    FilmFormat(
        "webp", "WebP", ".webp", "Animated WebP pictures", PILLOW, transparent=True, size=25e3
    ),
    FilmFormat(
        "apng", "APNG", ".apng", "Animated PNG pictures", PILLOW, transparent=True, size=180e3
    ),
    FilmFormat(
        "png", "PNG files", "", "Folder of PNG pictures", SEQUENCE, transparent=True, size=250e3
    ),
)
FILM_BY_ID = {f.id: f for f in FILM_FORMATS}


def film_by_suffix(suffix: str) -> FilmFormat | None:
    """The format of a file's ending; None for an unknown ending."""
    return next((f for f in FILM_FORMATS if f.suffix and f.suffix == suffix.lower()), None)
