//! What a function is for, in the words of the analyses.

/// A role. The order is that of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the table below says what each one means")]
pub enum Role {
    Allocates,
    CallsBack,
    Closes,
    Collective,
    Communicates,
    Configures,
    Descriptor,
    EndsThread,
    Exits,
    Finalises,
    Handles,
    Initialises,
    JumpsFar,
    Locks,
    Maps,
    NonBlocking,
    Numbers,
    OneSided,
    Opens,
    Persistent,
    Prints,
    Probes,
    Random,
    Rank,
    ReadsClock,
    ReadsInput,
    Receives,
    ReturnsTwice,
    Seeds,
    Sends,
    Size,
    Spawns,
    Starts,
    Tests,
    Unlocks,
    Unnamed,
    Waits,
}

/// Every role, its word in the catalogue, and what it means.
pub const ROLES: [(Role, &str, &str); 37] = [
    (
        Role::Allocates,
        "allocates",
        "gives memory of the heap that the program may free",
    ),
    (
        Role::CallsBack,
        "calls-back",
        "calls functions of the program, now or later",
    ),
    (
        Role::Closes,
        "closes",
        "ends what an opening function began: a file, a directory, a connection",
    ),
    (
        Role::Collective,
        "collective",
        "every process of a communicator calls it",
    ),
    (
        Role::Communicates,
        "communicates",
        "messages between processes may be in flight because of it",
    ),
    (
        Role::Configures,
        "configures",
        "sets something in a library, or in an object of it, that stays: attributes, names, keys",
    ),
    (
        Role::Descriptor,
        "descriptor",
        "gives the descriptor of a file with a name",
    ),
    (
        Role::EndsThread,
        "ends-thread",
        "ends the thread that calls it, and leaves to the others what that has changed",
    ),
    (Role::Exits, "exits", "ends the process"),
    (Role::Finalises, "finalises", "ends the use of a library"),
    (
        Role::Handles,
        "handles",
        "installs a handler: of signals, of errors, of the end of the process",
    ),
    (
        Role::Initialises,
        "initialises",
        "begins the use of a library",
    ),
    (
        Role::JumpsFar,
        "jumps-far",
        "control continues in an activation further up",
    ),
    (Role::Locks, "locks", "waits for a lock or takes it"),
    (
        Role::Maps,
        "maps",
        "changes what memory is there without malloc: mmap, shared memory",
    ),
    (
        Role::NonBlocking,
        "non-blocking",
        "returns before the communication is complete",
    ),
    (
        Role::Numbers,
        "numbers",
        "gives a number by which a library knows something, and gives it again when it is called again",
    ),
    (Role::OneSided, "one-sided", "communicates through a window"),
    (
        Role::Opens,
        "opens",
        "opens a file, a directory, a connection",
    ),
    (
        Role::Persistent,
        "persistent",
        "makes a request that is started later, again and again",
    ),
    (
        Role::Prints,
        "prints",
        "writes to a stream or file of the system",
    ),
    (
        Role::Probes,
        "probes",
        "looks for a message without receiving it",
    ),
    (
        Role::Random,
        "random",
        "gives the next number of a generator",
    ),
    (
        Role::Rank,
        "rank",
        "stores the number of the process in a communicator or group",
    ),
    (Role::ReadsClock, "reads-clock", "gives the time"),
    (
        Role::ReadsInput,
        "reads-input",
        "reads from a stream or file of the system",
    ),
    (Role::Receives, "receives", "receives a message"),
    (
        Role::ReturnsTwice,
        "returns-twice",
        "control may come back from it again later",
    ),
    (Role::Seeds, "seeds", "sets a generator of random numbers"),
    (Role::Sends, "sends", "sends a message"),
    (
        Role::Size,
        "size",
        "stores the number of processes of a communicator or group",
    ),
    (
        Role::Spawns,
        "spawns",
        "starts a process, a thread or a timer of its own",
    ),
    (Role::Starts, "starts", "starts persistent requests"),
    (Role::Tests, "tests", "asks whether requests are complete"),
    (Role::Unlocks, "unlocks", "gives a lock back"),
    (
        Role::Unnamed,
        "unnamed",
        "gives a descriptor, a number or a pointer that is good for this process only: of a pipe, a connection, a duplicate, a library that was loaded",
    ),
    (Role::Waits, "waits", "returns when requests are complete"),
];

impl Role {
    /// The role with this word.
    pub fn from_word(word: &str) -> Option<Role> {
        ROLES
            .iter()
            .find(|(_, known, _)| *known == word)
            .map(|(role, _, _)| *role)
    }
}
