# Fovea - interleaved rounds: processes that take turns while the others stand still.
# SPDX-License-Identifier: Apache-2.0
"""Time processes that speak the line protocol of `peers.py` in rotating rounds.

The machine may be shared and its clock may change, so nothing is measured in one block: in each round
every process is asked in turn for one warm-up and a few timed runs, in an order that rotates, and is
stopped (SIGSTOP) until its next turn: thread pools that spin after a run would take a core from the
next one. Beside the times that each process takes itself, the processor time of its threads is read:
with one thread it is what the time would be if nobody else wanted the core.
"""
import os
import signal
import statistics
import subprocess
import threading
import time


class Contestant:
    """A process that holds a network and runs it when asked."""

    def __init__(self, name, command, threads):
        self.name, self.command = name, command
        self.times, self.best, self.processor_times = [], [], []
        self.first_result = self.peak_resident = None
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS="1",
                           MKL_NUM_THREADS=str(threads), PYTHONWARNINGS="ignore")
        self.process = subprocess.Popen(
            command, shell=isinstance(command, str), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
            env=environment, start_new_session=True)
        self.started, self.complaint = time.perf_counter(), []
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        for line in self.process.stderr:
            self.complaint = (self.complaint + [line.strip()])[-3:]

    def is_ready(self, seconds=300):
        """Whether the process says "ready" in time."""
        timer = threading.Timer(seconds, lambda: self.signal(signal.SIGKILL))
        timer.start()
        try:
            for line in iter(self.process.stdout.readline, ""):
                if line.strip() == "imported":      # an interpreter's own start does not count
                    self.started = time.perf_counter()
                if line.strip() == "ready":
                    self.first_result = (time.perf_counter() - self.started) * 1e3
                    return True
            return False
        finally:
            timer.cancel()

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def ask(self, count):
        try:
            self.process.stdin.write(f"{count}\n")
            times = [float(text) for text in self.process.stdout.readline().split()]
        except BrokenPipeError:
            times = []
        if len(times) != count:
            raise SystemExit(f"{self.name} gave {len(times)} times instead of {count}: "
                             + " ".join(self.complaint))
        return times

    def processor_milliseconds(self):
        """Processor time of all threads so far, also of those that have ended, or None where the
        system does not say."""
        clock = ~self.process.pid << 3 | 2      # how Linux numbers the clock of a process
        try:
            return time.clock_gettime(clock) * 1e3 or None
        except OSError:
            return None

    def read_peak(self):
        """Note the largest resident set so far in MiB, where the system says it."""
        try:
            with open(f"/proc/{self.process.pid}/status") as text:
                line = next(line for line in text if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            return
        self.peak_resident = int(line.split()[1]) / 1024

    def take_turn(self, runs):
        self.signal(signal.SIGCONT)
        self.ask(1)
        before = self.processor_milliseconds()
        times = self.ask(runs)
        after = self.processor_milliseconds()
        self.signal(signal.SIGSTOP)
        self.times += times
        self.best.append(min(times))
        if before and after:
            self.processor_times.append((after - before) / runs)

    def end(self):
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.signal(signal.SIGKILL)
            self.process.wait()


def measure(commands, threads, rounds, runs, say):
    """Time the commands, a dictionary of names; returns the contestants that run here."""
    ready = []
    try:
        for name, command in commands.items():
            contestant = Contestant(name, command, threads)
            if contestant.is_ready():
                contestant.signal(signal.SIGSTOP)
                ready.append(contestant)
            else:
                contestant.end()
                say(f"SKIPPED {name}: does not run here: {' '.join(contestant.complaint)}")
        for number in range(rounds if ready else 0):
            first = number % len(ready)
            for contestant in ready[first:] + ready[:first]:
                contestant.take_turn(runs)
            say(None if number + 1 == rounds else f"round {number + 2} of {rounds}")
        for contestant in ready:
            contestant.read_peak()
    finally:
        for contestant in ready:
            contestant.end()
    return ready


def first_results(commands, threads, starts):
    """Milliseconds from each start to the first result, in turns; a list for every name."""
    found = {name: [] for name in commands}
    for _ in range(starts):
        for name, command in commands.items():
            contestant = Contestant(name, command, threads)
            if contestant.is_ready():
                found[name].append(contestant.first_result)
            contestant.end()
    return found


def ratio(contestant, other):
    """The median over the rounds of the quotient of the best times: slow phases cancel."""
    return statistics.median(a / b for a, b in zip(contestant.best, other.best))


def processor_ratio(contestant, other):
    """The same for processor times; None where the system does not say them."""
    pairs = list(zip(contestant.processor_times, other.processor_times))
    return statistics.median(a / b for a, b in pairs) if pairs else None
