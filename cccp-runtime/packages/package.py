"""The recipe for Spack, for a checkout of cccp:

    spack repo add PREFIX/share/cccp/spack
    spack dev-build --source-path CHECKOUT cccp@@VERSION@
"""

from spack.package import *


class Cccp(Package):
    """Makes long-running C programs, serial or MPI, survive crashes: a precompiler, a compiler wrapper and a library
    that writes checkpoints."""

    license("MIT OR Apache-2.0")

    version("@VERSION@")

    variant("mpi", default=True, description="the library for MPI programs, too")

    depends_on("c", type="build")
    depends_on("rust@1.88:", type="build")
    depends_on("mpi", when="+mpi")
    # The bindings of MPI are made when it is built.
    depends_on("llvm +clang", type="build", when="+mpi")

    def install(self, spec, prefix):
        words = ["--prefix", prefix]
        if spec.satisfies("~mpi"):
            words.append("--without-mpi")
        Executable("cccp-runtime/install")(*words)

    def setup_build_environment(self, env):
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)
            env.set("LIBCLANG_PATH", self.spec["llvm"].prefix.lib)
