//! Functions that are called and declared nowhere, as old C allows: a call declares one that returns `int` (C90 6.3.2.2). A
//! definition further on in the file, or in another one, is the one that is called.

use super::builder::Builder;
use super::model::{ScopeId, Storage, Symbol, SymbolKind};
use super::types::TypeKind;
use super::typing::blank_symbol;
use crate::syntax::tree;

/// Functions that compilers know without a declaration, with another result than `int`, and `posix_memalign`, which the library takes
/// the place of.
const KNOWN: &str = "_exit _Exit abort aligned_alloc alloca bcopy bzero calloc execl execle execlp exit fprintf free fscanf fwrite \
    imaxabs index labs llabs malloc memchr memcpy memmove mempcpy memset posix_memalign printf realloc rindex scanf snprintf sprintf \
    sscanf stpcpy stpncpy strcat strchr strcpy strcspn strdup strfmon strftime strlen strncat strncpy strndup strnlen strpbrk strrchr \
    strspn strstr towlower towupper";

/// The same of mathematics: also with `f` and `l` behind them.
const KNOWN_OF_NUMBERS: &str = "acos acosh asin asinh atan atan2 atanh cabs cacos cacosh carg casin casinh catan catanh cbrt ccos \
    ccosh ceil cexp cimag clog conj copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh drem erf erfc exp exp10 exp2 expm1 \
    fabs fdim floor fma fmax fmin fmod frexp gamma hypot j0 j1 jn ldexp lgamma lgamma_r llrint llround log log10 log1p log2 logb lrint \
    lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn significand sin \
    sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn";

impl Builder<'_> {
    /// A call of a name that is declared nowhere declares a function; not in directives, and not what compilers know by themselves.
    pub fn declare_called(&mut self, callee: &tree::Expression) {
        let tree::ExpressionKind::Name(name) = &callee.kind else {
            return;
        };
        let is_known = name.starts_with("__") || is_known_to_compilers(name);
        if self.within_directive.is_some() || is_known || self.lookup(name).is_some() {
            return;
        }
        let result = self.int();
        let ty = self.plain(TypeKind::Function {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototype: false,
        });
        let symbol = blank_symbol(name.clone(), ScopeId(0), ty, callee.span);
        self.add_to_file(Symbol {
            kind: SymbolKind::Function,
            storage: Storage::External,
            is_implicit: true,
            ..symbol
        });
    }
}

fn is_known_to_compilers(name: &str) -> bool {
    let is_among = |list: &str, name: &str| list.split_ascii_whitespace().any(|one| one == name);
    let base = name.strip_suffix(['f', 'l']);
    is_among(KNOWN, name)
        || is_among(KNOWN_OF_NUMBERS, name)
        || base.is_some_and(|base| is_among(KNOWN_OF_NUMBERS, base))
}
