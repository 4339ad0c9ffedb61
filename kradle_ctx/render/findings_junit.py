"""A report of validation as JUnit XML, which nearly every CI system shows as tests.

It fits the schema of Apache Ant, the strictest in use, and so that of Jenkins (xunit-plugin, junit-10.xsd).
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from kradle_ctx.model.findings import Finding, Report, Severity
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.finding_paths import repository_path
from kradle_ctx.render.findings_text import not_checked, summary

SUITE = "kradle-ctx validate"


def findings_junit(report: Report) -> str:
    """One suite: a failed case for each error and warning, a skipped one for what was set aside, known or only noted.

    Without any of them there is one case that passed. The time is that of the commit, so that a report is the same
    wherever and whenever it is made.
    """
    cases = [*failed_cases(report), *skipped_cases(report)]
    failures = sum(case.find("failure") is not None for case in cases)
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", suite_attributes(report, len(cases), failures))
    SubElement(suite, "properties").extend(properties(report))
    if not cases:
        SubElement(suite, "testcase", {"classname": SUITE, "name": "nothing was found", "time": "0"})
    suite.extend(cases)
    SubElement(suite, "system-out").text = "\n".join(map(shown, (*not_checked(report), summary(report))))
    SubElement(suite, "system-err")
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def suite_attributes(report: Report, cases: int, failures: int) -> dict[str, str]:
    """What the schemas ask of a suite; the instant has no zone in them."""
    return {
        "name": SUITE,
        "package": SUITE,
        "id": "0",
        "timestamp": report.moment.removesuffix("Z"),
        "hostname": "localhost",
        "tests": str(max(1, cases)),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(cases - failures),
        "time": "0",
    }


def properties(report: Report) -> Iterator[Element]:
    """What was validated."""
    stated = {"commit": report.commit, "base": report.base, "root": report.root, "ontology": report.ontology}
    for name, value in stated.items():
        if value:
            yield Element("property", {"name": name, "value": shown(value)})


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
