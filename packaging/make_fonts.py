"""Make the Chinese fonts of resources/fonts from those of Noto Sans CJK.

    python packaging/make_fonts.py FOLDER

FOLDER holds NotoSansCJK-Regular.ttc and NotoSansCJK-Bold.ttc (Debian: fonts-noto-cjk; licence: SIL
Open Font License 1.1).  Taken are the characters of GB 2312, which names of a drawing are written
with, and those that the program shows.  Needs fonttools and Babel.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
FONTS = ROOT / "resources" / "fonts"
FAMILY = "Mechstudio Han Sans"  # another name than that of the whole font, which may be there too
FACES = {"Regular": 400, "Bold": 700}
NUMBER = 2  # of the simplified Chinese face in a collection


def characters() -> set[int]:
    """Code points of GB 2312 and of the Chinese catalogues."""
    found: set[int] = set()
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            try:
                found.add(ord(bytes((high, low)).decode("gb2312")))
            except UnicodeDecodeError:
                continue
    for path in sorted((ROOT / "mechstudio" / "locale" / "zh_CN").rglob("*.po")):
        found |= set(map(ord, path.read_text("utf-8")))
    # Latin letters, Greek and signs come from the interface's own font
    return {code for code in found if code >= 0x2E80 or 0x2010 <= code <= 0x2026}


def make(source: Path, face: str, weight: int) -> Path:
    """Write one face; returns its file."""
    font = TTFont(source / f"NotoSansCJK-{face}.ttc", fontNumber=NUMBER)
    options = subset.Options(layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    options.notdef_outline = True
    options.hinting = False
    options.desubroutinize = False
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters())
    cutter.subset(font)
    for record in font["name"].names:
        text = {1: FAMILY, 2: face, 3: f"{FAMILY} {face}", 4: f"{FAMILY} {face}"}.get(record.nameID)
        if record.nameID == 6:
            text = f"{FAMILY.replace(' ', '')}-{face}"
        if text is not None:
            record.string = text
    font["OS/2"].usWeightClass = weight
    out = FONTS / f"HanSans-{face}.otf"
    font["CFF "].cff.fontNames[0] = f"{FAMILY.replace(' ', '')}-{face}"
    font.save(out)
    return out


def main(arguments: list[str]) -> int:
    """Make both faces."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    for face, weight in FACES.items():
        out = make(Path(arguments[0]), face, weight)
        print(f"{out.relative_to(ROOT)}: {out.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
