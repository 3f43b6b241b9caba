# Fovea - what became of the tests of another project, by operation.
# SPDX-License-Identifier: Apache-2.0
"""Verdicts on tests of other projects.

    pass       Fovea gave what the test expects
    refused    Fovea said that it does not run this, and why
    wrong      Fovea gave something else
    crash      the process ended, or did not end in time
    else       the test did not come to Fovea: packages are missing, types that Fovea has no arrays of
"""
import collections
import json

STATUSES = ("pass", "refused", "wrong", "crash", "else")
# Words that may not stand in the refusal of a file that other runtimes run.
UNTRUE = ("is damaged",)


class Verdicts:
    """Verdicts by operation."""

    def __init__(self, title):
        self.title = title
        self.counts = collections.defaultdict(collections.Counter)
        self.records = []

    def add(self, operation, test, status, words=""):
        self.counts[operation][status] += 1
        self.records.append(
            {"operation": operation, "test": test, "status": status, "words": words})

    def total(self, status):
        return sum(counter[status] for counter in self.counts.values())

    @property
    def untrue(self):
        """Refusals that say of a valid file that it is damaged."""
        return [record for record in self.records if record["status"] == "refused"
                and any(words in record["words"] for words in UNTRUE)]

    def print_table(self, wants_all):
        width = max([len(name) for name in self.counts] + [len("all")])
        print(f"\n{self.title}")
        print(f"{'':{width}} " + " ".join(f"{status:>8}" for status in STATUSES))
        for name in sorted(self.counts):
            counter = self.counts[name]
            if wants_all or counter["wrong"] or counter["crash"]:
                print(f"{name:{width}} " + " ".join(f"{counter[s]:8}" for s in STATUSES))
        print(f"{'all':{width}} " + " ".join(f"{self.total(s):8}" for s in STATUSES))
        for record in self.records:
            if record["status"] in ("wrong", "crash"):
                print(f"{record['status']}: {record['test']}: {first_line(record['words'])}")
        for record in self.untrue:
            print(f"untrue words: {record['test']}: {first_line(record['words'])}")

    def finish(self, path, wants_all=True):
        """Prints the table, and keeps the records. Gives the number of faults."""
        self.print_table(wants_all)
        with open(path, "w") as file:
            for record in self.records:
                file.write(json.dumps(record) + "\n")
        return self.total("wrong") + self.total("crash") + len(self.untrue)


def first_line(words):
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return " / ".join(lines[:6])[:400]
