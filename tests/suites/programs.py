"""Where the programs of tests/suites/run come from, and the marks at random places that they get."""

import random
import re
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Program:
    """A program: its name, files and the flags of the compiler."""

    def __init__(self, name, files, flags=(), has_marks=False, make=None):
        self.name, self.files, self.flags, self.has_marks, self.make = name, list(files), list(flags), has_marks, make

    def there(self, execute):
        """Whether its file is there: what makes it may run for ever."""
        if self.make:
            done = execute(self.make, self.files[0].parent, 10)
            self.files[0].write_bytes(done.out)
            return done.status == 0
        return True

    def tool_flags(self):
        """The flags as the precompiler takes them."""
        told = ("-I", "-D", "-U", "-std")
        return [word for flag in self.flags for word in ([flag] if flag.startswith(told) else ["--cpp-flag", flag])]


class Torture:
    """The programs that gcc's own tests compile and execute."""

    needs = ["gcc-12-source", "xz"]

    @staticmethod
    def programs(options, target, _):
        place = target / "programs" / "gcc-torture"
        if not place.is_dir():
            place.mkdir(parents=True)
            archive = next(Path("/usr/src/gcc-12").glob("gcc-12*.tar.xz"))
            subprocess.run(["tar", "xJf", archive, "-C", place, "--wildcards", "--strip-components=5",
                            "*/gcc.c-torture/execute/*.c"], check=True)
        found = sorted(place.rglob("*.c"))
        # All of them in an order that the seed says.
        random.Random(options.seed).shuffle(found)
        for path in found if options.only else found[: options.programs]:
            text = path.read_text(errors="replace")
            if "link_error" in text or "__OPTIMIZE__" in text:
                continue  # It asks for what the compiler's optimiser does.
            flags = [flag for said in re.findall(r"dg-(?:additional-)?options\s+\"([^\"]*)\"", text) for flag in said.split()
                     if flag.startswith(("-f", "-std", "-D"))]
            yield Program(path.relative_to(place).with_suffix("").as_posix().replace("/", "+"), [path], flags)


class Csmith:
    """Programs of csmith, with options that differ from one to the next."""

    needs = ["csmith", "csmith.h"]
    OPTIONS = [
        "", "--float", "--bitfields --packed-struct", "--no-volatiles --max-funcs 20", "--unions --max-union-fields 8",
        "--max-pointer-depth 4 --max-funcs 6", "--no-jumps --max-block-depth 3", "--inline-function --inline-function-prob 90",
        "--builtins", "--no-const-pointers --no-consts --max-array-dim 2 --max-block-size 5", "--float --no-safe-math --no-divs",
        "--concise --max-struct-fields 20 --no-argc",
    ]

    @staticmethod
    def programs(options, _, temporary):
        for number in range(options.programs):
            yield Program(str(number), [temporary / f"csmith{number}.c"], ["-I/usr/include/csmith"],
                          make=Csmith.command(number, options.seed * 1000000 + number))

    @staticmethod
    def command(number, seed):
        return ["csmith", "--seed", str(seed), *Csmith.OPTIONS[number % len(Csmith.OPTIONS)].split()]


class Own:
    """The programs that tests/random_programs.rs tries, with their own marks."""

    needs = []

    @staticmethod
    def programs(options, _, temporary):
        place = temporary / "own"
        place.mkdir()
        settings = [f"CCCP_PROGRAMS={options.programs}", f"CCCP_SEED={options.seed}", f"CCCP_TEXTS={place}"]
        subprocess.run(["env", *settings, "cargo", "test", "--quiet", "--test", "random_programs", "texts", "--", "--include-ignored"],
                       cwd=TOP, check=True, stdout=subprocess.DEVNULL)
        for directory in sorted(place.iterdir(), key=lambda one: int(one.name)):
            yield Program(directory.name, sorted(directory.glob("*.c")), ["-fopenmp"], has_marks=True)


SUITES = {"torture": Torture, "csmith": Csmith, "own": Own}


def marked(program, place, by_chance):
    """The files with checkpoints at random places; none when there is no place."""
    if program.has_marks:
        return None
    text = program.files[0].read_text(errors="surrogateescape")
    lines = text.split("\n")
    places = [number for number in range(1, len(lines))
              if re.match(r"\s+(for|if|return|switch)\b", lines[number]) and ends_a_statement(lines[number - 1])]
    if not places:
        return None
    chosen = by_chance.sample(places, min(len(places), by_chance.randint(1, 4)))
    for number in sorted(chosen, reverse=True):
        lines.insert(number, "#pragma cccp checkpoint")
    text = "\n".join(lines)
    if by_chance.random() < 0.5:
        text = re.sub(r"(\bmain\s*\([^()]*\)[^;{}]*\{)", r"\1\n#pragma cccp init\n", text, count=1)
    place.mkdir()
    path = place / program.files[0].name
    path.write_text(text, errors="surrogateescape")
    return [path]


def ends_a_statement(line):
    line = re.sub(r"/\*.*?\*/|//.*", "", line).strip()
    return line.endswith((";", "{", "}")) and not line.startswith("#")
