"""Gets away from its ancestors as its first argument says, then makes a file that
the second one names, and sleeps."""
import ctypes
import os
import subprocess
import sys
import time

DIR = os.environ["DIR"]
PR_SET_DUMPABLE = 4  # see prctl(2)


def wipe():
    """Overwrites the environment where the kernel shows it."""
    fields = open("/proc/self/stat", "rb").read().rpartition(b")")[2].split()
    start, end = int(fields[47]), int(fields[48])
    ctypes.memset(start, 0, end - start)


def hide():
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def close():
    os.closerange(0, 1024)
    wipe()


def session():
    """Starts the one who gets away, and stays."""
    start(start_new_session=True)


def group():
    start(preexec_fn=os.setpgrp)


def start(**options):
    script = 'touch "$DIR/$1"; exec sleep "1000.$1"'
    subprocess.Popen(["sh", "-c", script, "sh", name], **options)


what, name = sys.argv[1:]
{"wipe": wipe, "hide": hide, "close": close, "session": session, "group": group}[what]()
if what in ("wipe", "hide", "close"):
    open(os.path.join(DIR, name), "w").close()
time.sleep(1000)
