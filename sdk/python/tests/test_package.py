"""The wheel as it would be published."""

from __future__ import annotations

import email
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
PROGRAM = "import license_management_client as sdk; print(sdk.__file__, *sdk.__all__)"


class Wheel(unittest.TestCase):
    wheel: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder.name]
        subprocess.run([*command, str(PACKAGE)], check=True)
        (cls.wheel,) = Path(folder.name).iterdir()

    def read(self, name: str) -> str:
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.read(name).decode()

    def test_contains_the_modules_the_type_marker_and_the_license_and_nothing_else(self) -> None:
        module = PACKAGE / "src" / "license_management_client"
        names = [f"{module.name}/{file.name}" for file in module.iterdir() if file.is_file()]
        about = "license_management_client-0.1.0.dist-info"
        added = [f"{about}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE")]
        with zipfile.ZipFile(self.wheel) as archive:
            self.assertEqual(sorted(archive.namelist()), sorted([*names, *added]))
        self.assertIn(f"{module.name}/py.typed", names)

    def test_depends_on_cryptography_alone_and_is_described_by_the_readme(self) -> None:
        metadata = email.message_from_string(
            self.read("license_management_client-0.1.0.dist-info/METADATA")
        )
        self.assertEqual(metadata.get_all("Requires-Dist"), ["cryptography>=42"])
        self.assertEqual(metadata["Requires-Python"], ">=3.9")
        self.assertEqual(metadata["License-Expression"], "MIT")
        readme = (PACKAGE / "README.md").read_text("utf-8")
        self.assertEqual(str(metadata.get_payload()).strip(), readme.strip())

    def test_is_imported_without_the_source(self) -> None:
        command = [sys.executable, "-c", PROGRAM]
        environment = {"PYTHONPATH": str(self.wheel)}
        result = subprocess.run(
            command, env=environment, cwd="/", check=True, capture_output=True, text=True
        )
        self.assertIn(str(self.wheel), result.stdout)
        self.assertIn("License LicenseError LicenseOptions", result.stdout)
