"""One variable of the environment scales all random comparisons, as in run_options.h."""

import os


def scaled(count):
    """`count` times NESTOR_SCALE, at least 1."""
    return max(1, round(count * float(os.environ.get("NESTOR_SCALE") or 1)))
