"""What pyproject.toml cannot say: resources/ and samples/ stand beside the package here and inside
it in the wheel.
"""

from setuptools import find_packages, setup

DATA = {"mechstudio._resources": "resources", "mechstudio._samples": "samples"}

setup(
    packages=[*find_packages(include=["mechstudio", "mechstudio.*"]), *DATA],
    package_dir=DATA,
    package_data={
        "mechstudio": ["*.pyi", "py.typed"],
        **{package: ["*", "**/*"] for package in DATA},
    },
    include_package_data=False,
)
