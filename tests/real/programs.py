"""Real programs for auto mode: where their sources are, how they are built and run, and which of their output counts.

A recipe is a function that makes what is missing in its directory and returns a Program. None of the programs' text is
kept here. Debian's are fetched by `fetch` beside this file, the others with git or pip.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass
class Program:
    """A program, to be built and run."""
    files: list
    arguments: list
    flags: list = field(default_factory=list)   # of the preprocessor
    libraries: list = field(default_factory=lambda: ["-lm"])
    unseen: list = field(default_factory=list)  # linked as they are
    openmp: bool = False
    ranks: int = 0                              # 0: no MPI program
    every: int = 1                              # passes for one checkpoint
    stdin: str = ""
    codes: tuple = (0,)                         # exit statuses of a good run
    counts: str = ""                            # lines of the output that count; all of them if empty
    drops: str = ""                             # parts of lines that do not
    written: tuple = ()                         # patterns of files that count


def package(sources, name):
    subprocess.run([HERE / "fetch", sources, name], check=True)
    return sources / name


def clone(sources, name):
    """A repository of GitHub, as OWNER/NAME."""
    place = sources / name.replace("/", "+")
    if not place.exists():
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"https://github.com/{name}", place], check=True)
    return place


def numbers(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield seed >> 33


def alignment(taxa, sites, form):
    """DNA of species that come from one, by chance."""
    by_chance = numbers(5)

    def changed(dna, share):
        return [("ACGT"[next(by_chance) % 4] if next(by_chance) % 10000 < share else one) for one in dna]

    leaves = [["ACGT"[next(by_chance) % 4] for _ in range(sites)]]
    while len(leaves) < taxa:
        parent = leaves.pop(next(by_chance) % len(leaves))
        leaves += [changed(parent, 200 + next(by_chance) % 800) for _ in range(2)]
    rows = [(f"T{number}", "".join(dna)) for number, dna in enumerate(leaves)]
    if form == "phylip":
        return f"{taxa} {sites}\n" + "".join(f"{name:10}{dna}\n" for name, dna in rows)
    return "".join(f">{name}\n{dna}\n" for name, dna in rows)


def clauses(variables, count):
    """A random formula of three variables per clause."""
    by_chance = numbers(11)
    lines = [f"p cnf {variables} {count}"]
    for _ in range(count):
        chosen = set()
        while len(chosen) < 3:
            chosen.add(next(by_chance) % variables + 1)
        lines.append(" ".join(str(one if next(by_chance) & 1 else -one) for one in sorted(chosen)) + " 0")
    return "\n".join(lines) + "\n"


def omp_matinv(sources, _):
    source = package(sources, "valgrind") / "drd/tests"
    return Program([source / "omp_matinv.c"], ["700", "-t2"], openmp=True, every=50)


def nas(files, arguments, ranks, counts):
    """A kernel of the NAS parallel benchmarks, C and MPI."""
    def recipe(sources, work):
        source = package(sources, "simgrid") / "examples/smpi/NAS"
        for folder in ("smpi", "simgrid"):
            (work / folder).mkdir(exist_ok=True)
        (work / "simgrid/instr.h").write_text("#define TRACE_smpi_set_category(c) ((void)0)\n")
        (work / "smpi/mpi.h").write_text("#include <stdlib.h>\n#include <mpi.h>\n#define SMPI_SHARED_MALLOC malloc\n"
                                          "#define SMPI_SHARED_FREE free\n#define SMPI_SAMPLE_GLOBAL(a, b, c, d, e) for (a; b; c)\n")
        return Program([source / one for one in [*files, "nas_common.c"]], arguments, flags=[f"-I{work}", f"-I{source}"],
                       ranks=ranks, counts=counts)
    return recipe


def npb(name, setup="", every=1):
    """A kernel of the NAS parallel benchmarks, C and OpenMP, class S."""
    def recipe(sources, work):
        top = clone(sources, "benchmark-subsetting/NPB3.0-omp-C")
        own, common = top / name.upper(), top / "common"
        # What the makefile has a program of its own for.
        head = f'#define CLASS \'S\'\n{setup}#define CONVERTDOUBLE FALSE\n#define COMPILETIME "today"\n#define NPBVERSION "2.3"\n'
        for word in "CS1 CS2 CS3 CS4 CS5 CS6 CS7 CC CFLAGS CLINK CLINKFLAGS C_LIB C_INC".split():
            head += f'#define {word} "-"\n'
        (work / "npbparams.h").write_text(head)
        parts = ["print_results", "timers"] + ["randdp"] * (name != "is")
        files = [own / f"{name}.c"] + [common / f"c_{one}.c" for one in parts]
        return Program(files + [common / "wtime.c"], [], flags=["-fcommon", f"-I{work}", f"-I{own}", f"-I{common}"],
                       openmp=True, every=every, drops=r"(?i).*(time|mop/s|date|compil|mflops|wall|cpu).*")
    return recipe


def stream(sources, _):
    source = clone(sources, "jeffhammond/STREAM")
    return Program([source / "stream.c"], [], flags=["-DSTREAM_ARRAY_SIZE=2000000", "-DNTIMES=40"], counts="Valid|Array size|elements")


def kernel(path, arguments, more=(), beside=()):
    """One of the Parallel Research Kernels, MPI."""
    def recipe(sources, _):
        top = clone(sources, "ParRes/Kernels")
        files = [top / "MPI1" / path, top / "common/MPI_bail_out.c", top / "common/wtime.c", *(top / one for one in beside)]
        flags = ["-DMPI", "-DDOUBLE=1", "-DVERBOSE=0", "-DSCRAMBLE=1", '-DPRKVERSION="2"', f"-I{top}/include", *more]
        return Program(files, arguments, flags=flags, ranks=2, every=10, drops=r"(?i).*(time|rate|mflop|mb/s).*")
    return recipe


def polybench(path):
    def recipe(sources, work):
        top = clone(sources, "MatthiasJReisinger/PolyBenchC-4.2.1")
        flags = ["-DPOLYBENCH_DUMP_ARRAYS", "-DMEDIUM_DATASET", "-D_GNU_SOURCE"]
        # What counts is printed on standard error.
        head = (top / "utilities/polybench.h").read_text().replace("DUMP_TARGET stderr", "DUMP_TARGET stdout")
        (work / "polybench.h").write_text(head)
        return Program([top / path, top / "utilities/polybench.c"], [], flags=[f"-I{work}", *flags], every=10)
    return recipe


def comd(arguments, ranks=0, more=()):
    """Molecular dynamics of the ExMatEx project: a potential behind a pointer to its base, halo exchange through `void *`."""
    def recipe(sources, work):
        top = clone(sources, "ECP-copa/CoMD")
        words = "VARIANT HOSTNAME KERNEL_NAME KERNEL_RELEASE PROCESSOR COMPILER COMPILER_VERSION CFLAGS LDFLAGS".split()
        (work / "CoMD_info.h").write_text("".join(f'#define CoMD_{word} "-"\n' for word in words))
        files = sorted((top / "src-mpi").glob("*.c"))
        return Program(files, [*arguments, "-d", top / "pots"], ranks=ranks,
                       flags=["-std=c99", "-D_GNU_SOURCE", "-DDOUBLE", f"-I{work}", f"-I{top}/src-mpi", *more],
                       counts="nitial energy|Final|eFinal|Total atoms|Potential type|Cutoff")
    return recipe


def rodinia(path, arguments, fields=(), **more):
    """One of the Rodinia benchmarks, OpenMP. `fields` are files of numbers that it reads: names and how many."""
    def recipe(sources, work):
        top = clone(sources, "A-H-Nguyen/rodinia_openmp")
        for name, count in fields:
            by_chance = numbers(7)
            (work / name).write_text("".join(f"{300 + next(by_chance) % 1000 / 100}\n" for _ in range(count)))
        words = [work / one if (work / one).exists() else one for one in arguments]
        return Program([top / "src" / path], words, openmp=True, **more)
    return recipe


def picosat(sources, work):
    source = package(sources, "picosat")
    (work / "config.h").write_text('#define PICOSAT_CC "gcc"\n#define PICOSAT_CFLAGS "-O2"\n#define PICOSAT_VERSION "965"\n')
    (work / "in.cnf").write_text(clauses(300, 1290))
    return Program([source / f"{one}.c" for one in ("picosat", "app", "main", "version")], ["-v", work / "in.cnf"],
                   flags=["-DNDEBUG", f"-I{work}"], codes=(10, 20), every=1000,
                   counts=r"^(s|v) |literals|conflicts|decisions|propagations|\d visits|fixed variables")


def fasttree(sources, work):
    source = package(sources, "fasttree")
    (work / "in.fa").write_text(alignment(300, 700, "fasta"))
    return Program([source / "fasttree.c"], ["-nt", "-gtr", "-gamma", "-quiet", work / "in.fa"], flags=["-DOPENMP"], openmp=True,
                   every=1)


def fastdnaml(sources, work):
    source = package(sources, "fastdnaml")
    (work / "in.phy").write_text(alignment(40, 600, "phylip"))
    return Program([source / "source/fastDNAml.c"], [], stdin=work / "in.phy", counts="Ln Likelihood|Examined",
                   written=("treefile.*",))


def rebound(sources, work):
    source = sources / "rebound-5.2.2"
    if not source.exists():
        subprocess.run("python3 -m pip download -q --no-deps --no-binary :all: rebound==5.2.2".split(), cwd=work, check=True)
        subprocess.run(["tar", "xf", work / "rebound-5.2.2.tar.gz", "-C", sources], check=True)
    source /= "src"
    (work / "disc.c").write_text(DISC)
    return Program([work / "disc.c", *sorted(source.glob("*.c"))], ["200", "20"], openmp=True, every=200,
                   flags=["-std=c99", "-D_GNU_SOURCE", "-DOPENMP", f"-I{source}"], libraries=["-ffp-contract=off", "-lm", "-lrt"],
                   unseen=[source / "integrator_whfast512.s"])


# A disc of small bodies around a star.
DISC = r"""
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "rebound.h"
static unsigned long state = 12345;
static double next_output = 0.0;
static double by_chance(void)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(state >> 11) / 9007199254740992.0;
}
static void heartbeat(struct reb_simulation *r)
{
    if (r->t + 1e-12 >= next_output) {
        printf("t=%.6f N=%d E=%.15e\n", r->t, (int)r->N, reb_simulation_energy(r));
        next_output += 1.0;
    }
}
int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 300;
    double end = argc > 2 ? atof(argv[2]) : 20.0;
    struct reb_simulation *r = reb_simulation_create();
    r->dt = 0.005;
    r->softening = 0.02;
    reb_simulation_set_integrator(r, "leapfrog");
    r->heartbeat = heartbeat;
    struct reb_particle star = {0};
    star.m = 1.0;
    reb_simulation_add(r, star);
    for (int i = 0; i < count; i++) {
        struct reb_particle body = {0};
        double a = 0.5 + by_chance(), angle = 2.0 * M_PI * by_chance(), v = sqrt(1.0 / a);
        body.x = a * cos(angle);
        body.y = a * sin(angle);
        body.z = 0.01 * (by_chance() - 0.5);
        body.vx = -v * sin(angle);
        body.vy = v * cos(angle);
        body.m = 0.1 / count;
        reb_simulation_add(r, body);
    }
    reb_simulation_move_to_com(r);
    reb_simulation_integrate(r, end);
    double sum = 0;
    for (size_t i = 0; i < r->N; i++)
        sum += (i + 1) * (r->particles[i].x + 2 * r->particles[i].y + 3 * r->particles[i].z);
    printf("final t=%.6f E=%.15e sum=%.15e\n", r->t, reb_simulation_energy(r), sum);
    reb_simulation_free(r);
    return 0;
}
"""


def defines(**values):
    return "".join(f"#define {name} {value}\n" for name, value in values.items())


PROGRAMS = {
    "omp-matinv": omp_matinv,
    # The numbers of iterations do not count: mpirun may lose the last lines of a killed run, and a restart prints some again.
    "nas-is": nas(["is.c"], ["2", "A"], 2, r"Size  |Verification"),
    # On three ranks they iterate differently often.
    "nas-ep": nas(["ep.c"], ["3", "S"], 3, r"^(N =|No\. Gaus|Sum|Count|[0-9])|Verification"),
    "nas-dt": nas(["dt.c", "DGraph.c"], ["5", "S", "BH"], 5, r"Verification|L2 Norm"),
    "npb-bt": npb("bt", defines(PROBLEM_SIZE=12, NITER_DEFAULT=60, DT_DEFAULT=0.010)),
    "npb-cg": npb("cg", defines(NA=1400, NONZER=7, NITER=15, SHIFT="10.0", RCOND="1.0e-1")),
    "npb-ep": npb("ep", defines(M=24)),
    "npb-ft": npb("ft", defines(NX=64, NY=64, NZ=64, MAXDIM=64, NITER_DEFAULT=6, NTOTAL=262144)),
    "npb-is": npb("is", every=4096),
    "npb-lu": npb("lu", defines(ISIZ1=12, ISIZ2=12, ISIZ3=12, ITMAX_DEFAULT=50, INORM_DEFAULT=50, DT_DEFAULT=0.5)),
    "npb-mg": npb("mg", defines(NX_DEFAULT=32, NY_DEFAULT=32, NZ_DEFAULT=32, NIT_DEFAULT=4, LM=5, LT_DEFAULT=5,
                               DEBUG_DEFAULT=0, NDIM1=5, NDIM2=5, NDIM3=5)),
    "npb-sp": npb("sp", defines(PROBLEM_SIZE=12, NITER_DEFAULT=100, DT_DEFAULT=0.015)),
    "stream": stream,
    "prk-nstream": kernel("Nstream/nstream.c", ["200", "100000", "0"]),
    "prk-sparse": kernel("Sparse/sparse.c", ["200", "8", "3"]),
    "prk-transpose": kernel("Transpose/transpose.c", ["100", "600", "32"]),
    "prk-stencil": kernel("Stencil/stencil.c", ["40", "1000"], ["-DSTAR=1", "-DRADIUS=2"]),
    "prk-pic": kernel("PIC-static/pic.c", ["40", "200", "20000", "1", "2", "GEOMETRIC", "0.99"], ["-DRESTRICT_KEYWORD=0"],
                      ["common/random_draw.c"]),
    "prk-p2p": kernel("Synch_p2p/p2p.c", ["200", "1000", "500"]),
    "polybench-lu": polybench("linear-algebra/solvers/lu/lu.c"),
    "polybench-seidel": polybench("stencils/seidel-2d/seidel-2d.c"),
    "comd": comd(["-e", "-x", "6", "-y", "6", "-z", "6", "-N", "30", "-n", "1"]),
    "comd-lj": comd(["-x", "6", "-y", "6", "-z", "6", "-N", "30", "-n", "1"]),
    "comd-mpi": comd(["-e", "-x", "8", "-y", "6", "-z", "6", "-i", "2", "-N", "30", "-n", "1"], 2, ["-DDO_MPI"]),
    "hotspot3d": rodinia("hotspot3D/3D.c", ["64", "8", "400", "power", "temperature", "result"],
                         [("power", 64 * 64 * 8), ("temperature", 64 * 64 * 8)], every=20, counts="Accuracy", written=("result",)),
    "fasttree": fasttree,
    "picosat": picosat,
    "fastdnaml": fastdnaml,
    "rebound": rebound,
}
