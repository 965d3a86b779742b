//! Messages between two ranks: who sends to whom, and requests.

use super::evaluate::Scratch;
use super::messages::{Half, Template};
use super::mpi::Site;
use super::run::Run;
use super::state::State;
use super::value::{Shape, Sym};
use crate::catalog::Role;

impl<'a> Run<'a, '_> {
    pub(super) fn point_to_point(
        &mut self,
        site: &Site<'_, 'a>,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> bool {
        let sends = site.found.is(Role::Sends);
        let receives = site.found.is(Role::Receives) || site.name == "MPI_Mprobe";
        let takes_message = matches!(site.name, "MPI_Mrecv" | "MPI_Imrecv");
        let slots = if site.found.is(Role::NonBlocking) || site.name == "MPI_Mprobe" {
            let parameter = if site.name == "MPI_Mprobe" {
                "message"
            } else {
                "request"
            };
            match self.slots(site, parameter, state, scratch) {
                Some(slots) => Some(slots),
                None => {
                    self.fail("It is unknown which request this is.", site.place);
                    return false;
                }
            }
        } else {
            None
        };
        if takes_message {
            match self.slots(site, "message", state, scratch) {
                Some(messages) => self.each_rank(state, |run, rank| {
                    run.messages.complete(rank, messages[rank], 1);
                }),
                None => self.fail("It is unknown which message this is.", site.place),
            }
        }
        let mut dead = false;
        if sends {
            let tag = if site.found.parameters.iter().any(|one| one == "sendtag") {
                "sendtag"
            } else {
                "tag"
            };
            dead |= self.halves(site, "dest", tag, true, state, scratch);
        }
        if receives && !takes_message {
            let tag = if site.found.parameters.iter().any(|one| one == "recvtag") {
                "recvtag"
            } else {
                "tag"
            };
            dead |= self.halves(site, "source", tag, false, state, scratch);
        }
        if let Some(slots) = slots {
            self.each_rank(state, |run, rank| {
                run.messages.begin(rank, slots[rank], site.place)
            });
        }
        dead
    }

    /// Sends or receives on every rank that is here. True when MPI ends the program.
    pub(super) fn halves(
        &mut self,
        site: &Site<'_, 'a>,
        peer: &str,
        tag: &str,
        sends: bool,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> bool {
        let Some(templates) = self.templates(site, peer, tag, sends, state, scratch) else {
            return false;
        };
        let mut dead = false;
        self.each_rank(state, |run, rank| {
            if let Some(template) = &templates[rank] {
                run.issue(rank, template);
            } else {
                dead = true;
            }
        });
        if dead && self.known.traffic.goes_on {
            self.fail(
                "This message goes to a rank that is not there, and errors do not end the program.",
                site.place,
            );
            return false;
        }
        dead
    }

    pub(super) fn issue(&mut self, rank: usize, template: &Template) {
        let half = Half {
            tag: template.tag,
            place: template.place,
        };
        match template.peer {
            None => {}
            Some((comm, Some(other))) if template.sends => {
                self.messages.send(comm, rank, other, half);
            }
            Some((comm, Some(other))) => self.messages.receive(comm, other, rank, half),
            Some((comm, None)) => self.messages.receive_any(comm, rank, template.place),
        }
    }

    /// What each rank sends or receives here; none where the other rank is not there.
    pub(super) fn templates(
        &mut self,
        site: &Site<'_, 'a>,
        peer: &str,
        tag: &str,
        sends: bool,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> Option<Vec<Option<Template>>> {
        let special = self.special(site.id);
        let others = self.named_argument(site, peer, state, scratch)?;
        let tags = self.named_argument(site, tag, state, scratch)?;
        let comms = self.named_argument(site, "comm", state, scratch)?;
        self.is_wild |= others.shape == Shape::Wild || tags.shape == Shape::Wild;
        let mut all = vec![None; self.ranks];
        for (rank, found) in all.iter_mut().enumerate() {
            if !state.mask[rank] {
                continue;
            }
            let mut template = Template {
                sends,
                peer: None,
                tag: Some(tags.parts[rank]),
                place: site.place,
            };
            if !sends && tags.parts[rank] == Sym::Int(special.any_tag) {
                template.tag = None;
            }
            let other = match others.parts[rank] {
                Sym::Int(other) if other == special.nobody => {
                    *found = Some(template);
                    continue;
                }
                Sym::Int(other) => other,
                Sym::Term(term) if others.uniform(&state.mask).is_some() => {
                    self.ask_rank(term);
                    return None;
                }
                _ => {
                    let what = if sends {
                        "to which rank this goes"
                    } else {
                        "from which rank this comes"
                    };
                    self.fail(&format!("It is unknown {what}."), site.place);
                    return None;
                }
            };
            let Some(comm) = self.communicators.number(comms.parts[rank]) else {
                self.fail("It is unknown which communicator this is.", site.place);
                return None;
            };
            if self.communicators.get(comm).is_lost {
                self.fail(
                    "Ranks have been renumbered: it is unknown which ranks these are.",
                    site.place,
                );
                return None;
            }
            if template.tag == Some(Sym::Unknown) {
                self.fail("The tag of this message may be anything.", site.place);
                return None;
            }
            if !sends && other == special.any_source {
                template.peer = Some((comm, None));
                *found = Some(template);
                continue;
            }
            *found = self.communicators.member(comm, rank, other).map(|member| {
                template.peer = Some((comm, Some(member)));
                template
            });
        }
        Some(all)
    }

    pub(super) fn prepare(
        &mut self,
        site: &Site<'_, 'a>,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> bool {
        let sends = site.found.is(Role::Sends);
        let peer = if sends { "dest" } else { "source" };
        if site.found.is(Role::Collective)
            || site.name.contains("Psend")
            || site.name.contains("Precv")
        {
            self.fail(
                "Persistent requests of this kind are not followed.",
                site.place,
            );
            return false;
        }
        let (Some(slots), Some(templates)) = (
            self.slots(site, "request", state, scratch),
            self.templates(site, peer, "tag", sends, state, scratch),
        ) else {
            self.fail("It is unknown which request this is.", site.place);
            return false;
        };
        let mut dead = false;
        self.each_rank(state, |run, rank| match &templates[rank] {
            Some(template) => run.messages.prepare(rank, slots[rank], template.clone()),
            None => dead = true,
        });
        dead
    }

    pub(super) fn start(
        &mut self,
        site: &Site<'_, 'a>,
        state: &State,
        scratch: &Scratch<'a>,
    ) -> bool {
        let many = site.name == "MPI_Startall";
        let parameter = if many { "array_of_requests" } else { "request" };
        let slots = self.slots(site, parameter, state, scratch);
        let count = match many {
            true => self
                .named_argument(site, "count", state, scratch)
                .and_then(|count| count.numbers(&state.mask)),
            false => Some(vec![1; self.ranks]),
        };
        let (Some(slots), Some(count)) = (slots, count) else {
            self.fail("It is unknown which requests are started here.", site.place);
            return false;
        };
        let mut missing = false;
        self.each_rank(state, |run, rank| {
            for at in 0..count[rank].min(4096) {
                let mut slot = slots[rank];
                slot.2 += at;
                let Some(template) = run.messages.template(rank, slot).cloned() else {
                    missing = true;
                    continue;
                };
                run.issue(rank, &template);
                run.messages.begin(rank, slot, site.place);
            }
        });
        if missing {
            self.fail("It is unknown what this request does.", site.place);
        }
        false
    }

    pub(super) fn wait(&mut self, site: &Site<'_, 'a>, state: &State, scratch: &Scratch<'a>) {
        let is_many = site
            .found
            .parameters
            .iter()
            .any(|one| one == "array_of_requests");
        let parameter = if is_many {
            "array_of_requests"
        } else {
            "request"
        };
        let Some(slots) = self.slots(site, parameter, state, scratch) else {
            return;
        };
        let name = if site.name == "MPI_Waitsome" {
            "incount"
        } else {
            "count"
        };
        let count = match is_many {
            true => self
                .named_argument(site, name, state, scratch)
                .and_then(|count| count.numbers(&state.mask)),
            false => Some(vec![1; self.ranks]),
        };
        let Some(count) = count else {
            return;
        };
        self.each_rank(state, |run, rank| match site.name {
            "MPI_Wait" | "MPI_Waitall" => run.messages.complete(rank, slots[rank], count[rank]),
            _ => run.messages.complete_one(rank, slots[rank], count[rank]),
        });
    }
}
