//! From an entry as it is written to what it means: names become numbers of parameters.
//!
//! Every name in a clause has to be a parameter, every role and every hidden state has to be known.

use std::collections::BTreeSet;
use std::ops::Range;

use cccp_grammar::{Amount, Clause, Entry, FunctionEntry, Text, Value, nearest};

use super::builtin::STATES;
use super::model::{
    Alternative, CallBack, Condition, Effect, EffectKind, Extent, LibraryFunction, Place, Root,
};
use super::roles::{ROLES, Role};

/// What is wrong: bytes of the entry, and a sentence.
pub(super) type Fault = (Range<usize>, String);

/// What an entry's names are looked up in.
pub(super) struct Names<'a> {
    /// The chapter above it.
    pub(super) chapter: &'a str,
    /// States of the user's files.
    pub(super) states: &'a BTreeSet<String>,
}

/// What the functions of an entry do, still without a name; `None` when it is a chapter, a handle or a state.
pub(super) fn function(entry: &Entry, names: &Names) -> Result<Option<LibraryFunction>, Fault> {
    let entry = match entry {
        Entry::Function(entry) => entry,
        Entry::Variables { state, .. } => return state_of(names, state).map(|_| None),
        _ => return Ok(None),
    };
    let mut seen = BTreeSet::new();
    for name in entry.names.iter().chain(&entry.parameters) {
        if !seen.insert(&name.text) {
            return Err((name.range.clone(), format!("`{}` twice", name.text)));
        }
    }
    Reader { entry, names }.function().map(Some)
}

/// What code that nobody sees can reach.
const ESCAPED: &str = "escaped";

fn state_of(names: &Names, name: &Text) -> Result<String, Fault> {
    let own = names.states;
    if STATES.contains(&name.text.as_str()) || own.contains(&name.text) {
        return Ok(name.text.clone());
    }
    let known = STATES.iter().copied().chain(own.iter().map(String::as_str));
    let message = match nearest(&name.text, known) {
        Some(near) => format!("there is no state `@{}`; `@{near}`?", name.text),
        None => format!(
            "there is no state `@{0}`; declare it: `state @{0}: MEANING`",
            name.text
        ),
    };
    Err((name.range.clone(), message))
}

struct Reader<'a> {
    entry: &'a FunctionEntry,
    names: &'a Names<'a>,
}

impl Reader<'_> {
    fn function(&self) -> Result<LibraryFunction, Fault> {
        let texts = |names: &[Text]| names.iter().map(|name| name.text.clone()).collect();
        let mut function = LibraryFunction {
            name: String::new(),
            chapter: self.names.chapter.to_string(),
            citation: self.entry.citation.as_ref().map(|text| text.text.clone()),
            parameters: texts(&self.entry.parameters),
            variadic: self.entry.variadic,
            effects: Vec::new(),
            stores: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            nullable: Vec::new(),
            replaces: None,
            in_place: None,
            roles: Vec::new(),
            never_returns: false,
        };
        for clause in &self.entry.clauses {
            self.clause(clause, &mut function)?;
        }
        function.roles.sort_unstable();
        function.roles.dedup();
        Ok(function)
    }

    fn clause(&self, clause: &Clause, function: &mut LibraryFunction) -> Result<(), Fault> {
        let (kind, places) = match clause {
            Clause::Reads(places) => (EffectKind::Reads, places.as_slice()),
            Clause::Writes(places) => (EffectKind::Writes, places.as_slice()),
            Clause::Fills(places) => (EffectKind::Fills, places.as_slice()),
            Clause::Frees(places) => (EffectKind::Frees, places.as_slice()),
            Clause::Creates(places) => (EffectKind::Creates, places.as_slice()),
            Clause::Destroys(places) => (EffectKind::Destroys, places.as_slice()),
            Clause::Keeps { places, state } => {
                let state = match state {
                    Some(state) => self.state(state)?,
                    // Who may use it is not said: anybody.
                    None => ESCAPED.to_string(),
                };
                (EffectKind::Keeps(Some(state)), places.as_slice())
            }
            Clause::Stores { values, places } => {
                let values: Result<Vec<_>, Fault> =
                    values.iter().map(|one| self.value(one)).collect();
                let values = values?;
                for place in places {
                    function.stores.push((self.place(place)?, values.clone()));
                }
                return Ok(());
            }
            Clause::Calls {
                callback,
                arguments,
            } => {
                let values = |all: &Vec<Value>| all.iter().map(|one| self.value(one)).collect();
                let arguments: Result<_, Fault> = arguments.iter().map(values).collect();
                function.calls.push(CallBack {
                    callback: self.place(callback)?,
                    arguments: arguments?,
                });
                return Ok(());
            }
            Clause::Returns(values) => {
                for value in values {
                    function.returns.push(self.value(value)?);
                }
                return Ok(());
            }
            Clause::Nullable(names) => {
                for name in names {
                    function.nullable.push(self.parameter(name)?);
                }
                return Ok(());
            }
            Clause::Replaces(names) => {
                let keys: Result<_, Fault> = names.iter().map(|one| self.parameter(one)).collect();
                function.replaces = Some(keys?);
                return Ok(());
            }
            Clause::InPlace { sent, received } => {
                function.in_place = Some((self.parameter(sent)?, self.parameter(received)?));
                return Ok(());
            }
            Clause::Roles(words) => {
                for word in words {
                    function.roles.push(self.role(word)?);
                }
                return Ok(());
            }
            Clause::NeverReturns => {
                function.never_returns = true;
                return Ok(());
            }
        };
        for place in places {
            if place.everything && kind == EffectKind::Fills {
                let message = "nothing fills all that can be reached; `writes`?".to_string();
                return Err((place.range.clone(), message));
            }
            let place = self.place(place)?;
            let kind = kind.clone();
            function.effects.push(Effect { kind, place });
        }
        Ok(())
    }

    fn parameter(&self, name: &Text) -> Result<usize, Fault> {
        let parameters = &self.entry.parameters;
        let found = parameters.iter().position(|one| one.text == name.text);
        found.ok_or_else(|| {
            let all = parameters.iter().map(|one| one.text.as_str());
            let message = match nearest(&name.text, all) {
                Some(near) => format!("there is no parameter `{}`; `{near}`?", name.text),
                None => format!("there is no parameter `{}`", name.text),
            };
            (name.range.clone(), message)
        })
    }

    fn state(&self, name: &Text) -> Result<String, Fault> {
        state_of(self.names, name)
    }

    fn role(&self, word: &Text) -> Result<Role, Fault> {
        Role::from_word(&word.text).ok_or_else(|| {
            let near = nearest(&word.text, ROLES.iter().map(|(_, word, _)| *word));
            let message = match near {
                Some(near) => format!("there is no role `{}`; `{near}`?", word.text),
                None => format!("there is no role `{}`", word.text),
            };
            (word.range.clone(), message)
        })
    }

    fn place(&self, place: &cccp_grammar::Place) -> Result<Place, Fault> {
        let root = match &place.root {
            cccp_grammar::Root::Parameter(name) => Root::Parameter(self.parameter(name)?),
            cccp_grammar::Root::Rest if self.entry.variadic => Root::Rest,
            cccp_grammar::Root::Rest => {
                return Err((
                    place.range.clone(),
                    "the function takes no variable arguments".to_string(),
                ));
            }
            cccp_grammar::Root::Returned => Root::Returned,
            cccp_grammar::Root::Hidden(name) => Root::Hidden(self.state(name)?),
        };
        let condition = match &place.condition {
            None => None,
            Some(cccp_grammar::Condition::At(name)) => Some(Condition::At(self.parameter(name)?)),
            Some(cccp_grammar::Condition::Until(name)) => {
                Some(Condition::Until(self.parameter(name)?))
            }
            Some(cccp_grammar::Condition::If(name)) => Some(Condition::If(self.parameter(name)?)),
            Some(cccp_grammar::Condition::Unless(name)) => {
                Some(Condition::Unless(self.parameter(name)?))
            }
            Some(cccp_grammar::Condition::Counting(name)) => {
                Some(Condition::Counting(self.parameter(name)?))
            }
        };
        Ok(Place {
            everything: place.everything,
            root,
            behind: place.stars,
            members: place.members.iter().map(|name| name.text.clone()).collect(),
            extent: place
                .extent
                .as_ref()
                .map(|one| self.extent(one))
                .transpose()?,
            condition,
        })
    }

    fn extent(&self, extent: &cccp_grammar::Extent) -> Result<Extent, Fault> {
        Ok(match extent {
            cccp_grammar::Extent::Terminated => Extent::Terminated,
            cccp_grammar::Extent::Elements(amount) => {
                self.amount(amount)?;
                Extent::Elements(amount.clone())
            }
        })
    }

    /// Every name in an amount is a parameter.
    fn amount(&self, amount: &Amount) -> Result<(), Fault> {
        match amount {
            Amount::Number(_) => Ok(()),
            Amount::Parameter { name, .. } => self.parameter(name).map(|_| ()),
            Amount::Sum(terms) => terms.iter().try_for_each(|(_, term)| self.amount(term)),
            Amount::Product(parts) | Amount::Measure(_, parts) => {
                parts.iter().try_for_each(|part| self.amount(part))
            }
            Amount::Of(count, datatype) => {
                self.parameter(datatype)?;
                self.amount(count)
            }
        }
    }

    fn value(&self, value: &Value) -> Result<Alternative, Fault> {
        Ok(match value {
            Value::New(extent) => {
                Alternative::New(extent.as_ref().map(|one| self.extent(one)).transpose()?)
            }
            Value::Null => Alternative::Null,
            Value::Same(place) => Alternative::Same(self.place(place)?),
            Value::Into(place) => Alternative::Into(self.place(place)?),
        })
    }
}
