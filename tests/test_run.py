"""`run` on a tiny project of its own, with real environments and a real pip; two generated wheels stand for the
packages, so that no network is needed.
"""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

RUN = Path(__file__).resolve().parent.parent / "run"
BASE_PYTHON = Path(getattr(sys, "_base_executable", sys.executable))
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
PROGRAM = """
import json, os, sys, engine, pawnwood
report = {"module": __spec__.name, "arguments": sys.argv[1:], "folder": os.getcwd()}
print(json.dumps({**report, "engine": engine.ORIGIN, "pawnwood": pawnwood.VERSION}))
sys.exit(int(os.environ.get("EXIT_CODE", "0")))
"""
FILES = {
    "pyproject.toml": '[project]\ndependencies = ["pawnwood"]\noptional-dependencies.test = ["testwood"]\n',
    "constraints.txt": "pawnwood==1.0\ntestwood==1.0\n",
    "engine/__init__.py": "ORIGIN = __file__\n",
    "simulator/__main__.py": PROGRAM,
    "tests/__main__.py": "import testwood\n" + PROGRAM,
    "tests/lint.py": "import testwood\n" + PROGRAM,
}


def write_wheel(folder: Path, name: str, version: str) -> None:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", f"VERSION = '{version}'\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: here\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


@dataclass(frozen=True, slots=True)
class Started:
    """How a start ended."""

    code: int
    output: str
    errors: list[str]

    @property
    def report(self) -> dict[str, Any]:
        assert self.code == 0, self.errors
        return dict(json.loads(self.output))

    @property
    def complaint(self) -> str:
        """The one sentence after the line of progress; anything else on the terminal is too much."""
        assert self.code == 1
        assert len(self.errors) == 2, self.errors
        return self.errors[1]


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project with a copy of `run`, and the surroundings in which that is started."""

    root: Path
    wheels: Path
    python: Path = BASE_PYTHON
    extra_environment: dict[str, str] = field(default_factory=dict)

    @property
    def packages(self) -> Path:
        return self.root / ".venv/lib" / VERSION / "site-packages"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "COV_"))}
        pip = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.wheels.as_uri()}
        return kept | pip | self.extra_environment

    def with_environment(self, **variables: str) -> "Checkout":
        return replace(self, extra_environment=self.extra_environment | variables)

    def begin(self, *arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.python, self.root / "run", *arguments],
            cwd=cwd or self.root.parent,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def start(self, *arguments: str, cwd: Path | None = None) -> Started:
        return ended(self.begin(*arguments, cwd=cwd))

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text()
        assert old in text
        (self.root / name).write_text(text.replace(old, new))

    def contents(self) -> dict[Path, int]:
        """Every file of the environment and when it was last written."""
        files = (self.root / ".venv").rglob("*")
        return {file: file.lstat().st_mtime_ns for file in files if "__pycache__" not in str(file)}


def ended(process: subprocess.Popen[str]) -> Started:
    output, errors = process.communicate()
    return Started(process.returncode, output, errors.splitlines())


def copy_checkout(checkout: Checkout, root: Path) -> Checkout:
    shutil.copytree(checkout.root, root, symlinks=True)
    return replace(checkout, root=root)


def python_without(folder: Path, *missing: str) -> Path:
    """A Python like this one, in a folder of its own, that refuses packages and lacks some of its standard library."""
    library = folder / "python/lib" / VERSION
    library.mkdir(parents=True)
    for entry in Path(sysconfig.get_path("stdlib")).iterdir():
        if entry.name not in (*missing, "site-packages", "dist-packages", "EXTERNALLY-MANAGED"):
            (library / entry.name).symlink_to(entry)
    (library / "EXTERNALLY-MANAGED").write_text("[externally-managed]\nError=packages only in an environment\n")
    python = folder / "python/bin/python3"
    python.parent.mkdir()
    shutil.copy(BASE_PYTHON, python)
    return python


def python_with_pip(folder: Path, pip: Path) -> Path:
    """One that has pip, but nothing to put it into an environment."""
    python = python_without(folder, "ensurepip")
    (python.parent.parent / "lib" / VERSION / "pip").symlink_to(pip)  # Debian's Python does not look in site-packages
    return python


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in a path that shells and encodings find difficult."""
    wheels = tmp_path_factory.mktemp("wheels")
    for version in ("1.0", "2.0"):
        write_wheel(wheels, "pawnwood", version)
    write_wheel(wheels, "testwood", "1.0")
    root = tmp_path_factory.mktemp("pristine") / "my board (ß) 100%"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copy(RUN, root / "run")
    return Checkout(root, wheels)


@pytest.fixture(scope="module")
def first_start(pristine: Checkout, tmp_path_factory: pytest.TempPathFactory) -> tuple[Checkout, Started]:
    """A start with this very Python."""
    checkout = copy_checkout(pristine, tmp_path_factory.mktemp("first") / "board")
    return checkout, checkout.start()


@pytest.fixture(scope="module")
def installed_pip(first_start: tuple[Checkout, Started]) -> Path:
    pip = first_start[0].packages / "pip"
    if pip.exists():
        return pip
    ask = [str(BASE_PYTHON), "-c", "import pip; print(pip.__path__[0])"]
    return Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())


@pytest.fixture(scope="module")
def quick(pristine: Checkout, installed_pip: Path, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """The checkout and a Python whose pip serves its environments too, which saves installing one in each."""
    return replace(pristine, python=python_with_pip(tmp_path_factory.mktemp("quick"), installed_pip))


@pytest.fixture(scope="module")
def set_up(quick: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    checkout = copy_checkout(quick, tmp_path_factory.mktemp("set-up") / quick.root.name)
    assert checkout.start().report["pawnwood"] == "1.0"
    return checkout


@pytest.fixture
def fresh(quick: Checkout, tmp_path: Path) -> Checkout:
    return copy_checkout(quick, tmp_path / quick.root.name)


@pytest.fixture
def ready(set_up: Checkout, tmp_path: Path) -> Checkout:
    """A checkout that was set up, and then moved here."""
    return copy_checkout(set_up, tmp_path / "moved" / set_up.root.name)


def test_the_first_start_sets_up_what_the_constraints_say_and_starts(first_start: tuple[Checkout, Started]) -> None:
    _, started = first_start
    assert started.report["module"] == "simulator.__main__"
    assert started.report["pawnwood"] == "1.0"
    assert started.errors == ["Setting up the Linja board (only the first time) ..."]


@pytest.mark.skipif(find_spec("ensurepip") is None, reason="this Python brings no pip along")
def test_the_environment_has_the_pip_that_python_brings_along(first_start: tuple[Checkout, Started]) -> None:
    checkout, _ = first_start
    assert (checkout.packages / "pip").exists()


def test_a_checkout_that_was_set_up_and_moved_starts_without_installing_anything(ready: Checkout) -> None:
    before = ready.contents()
    started = ready.start()
    assert started.report["engine"] == str(ready.root / "engine/__init__.py")
    assert started.errors == []
    assert ready.contents() == before


def test_arguments_exit_code_and_working_directory_are_those_of_the_program(ready: Checkout, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    arguments = ["show", "a record.txt", "", "--edition=zen", "ünicode", "*"]
    report = ready.start(*arguments, cwd=elsewhere).report
    assert report["arguments"] == arguments
    assert report["folder"] == str(elsewhere)
    assert ready.with_environment(EXIT_CODE="7").start().code == 7


def test_folders_of_the_same_name_elsewhere_do_not_get_in_the_way(ready: Checkout, tmp_path: Path) -> None:
    decoys = tmp_path / "decoys"
    for name in ("engine", "simulator", "pip", "ensurepip", "pawnwood"):
        (decoys / name).mkdir(parents=True)
        (decoys / name / "__init__.py").write_text("raise SystemExit('decoy')")
    ready.edit("constraints.txt", "pawnwood==1.0", "pawnwood==2.0")
    report = ready.with_environment(PYTHONPATH=str(decoys), PIP_USER="1").start(cwd=decoys).report
    assert (report["engine"], report["pawnwood"]) == (str(ready.root / "engine/__init__.py"), "2.0")


def test_test_and_lint_get_the_packages_for_tests_and_their_own_module(ready: Checkout) -> None:
    tested = ready.start("test", "-k", "two words")
    assert tested.errors == ["Setting up the Linja board again ..."]
    assert (tested.report["module"], tested.report["arguments"]) == ("tests.__main__", ["-k", "two words"])
    linted = ready.start("lint")
    assert (linted.report["module"], linted.errors) == ("tests.lint", [])
    scored = ready.start("score", "test")
    assert (scored.report["module"], scored.errors) == ("simulator.__main__", [])


def test_a_raspberry_pi_gets_its_back_ends(ready: Checkout, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    ready.edit("run", "/proc/device-tree/model", str(tmp_path / "model"))
    ready.edit("pyproject.toml", "optional-dependencies.test", 'optional-dependencies.pi = ["testwood"]\n#')
    ready.edit("simulator/__main__.py", "import json", "import testwood, json")
    assert ready.start().report["module"] == "simulator.__main__"


def test_changed_requirements_are_followed(ready: Checkout) -> None:
    ready.edit("constraints.txt", "pawnwood==1.0", "pawnwood==2.0")
    assert ready.start().report["pawnwood"] == "2.0"


def test_requirements_that_cannot_be_had_do_no_harm_to_what_is_there(ready: Checkout) -> None:
    ready.edit("constraints.txt", "pawnwood==1.0", "pawnwood==9.0")
    assert "pawnwood" in ready.start().complaint
    ready.edit("constraints.txt", "pawnwood==9.0", "pawnwood==1.0")
    assert ready.start().errors == []


def leave_dangling_python(checkout: Checkout) -> None:
    for name in ("python", "python3", VERSION):
        (checkout.root / ".venv/bin" / name).unlink()
        (checkout.root / ".venv/bin" / name).symlink_to("/no/such/python")


def wipe_packages(checkout: Checkout) -> None:
    shutil.rmtree(checkout.packages)
    checkout.packages.mkdir()


def lose_one_package(checkout: Checkout) -> None:
    shutil.rmtree(checkout.packages / "pawnwood")


def interrupt_half_way(checkout: Checkout) -> None:
    (checkout.packages / "linja-stamp.txt").unlink()
    lose_one_package(checkout)


def garble_configuration(checkout: Checkout) -> None:
    (checkout.root / ".venv/pyvenv.cfg").write_bytes(b"\xff\x00 home of nobody")


def garble_stamp(checkout: Checkout) -> None:
    (checkout.packages / "linja-stamp.txt").write_bytes(b"\xff\xfe\x00")


def replace_by_file(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / ".venv")
    (checkout.root / ".venv").write_text("not a folder")


def replace_by_broken_link(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / ".venv")
    (checkout.root / ".venv").symlink_to("no/such/folder")


def replace_by_link_to_a_folder(checkout: Checkout) -> None:
    shutil.rmtree(checkout.root / ".venv")
    (checkout.root / ".venv").symlink_to(checkout.root / "engine")


def age_to_another_python(checkout: Checkout) -> None:
    library = checkout.packages.parent
    library.rename(library.with_name("python3.10"))


def carry_to_another_machine(checkout: Checkout) -> None:
    checkout.edit(str(checkout.packages / "linja-stamp.txt"), os.uname().machine, "another-processor")


@pytest.mark.parametrize(
    "damage",
    [
        leave_dangling_python,
        wipe_packages,
        lose_one_package,
        interrupt_half_way,
        garble_configuration,
        garble_stamp,
        replace_by_file,
        replace_by_broken_link,
        replace_by_link_to_a_folder,
        age_to_another_python,
        carry_to_another_machine,
    ],
)
def test_a_damaged_environment_is_made_anew(ready: Checkout, damage: Any) -> None:
    damage(ready)
    started = ready.start()
    assert started.report["pawnwood"] == "1.0"
    assert started.errors == ["Setting up the Linja board again ..."]
    assert ready.start().errors == []


def test_an_environment_whose_python_was_removed_is_made_anew(
    fresh: Checkout, installed_pip: Path, tmp_path: Path
) -> None:
    passing = python_with_pip(tmp_path, installed_pip)
    assert replace(fresh, python=passing).start().code == 0
    passing.unlink()
    assert fresh.start().report["pawnwood"] == "1.0"


def test_two_first_starts_at_once_set_up_once(fresh: Checkout) -> None:
    both = [ended(process) for process in [fresh.begin("one"), fresh.begin("two")]]
    assert [started.report["arguments"] for started in both] == [["one"], ["two"]]
    assert sum(len(started.errors) for started in both) == 1


@pytest.fixture
def heeded_interrupts() -> Iterator[None]:
    """Children of a job in the background would ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_interrupts")
def test_an_interrupted_set_up_says_so_and_the_next_start_mends_it(fresh: Checkout) -> None:
    process = fresh.begin()
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Setting up")
    os.killpg(process.pid, signal.SIGINT)
    assert ended(process) == Started(1, "", ["run: interrupted; the next start puts everything in order."])
    assert fresh.start().report["pawnwood"] == "1.0"


def write_pip_wheel(installed_pip: Path, folder: Path) -> Path:
    (info,) = installed_pip.parent.glob("pip-*.dist-info")
    wheel = folder / f"{info.stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in [*installed_pip.rglob("*"), *info.rglob("*")]:
            archive.write(file, file.relative_to(installed_pip.parent))
    return wheel


def write_command(path: Path, script: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_without_ensurepip_the_pip_of_the_system_serves(fresh: Checkout) -> None:
    assert fresh.start().report["pawnwood"] == "1.0"
    assert not (fresh.packages / "pip").exists()


def test_without_any_pip_a_wheel_of_the_system_serves(fresh: Checkout, installed_pip: Path, tmp_path: Path) -> None:
    write_pip_wheel(installed_pip, tmp_path)
    fresh.edit("run", "/usr/share/python-wheels", str(tmp_path))
    assert replace(fresh, python=python_without(tmp_path, "ensurepip")).start().report["pawnwood"] == "1.0"


def test_without_any_pip_debian_is_asked_for_a_wheel(fresh: Checkout, installed_pip: Path, tmp_path: Path) -> None:
    wheel = write_pip_wheel(installed_pip, tmp_path)
    fresh.edit("run", "/usr/share/python-wheels", "/unpacked")
    write_command(tmp_path / "bin/apt-get", '[ "$*" = "download python3-pip-whl" ] && touch python3-pip-whl_1_all.deb')
    write_command(
        tmp_path / "bin/dpkg-deb", f'[ "$2" = python3-pip-whl_1_all.deb ] && mkdir unpacked && cp {wheel} unpacked'
    )
    checkout = replace(fresh, python=python_without(tmp_path, "ensurepip"))
    started = checkout.with_environment(PATH=f"{tmp_path / 'bin'}:{os.defpath}").start()
    assert started.report["pawnwood"] == "1.0"


@pytest.mark.parametrize("missing", ["ensurepip", "venv", "shutil.py"])
def test_a_python_without_its_parts_is_told_how_to_get_them(fresh: Checkout, missing: str, tmp_path: Path) -> None:
    fresh.edit("run", "/usr/share/python-wheels", "/no/such/wheels")
    checkout = replace(fresh, python=python_without(tmp_path, missing)).with_environment(PATH=str(tmp_path))
    assert "sudo apt install python3-venv" in checkout.start().complaint


def start_as_old(checkout: Checkout, *commands: Path) -> Started:
    """Starts with a Python that takes itself for 3.9, with just these commands to be found."""
    run = checkout.root / "run"
    pretend = f"import runpy, sys; sys.version_info = (3, 9, 0); sys.argv[0] = {str(run)!r}; "
    pretend += f"runpy.run_path({str(run)!r}, run_name='__main__')"
    places = os.pathsep.join(str(command.parent) for command in commands)
    command = [str(checkout.python), "-c", pretend, "show"]
    environment = checkout.with_environment(PATH=places).environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return Started(done.returncode, done.stdout, done.stderr.splitlines())


def test_every_python_since_3_6_can_parse_it() -> None:
    ast.parse(RUN.read_text(), feature_version=(3, 6))


def test_too_old_a_python_says_what_is_needed(ready: Checkout) -> None:
    started = start_as_old(ready)
    assert started.code == 1
    (sentence,) = started.errors
    assert sentence.startswith("run: Python 3.11 or newer is needed and this is 3.9: install it")


def test_too_old_a_python_hands_over_to_a_newer_one_that_works(ready: Checkout, tmp_path: Path) -> None:
    write_command(tmp_path / "broken/python3.14", "exit 127")
    write_command(tmp_path / "sound/python3.13", f'exec "{BASE_PYTHON}" "$@"')
    started = start_as_old(ready, tmp_path / "broken/python3.14", tmp_path / "sound/python3.13")
    assert started.report["arguments"] == ["show"]


def test_without_network_the_first_start_says_that_it_needs_one(fresh: Checkout) -> None:
    refused = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://localhost:9/", "PIP_FIND_LINKS": ""}
    assert "connect this computer to the internet" in fresh.with_environment(**refused).start().complaint


def test_a_package_that_cannot_be_compiled_is_told_from_a_missing_network(fresh: Checkout) -> None:
    source = fresh.root / "uncompilable"
    source.mkdir()
    (source / "pyproject.toml").write_text("build-system = {requires=[], build-backend='backend', backend-path=['.']}")
    (source / "backend.py").write_text("raise SystemExit('gcc: not found')")
    fresh.edit("pyproject.toml", '"pawnwood"', f'"uncompilable @ {source.as_uri()}"')
    assert "gcc" in fresh.start().complaint


@pytest.mark.parametrize("text", ["[project", "[project]\n", "project = 3\n"])
def test_a_spoilt_project_file_is_named(ready: Checkout, text: str) -> None:
    (ready.root / "pyproject.toml").write_text(text)
    assert "pyproject.toml" in ready.start().complaint


def test_a_missing_project_file_is_named(ready: Checkout) -> None:
    (ready.root / "constraints.txt").unlink()
    (sentence,) = ready.start().errors
    assert "constraints.txt: No such file or directory" in sentence


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(fresh: Checkout) -> None:
    fresh.root.chmod(0o555)
    assert ".venv: Permission denied" in fresh.start().complaint


def test_a_path_in_which_no_environment_can_be_is_named(fresh: Checkout) -> None:
    elsewhere = fresh.root.rename(fresh.root.with_name("a:b"))
    assert "a:b because of the :" in replace(fresh, root=elsewhere).start().complaint
