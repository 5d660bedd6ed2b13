"""What pyproject.toml cannot say: resources/ and samples/ stand beside the package here and inside
it in the wheel, as the store of compiled kernels does where packaging/build_wheel.py has made one.
Catalogues of languages are compiled.
"""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import find_packages, setup

DATA = {"mechstudio._resources": "resources", "mechstudio._samples": "samples"}
if Path("kernels").is_dir():
    DATA["mechstudio._kernels"] = "kernels"

for path in Path("mechstudio").glob("locale/*/LC_MESSAGES/*.po"):
    with path.open("rb") as source, path.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, read_po(source))

setup(
    packages=[*find_packages(include=["mechstudio", "mechstudio.*"]), *DATA],
    package_dir=DATA,
    package_data={
        "mechstudio": ["*.pyi", "py.typed", "locale/**/*"],
        **{package: ["*", "**/*"] for package in DATA},
    },
    include_package_data=False,
)
