from __future__ import annotations

import json
import os
import random
import stat
from pathlib import Path
from typing import Any, List
from unittest import mock

from support import DAY, NOW, MachineTestCase, active, issue


class StateFile(MachineTestCase):
    def test_with_random_damage_raises_nothing(self) -> None:
        license = self.activated()
        good = self.state
        chance = random.Random(1)
        for _ in range(300):
            data = bytearray(json.dumps(good).encode())
            for _ in range(chance.randint(1, 5)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            self.state_file.write_bytes(data)
            license.status()
        values: List[Any] = [None, True, -1, 1e400, 2**53, 0.5, "", "\ud800", ".." * 9, [], {}]
        for name in good:
            for value in values:
                self.state = {**good, name: value}
                license.status()

    def test_is_flushed_before_it_is_renamed_and_the_rename_is_flushed_too(self) -> None:
        license = self.activated()
        steps: List[str] = []
        sync, rename = os.fsync, os.replace

        def fsync(handle: int) -> None:
            steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
            sync(handle)

        def replace(temporary: str, file: Path) -> None:
            steps.append("name")
            # A rename between two file systems fails.
            self.assertEqual(Path(temporary).parent, file.parent)
            rename(temporary, file)

        with mock.patch("os.fsync", fsync), mock.patch("os.replace", replace):
            license.install(issue(exp=NOW + 8 * DAY))
        self.assertEqual(steps, ["file", "name", "folder"])

    def test_is_never_half_written(self) -> None:
        license = self.activated()
        states = []
        real = os.fsync

        def fsync(handle: int) -> None:
            states.append(self.license().status().state)
            real(handle)

        self.replies(active(issue(exp=NOW + 8 * DAY)))
        with mock.patch("os.fsync", fsync):
            license.refresh()
        self.assertEqual(set(states), {"valid"})
