//! What is known of a library function, with every parameter as its number.

use cccp_grammar::Amount;

use super::roles::Role;

/// A function of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryFunction {
    /// Its name.
    pub name: String,
    /// The chapter it stands in: document, number, title, header.
    pub chapter: String,
    /// Where in that document.
    pub citation: Option<String>,
    /// The names of its parameters, `...` not included.
    pub parameters: Vec<String>,
    /// Takes `...`.
    pub variadic: bool,
    /// What it does to memory, in the order of the text. What is not here does not happen.
    pub effects: Vec<Effect>,
    /// Memory that holds pointers afterwards, and which ones.
    pub stores: Vec<(Place, Vec<Alternative>)>,
    /// Functions of the program that it calls before it returns.
    pub calls: Vec<CallBack>,
    /// The pointers that may come back, or that may be in the struct that does; empty when none does.
    pub returns: Vec<Alternative>,
    /// Parameters that may be null.
    pub nullable: Vec<usize>,
    /// A later call with the same values of these parameters takes the place of this one. None: calls add up.
    pub replaces: Option<Vec<usize>>,
    /// `MPI_IN_PLACE` may stand for the first; the second is read then.
    pub in_place: Option<(usize, usize)>,
    /// What it is for, sorted.
    pub roles: Vec<Role>,
    /// Control does not come back.
    pub never_returns: bool,
}

impl LibraryFunction {
    /// Whether it has a role.
    pub fn is(&self, role: Role) -> bool {
        self.roles.binary_search(&role).is_ok()
    }

    /// Whether one of its parameters is a request of MPI, or an array of them.
    pub fn takes_requests(&self, parameter: usize) -> bool {
        let name = self.parameters.get(parameter);
        name.is_some_and(|name| name.contains("request"))
    }

    /// Whether what it keeps are numbers and characters, of which the catalogue says how many are read or written: a message, whose
    /// pointers nobody follows, and whose functions nobody calls.
    pub fn is_data(&self, kept: &Place) -> bool {
        let mut effects = self.effects.iter();
        let is_near = |place: &Place| place.behind == 0 && place.members.is_empty();
        is_near(kept)
            && effects.any(|effect| {
                let moves = matches!(
                    effect.kind,
                    EffectKind::Reads | EffectKind::Writes | EffectKind::Fills
                );
                let place = &effect.place;
                moves
                    && place.root == kept.root
                    && is_near(place)
                    && !place.everything
                    && place.extent.is_some()
            })
    }

    /// How many bytes of new memory it gives back, when it gives back nothing else.
    pub fn allocates(&self) -> Option<&Amount> {
        let mut amount = None;
        for one in &self.returns {
            match one {
                Alternative::New(Some(Extent::Elements(found))) if amount.is_none() => {
                    amount = Some(found);
                }
                Alternative::Null => {}
                _ => return None,
            }
        }
        amount
    }
}

/// A call of a function of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct CallBack {
    /// Where the pointer to the function is: a parameter, or a member of what one points to.
    pub callback: Place,
    /// What each argument may be; nothing for one that is no pointer into the program.
    pub arguments: Vec<Vec<Alternative>>,
}

/// Something that happens to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What.
    pub kind: EffectKind,
    /// To which memory.
    pub place: Place,
}

/// What happens to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// May be looked at before anything is stored there.
    Reads,
    /// May be stored to.
    Writes,
    /// Is stored to as a whole whenever the function succeeds.
    Fills,
    /// Its life ends.
    Frees,
    /// The pointer is remembered; where: in `@escaped` when an entry does not say.
    Keeps(Option<String>),
    /// A handle to an object of the library is stored there.
    Creates,
    /// The object of the handle there ends.
    Destroys,
}

/// Memory that something in a call leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Everything that can be reached from there, through however many pointers.
    pub everything: bool,
    /// Where the way begins.
    pub root: Root,
    /// How many pointers are followed beyond the first one.
    pub behind: usize,
    /// Members on the way.
    pub members: Vec<String>,
    /// How much; `None`: nobody knows.
    pub extent: Option<Extent>,
    /// When; `None`: always, at once.
    pub condition: Option<Condition>,
}

/// Where the way to memory begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// At a parameter.
    Parameter(usize),
    /// At every variable argument.
    Rest,
    /// At what is returned.
    Returned,
    /// In the library.
    Hidden(String),
}

/// Under which condition something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// On the rank that this parameter names.
    At(usize),
    /// Any time until the request in this parameter is completed.
    Until(usize),
    /// When this parameter is neither null nor 0.
    If(usize),
    /// When this parameter is null.
    Unless(usize),
    /// When the format in this parameter may have a `%n`.
    Counting(usize),
}

/// How much memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Up to and including a zero.
    Terminated,
    /// So many elements of what the parameter points to, bytes behind `void *`. Names in it are parameters.
    Elements(Amount),
}

/// A pointer that comes back or is handed over.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternative {
    /// Memory that did not exist before, of this size when it is known.
    New(Option<Extent>),
    /// A null pointer.
    Null,
    /// The pointer itself.
    Same(Place),
    /// Somewhere into what it leads to.
    Into(Place),
}
