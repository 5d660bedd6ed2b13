"""Writes the JSON Schema of project files, which ships with the program:

python packaging/make_schema.py
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mechstudio.files.format.json_schema import json_schema  # noqa: E402

TARGET = ROOT / "resources" / "schema" / "mech.schema.json"


def text():
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text(), "utf-8")
    print(f"{TARGET.relative_to(ROOT)} is written")
