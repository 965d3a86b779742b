//! Everything the library knows between `init` and `shutdown`.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::comm::Group;
use crate::format::{Encoding, Header, Site};
use crate::generation::{Extent, Writer};
use crate::memory::blocks::{self, Present};
use crate::memory::{Arguments, Program, Team, TeamControls};
use crate::registry::{Function, Register, RegisterId, Registers, Trace, TypeTable};
use crate::restore::{Replay, Standing};
use crate::settings::Settings;
use crate::store::{Directory, History, Lock, Printed, PrintedExtent};

use super::kill::Killer;
use super::suspects::Suspect;

/// The session of one process.
pub struct Session {
    /// The program's memory.
    pub program: Program,
    /// Its command line.
    pub arguments: Arguments,
    /// Its name, without the directory.
    pub name: String,
    /// A number of its build.
    pub build: u64,
    /// Types seen so far.
    pub types: TypeTable,
    /// Client functions seen so far, by the address of their descriptors.
    pub functions: FxHashMap<usize, Rc<Function>>,
    /// Names of functions whose address the program takes.
    pub names: HashMap<usize, String>,
    /// What ran on the way.
    pub trace: Trace,
    /// What is registered.
    pub registers: Registers,
    /// The processes of the job.
    pub group: Box<dyn Group>,
    /// What the user wants.
    pub settings: Settings,
    /// Where the files are.
    pub directory: Arc<Directory>,
    /// What happens is noted there.
    pub history: Arc<History>,
    /// Ours, unless that was impossible for other reasons than another run.
    pub lock: Arc<Lock>,
    /// The generation in flight.
    pub writer: Writer,
    /// Memory of the last copies, the first register's at the end.
    pub buffers: Vec<Vec<u8>>,
    /// The number of a generation that the first call of a checkpoint takes, never used before. That of the n-th call
    /// is n - 1 more, whether or not those between took one: what ranks take at the same call has the same number.
    pub first_generation: u64,
    /// The number of the latest generation, of this run or one before.
    pub latest_generation: u64,
    /// When a checkpoint is due.
    pub when: super::when::When,
    /// Rehearses crashes.
    pub killer: Arc<Killer>,
    /// Checkpoints taken or restored by this run: the number of the section that registers go into.
    pub section: u64,
    /// The activations in which `init` stood, outermost first: every start comes to them again.
    pub standing: Vec<Standing>,
    /// Which places take checkpoints by time.
    pub places: super::profile::Places,
    /// What the program prints into a file of its shell.
    pub printed: Printed,
    /// How much of it the checkpoint has that is taken.
    pub printed_now: Option<PrintedExtent>,
    /// Why the latest checkpoint was not taken.
    pub untaken: Option<String>,
    /// A restart is in progress.
    pub replay: Option<Replay>,
    /// By hand: what is different in it.
    pub differences: Vec<crate::restore::changes::Row>,
    /// Registers that began with zeros during it.
    pub zeroed: Vec<super::adopt::Zeroed>,
    /// One-line messages for the user, oldest first, until somebody prints them.
    pub messages: Vec<String>,
    /// The warning about a growing trace has been given.
    pub warned_growth: bool,
    /// Warnings that have been given.
    pub warned: HashSet<String>,
    /// The last checkpoint could not be written.
    pub failing: bool,
    /// What has been published.
    pub tally: super::summary::Tally,
    /// The run goes on from a checkpoint.
    pub is_resumed: bool,
    /// How long the program stood still for checkpoints.
    pub cost: super::cost::Cost,
    /// The need of disk space has been told.
    pub disk_told: bool,
    /// Where the program began: files below are looked for there.
    pub directory_at_init: Option<PathBuf>,
    /// A number for what is in a file that is mapped, by its path, length and time: it is read once.
    pub contents_of_views: RefCell<HashMap<super::views::Stamp, u32>>,
    /// What the machine and the kernel kept for the program when it entered the library.
    pub process: super::process::Process,
    /// `errno` where the program comes to a checkpoint.
    pub error: i32,
    /// The same at `init`.
    pub process_at_init: super::process::Process,
    /// What signals did at `init`, and the environment variables.
    pub(super) at_init: super::dispositions::Dispositions,
    /// The C library's generators of random numbers that the program uses.
    pub generators: u32,
    /// The blocks of the fixed heap at `init`; none without one.
    pub(super) fixed_at_init: Option<super::fixed::FixedHeap>,
    /// The threads that stand still meanwhile, and copy.
    pub crew: Option<super::in_parts::Lent>,
    /// How many threads OpenMP had at `init`, in the original run; none without OpenMP.
    pub team: Option<Team>,
    /// How regions share out loops and nest, as it was at `init`.
    pub team_controls: Option<TeamControls>,
    /// Nothing before `init` depends on that.
    pub threads_later: bool,
    /// A number of what the program's text says; 0 when that is not known.
    pub text: u64,
    /// Values that each checkpoint looks at.
    pub suspects: Vec<Suspect>,
    /// The program counts its messages, on any rank.
    pub counts: bool,
    /// When rank 0 looks at what the ranks have counted.
    pub looks: super::messages::Looks,
    /// None of the program's checkpoints is taken with this number of ranks.
    pub is_idle: bool,
    /// Items whose length was compared with that of their memory, where it was and how long.
    pub compared: RefCell<BTreeMap<RegisterId, (usize, u64)>>,
    /// By hand: calls of each checkpoint site.
    pub calls: HashMap<u32, u64>,
}

/// Whether the block that the program knew at `base` is no longer there, or is another one that ends before `end`. Memory that is
/// used again as it was counts as the same block.
fn has_lost_block(register: &Register, base: usize, end: usize) -> bool {
    register.block == base && blocks::length(base).is_none_or(|length| base + length < end)
}

impl Session {
    /// How values are stored in the next checkpoint.
    pub fn encoding(&self) -> Encoding {
        self.settings.encoding
    }

    /// Who writes, for the header of a file.
    pub fn header(&self, generation: u64, site: Site) -> Header {
        let time = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        Header {
            program: self.name.clone(),
            fingerprint: self.build,
            arguments: self.arguments.words().into_iter().skip(1).collect(),
            rank: self.group.rank(),
            size: self.group.size(),
            generation,
            time,
            machine: self.types.machine().clone(),
            encoding: self.settings.encoding,
            site,
        }
    }

    /// Where a register's elements are now: no elements at 0 behind a NULL pointer; none when its memory is gone, and its pointer with
    /// it.
    pub fn extent(&self, register: &Register) -> Option<Extent> {
        let size = self.types.get(register.type_index)?.size as usize;
        let elements = usize::try_from(register.elements()).ok()?;
        let base = if !register.is_behind() {
            register.address
        } else {
            match register.floating {
                Some(base) => base,
                None => self.program.pointer(register.address),
            }
        };
        if register.is_behind() && base == 0 {
            return Some(Extent {
                id: register.id,
                start: 0,
                size,
                elements: 0,
                type_index: register.type_index,
            });
        }
        let start = base.checked_add(usize::try_from(register.first).ok()?.checked_mul(size)?)?;
        let length = size.checked_mul(elements)?;
        let gone = register.is_behind()
            && length > 0
            && register.floating.is_some()
            && (has_lost_block(register, base, start.saturating_add(length))
                || !self.program.readable(start, length));
        (!gone).then_some(Extent {
            id: register.id,
            start,
            size,
            elements,
            type_index: register.type_index,
        })
    }

    /// Whether the pointer of a register has outlived its block: that was released, and its memory is gone or belongs to others. A block
    /// that only a library knows may have come into its place; what begins with a block that is shorter is looked at elsewhere.
    pub fn is_stale(
        &self,
        register: &Register,
        extent: &Extent,
        present: &mut Option<Present>,
    ) -> bool {
        let (start, length) = (extent.start, extent.size * extent.elements);
        let base = start.wrapping_sub(register.first as usize * extent.size);
        let may_be = register.is_behind() && length > 0 && blocks::was_released(start);
        // All blocks are only listed where none begins at the pointer.
        if !may_be || blocks::length(base).is_some() {
            return false;
        }
        let present = present.get_or_insert_with(Present::now);
        let is_gone = register.block == base
            && (!self.program.readable(start, length) || present.has_any(start, length));
        is_gone || present.cuts(start, length)
    }

    /// A message that is given once, however often there is reason to. Whether it was now.
    pub fn say_once(&mut self, message: impl Into<String>) -> bool {
        let message = message.into();
        let is_new = self.warned.insert(message.clone());
        if is_new {
            self.say(message);
        }
        is_new
    }

    /// Something the user should read once.
    pub fn say(&mut self, message: impl Into<String>) {
        self.messages.push(message.into());
    }
}
