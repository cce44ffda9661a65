from __future__ import annotations

import json
import os
import random
import stat
from pathlib import Path
from typing import Any, List
from unittest import mock

from support import DAY, FINGERPRINT, FOREIGN, KEY, NOW, MachineTestCase, active, issue, reply


class StateFile(MachineTestCase):
    def test_that_is_damaged_is_replaced_by_the_next_activation(self) -> None:
        self.activated()
        whole = self.state_file.read_bytes()
        good = self.state
        damages: List[Any] = [
            b"",
            whole[:-1],
            whole + b"}",
            b"\xff" + whole,
            b"\xef\xbb\xbf" + whole,
            whole.decode().encode("utf-16"),
            b" " * 65_536 + whole,
            b"[" * 60_000,
            b"null",
            b"[]",
            whole.replace(str(NOW).encode(), b"NaN"),
            {},
            {**good, "version": 2},
            {**good, "version": "1"},
            {**good, "version": True},
            {**good, "machine": None},
            {**good, "key": 1},
            {**good, "certificate": []},
            {**good, "installed": 1},
            {**good, "rejection": "invalid"},
            {**good, "rejection": ["revoked"]},
            {**good, "rememberedTime": -1},
            {**good, "rememberedTime": 1.5},
            {**good, "rememberedTime": True},
            {**good, "rememberedTime": None},
        ]
        for missing in ("version", "machine", "rememberedTime"):
            damages.append({name: good[name] for name in good if name != missing})
        for index, damage in enumerate(damages):
            with self.subTest(index=index):
                if isinstance(damage, bytes):
                    self.state_file.write_bytes(damage)
                else:
                    self.state = damage
                license = self.license()
                self.assert_state(license, "damaged", "state_file")
                self.assertEqual(license.refresh().state, "damaged")
                self.assertEqual(self.service.requests, [])
        license.activate(KEY)
        self.assertEqual(self.state, good)

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

    def test_drops_members_that_it_does_not_know(self) -> None:
        license = self.activated()
        good = self.state
        self.state = {**good, "added": 1}
        license.activate(KEY)
        self.assertEqual(self.state, good)

    def test_with_a_damaged_certificate_is_healed_by_a_refresh(self) -> None:
        license = self.activated()
        self.state = {**self.state, "certificate": "text"}
        self.assert_state(license, "damaged", "format")
        self.replies(reply(503, b""), active(issue()))
        self.assertEqual(license.refresh().reason, "server_error")
        self.assertEqual(license.refresh().state, "valid")

    def test_without_a_certificate_is_none_or_its_rejection(self) -> None:
        license = self.activated()
        self.state = {**self.state, "certificate": None}
        self.assert_state(license, "none", None)
        self.state = {**self.state, "rejection": "revoked"}
        self.assert_state(license, "revoked", "rejected")
        self.assertEqual(license.refresh().state, "valid")

    def test_with_an_installed_certificate_of_no_use_ends_with_the_other(self) -> None:
        license = self.activated()
        end = NOW + 30 * DAY
        for installed in (issue(sub="another", exp=end), FOREIGN.issue(exp=end), "text"):
            self.state = {**self.state, "installed": installed}
            self.assert_until(license, NOW + 7 * DAY)

    def test_of_another_machine_is_rejected_whatever_it_holds(self) -> None:
        self.activated()
        for rest in ({}, {"key": 1}, {"rejection": "revoked"}):
            with self.subTest(rest):
                self.state = {**self.state, **rest}
                license = self.license(fingerprint=FINGERPRINT.upper())
                self.assert_state(license, "other_machine", "state_file")
                self.assertEqual(license.refresh().state, "other_machine")
        self.assertEqual(self.service.requests, [])

    def test_is_on_the_disk_before_it_has_its_name_and_its_name_thereafter(self) -> None:
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

    def test_is_never_seen_half_written(self) -> None:
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
