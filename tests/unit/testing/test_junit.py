"""JUnit reports: what is counted, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.testing.junit import DEPTH_LIMIT, SIZE_LIMIT, Unreadable, read_report, written_at

REPORT = """<?xml version="1.0"?>
<testsuites tests="99" failures="99">
  <testsuite name="shop" tests="99">
    <testcase classname="tests.test_cart" name="test_empty" time="0.5"/>
    <testcase classname="tests.test_cart" name="test_full" time="1.25" file="tests/test_cart.py" line="41">
      <failure message="assert 1 == 2">a long story</failure>
    </testcase>
    <testcase classname="tests.test_cart" name="test_broken"><error>KeyError: 'x'</error></testcase>
    <testcase classname="tests.test_cart" name="test_later"><skipped message="not now"/></testcase>
    <testcase name="test_out"><system-out>&lt;failure/&gt; is only printed</system-out></testcase>
  </testsuite>
</testsuites>
"""


def report(folder: Path, text: str) -> Path:
    path = folder / "report.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_cases_are_counted_and_not_what_the_suites_claim(tmp_path: Path) -> None:
    found = read_report(report(tmp_path, REPORT))
    counts = (found.total, found.passed, found.failed, found.errors, found.skipped)
    assert counts == (5, 2, 1, 1, 1)
    assert found.seconds == 1.75
    first, second = found.failures
    assert (first.name, first.kind, first.message) == (
        "tests.test_cart.test_full",
        "failure",
        "assert 1 == 2",
    )
    assert (first.file, first.line) == ("tests/test_cart.py", 41)
    assert (second.kind, second.message) == ("error", "KeyError: 'x'")


def test_a_single_suite_with_a_name_space_is_read_too(tmp_path: Path) -> None:
    found = read_report(report(tmp_path, '<j:testsuite xmlns:j="urn:j"><j:testcase name="a"/></j:testsuite>'))
    assert found.total == 1


BOMB = '<!DOCTYPE x [<!ENTITY a "{}">{}]><testsuite>&z;</testsuite>'
REFUSED = {
    "a document type with entities": BOMB.format(
        "ha" * 10, "".join(f'<!ENTITY a{n} "&a;&a;">' for n in range(20))
    ),
    "an outside entity": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite>&a;</testsuite>',
    "another document": "<html><body/></html>",
    "no XML at all": "PASS 3 tests",
    "a cut report": REPORT[:200],
    "nothing": "",
    "nesting without end": "<testsuite>" + "<properties>" * (DEPTH_LIMIT + 1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable):
        read_report(report(tmp_path, REFUSED[name]))


def test_only_so_many_failures_and_so_much_of_each_are_kept(tmp_path: Path) -> None:
    case = f'<testcase name="t"><failure>{"x" * 5000}</failure></testcase>'
    found = read_report(report(tmp_path, f"<testsuite>{case * 50}</testsuite>"))
    assert (found.failed, len(found.failures)) == (50, 20)
    assert all(len(one.message) <= 1000 for one in found.failures)


def test_a_report_of_an_earlier_run_is_not_taken_for_this_one_s(tmp_path: Path) -> None:
    path = report(tmp_path, REPORT)
    with pytest.raises(Unreadable, match="earlier run"):
        read_report(path, written_at(path))
    assert written_at(tmp_path / "missing") == 0


def test_what_is_no_file_or_too_large_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(Unreadable):
            read_report(path)
    large = tmp_path / "large.xml"
    with large.open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)
    with pytest.raises(Unreadable, match="more than"):
        read_report(large)


def test_a_report_in_a_lane_is_read_and_a_link_out_of_it_is_not(tmp_path: Path) -> None:
    lane, outside = tmp_path / "lane", tmp_path / "outside"
    (lane / "out").mkdir(parents=True)
    outside.mkdir()
    secret = report(outside, REPORT)
    inside = report(lane / "out", REPORT)
    assert read_report(inside, root=lane).total == 5
    (lane / "near.xml").symlink_to("out/report.xml")
    assert read_report(lane / "near.xml", root=lane).total == 5
    (lane / "link.xml").symlink_to(secret)
    (lane / "folder").symlink_to(outside)
    for path in (lane / "link.xml", lane / "folder" / "report.xml", lane / ".." / "outside" / "report.xml"):
        with pytest.raises(Unreadable):
            read_report(path, root=lane)
