"""A report of validation as JUnit XML, which nearly every CI system shows as tests.

Only what the common schemas share is used: suites with counts, and cases with a failure or skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from kradle_ctx.model.findings import Finding, Report, Severity
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.finding_paths import repository_path

SUITE = "kradle-ctx validate"


def findings_junit(report: Report) -> str:
    """One suite: a failed case for each error and warning, a skipped one for what was set aside, known or only noted.

    Without any of them there is one case that passed.
    """
    cases = [*failed_cases(report), *skipped_cases(report)]
    failures = sum(case.find("failure") is not None for case in cases)
    skipped = len(cases) - failures
    counts = {"tests": str(max(1, len(cases))), "failures": str(failures), "errors": "0"}
    suites = Element("testsuites", {"name": SUITE, **counts})
    suite = SubElement(suites, "testsuite", {"name": SUITE, **counts, "skipped": str(skipped), "time": "0"})
    if not cases:
        SubElement(suite, "testcase", {"classname": SUITE, "name": "nothing was found", "time": "0"})
    suite.extend(cases)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def failed_cases(report: Report) -> Iterator[Element]:
    """The findings that a reviewer has to look at."""
    for finding in report.findings:
        if finding.severity is not Severity.INFO:
            made = case(report, finding)
            attributes = {"message": shown(finding.message), "type": f"{finding.check} {finding.severity.value}"}
            SubElement(made, "failure", attributes).text = text_of(report, finding)
            yield made


def skipped_cases(report: Report) -> Iterator[Element]:
    """Those that are only noted, and those that do not count, with the reason."""
    noted = ((finding, finding.message) for finding in report.findings if finding.severity is Severity.INFO)
    known = ((finding, "known: it stands in the baseline") for finding in report.known)
    aside = ((finding, f"set aside: {finding.suppressed}") for finding in report.suppressed)
    for finding, reason in (*noted, *known, *aside):
        made = case(report, finding)
        SubElement(made, "skipped", {"message": shown(reason)})
        yield made


def case(report: Report, finding: Finding) -> Element:
    """The case of a finding."""
    about = f" {finding.record}" if finding.record is not None else ""
    name = f"{finding.check} {finding.name}{about} (line {finding.span.line})"
    path = shown(repository_path(report, finding.path))
    return Element("testcase", {"classname": path, "name": shown(name), "time": "0"})


def text_of(report: Report, finding: Finding) -> str:
    """All that is said of a finding."""
    span = finding.span
    lines = [f"{repository_path(report, finding.path)}:{span.line}:{span.column}: {finding.message}"]
    lines += [f"hint: {finding.hint}", f"fingerprint: {finding.fingerprint}"]
    lines += [
        f"see {repository_path(report, other.path)}:{other.span.line}:{other.span.column}: {other.message}"
        for other in finding.related
    ]
    return "\n".join(map(shown, lines))


def shown(text: str) -> str:
    """A text without what XML 1.0 does not allow: controls are escaped, and so are its two non-characters."""
    return escape_line(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
