"""Run the BurgerBot course from a terminal: python3 -m burgerbot COMMAND

  lab         open JupyterLab on the lessons
  test        run the tests of the course
  grade       grade your notebooks
  hint        show the next hint for an exercise
  progress    show the course as a table, and what you have solved of it
  build       make the notebooks from their sources
  bench       measure how fast the worlds step
  batch-size  work out what a PPO batch setting comes to
  ledger      print the runs of a ledger side by side: ledger show FILE

The first command makes an environment in .venv and installs the course into it, once.
Then COMMAND --help tells more.
"""

import importlib.util
import sys
from pathlib import Path

from burgerbot.course import environment

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run the command line in an environment that can; return the exit status."""
    argv = sys.argv[1:]
    try:
        environment.check_python(sys.version_info[:2])
        environment.check_clone(ROOT)
        if argv in ([], ["-h"], ["--help"]) and not environment.ready(ROOT):
            print(__doc__.strip())  # help is not worth an install
            return 0
        if bare_bench(argv):
            from burgerbot.scale import device_bench

            return device_bench.main(argv[1:])
        environment.prepare(argv, ROOT)
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The same command goes on where this one stopped.", file=sys.stderr)
        return 130
    from burgerbot.course.cli import app

    app(prog_name="python -m burgerbot")
    return 0


def bare_bench(argv: "list[str]") -> bool:
    """Tell whether this is ``bench --device``, and here is all that it needs: PyTorch and NumPy.

    A GPU machine has them, and is not asked to install a course for a measurement.
    """
    if argv[:1] != ["bench"] or not any(word.split("=")[0] == "--device" for word in argv):
        return False
    return all(importlib.util.find_spec(name) for name in ("numpy", "torch"))


if __name__ == "__main__":
    sys.exit(main())
