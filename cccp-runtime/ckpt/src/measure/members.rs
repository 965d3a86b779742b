//! Which scalar of an element belongs to which member.
//!
//! All elements of an array member belong together: `position[0]` and `position[1]` are both `position`, and the members
//! of an array of structs are those of all its elements.

use cccp::format::{Kind, Type};

/// Members that are told apart; what comes after them is not measured.
const MOST_MEMBERS: usize = 256;
/// Changes from one member to the next within an element; a type with more is measured as a whole.
const MOST_RUNS: usize = 1 << 16;

/// The scalars of an element by members.
pub struct Members {
    /// Their names; one without a name when the element is a scalar.
    pub names: Vec<String>,
    /// So many scalars in a row belong to this member; the sum is the number of scalars of an element.
    pub runs: Vec<(u64, usize)>,
}

impl Members {
    /// Of a type.
    pub fn of(types: &[Type], type_index: u32, scalars: u64) -> Members {
        let mut members = Members {
            names: Vec::new(),
            runs: Vec::new(),
        };
        let mut place = Vec::new();
        if members.walk(types, type_index, 1, &mut place).is_none() || members.names.is_empty() {
            members.names = vec![String::new()];
            members.runs = vec![(scalars, 0)];
        }
        members
    }

    /// None when it becomes too much.
    fn walk(
        &mut self,
        types: &[Type],
        type_index: u32,
        count: u64,
        path: &mut Vec<String>,
    ) -> Option<()> {
        let kind = &types[type_index as usize];
        match kind.kind {
            Kind::Handle => {}
            Kind::Struct => {
                for _ in 0..count {
                    let before = self.runs.len();
                    for member in &kind.members {
                        let named = !member.name.is_empty();
                        if named {
                            path.push(member.name.clone());
                        }
                        let done = match member.bits {
                            Some(_) => self.push(path, 1),
                            None => self.walk(types, member.type_index, member.count, path),
                        };
                        if named {
                            path.pop();
                        }
                        done?;
                    }
                    // Nothing of it is saved, however often it stands there.
                    if self.runs.len() == before {
                        break;
                    }
                }
            }
            _ if kind.size == 0 || count == 0 => {}
            _ => self.push(path, count)?,
        }
        Some(())
    }

    fn push(&mut self, path: &[String], count: u64) -> Option<()> {
        let name = path.join(".");
        let member = match self.names.iter().position(|known| *known == name) {
            Some(member) => member,
            None => {
                self.names.push(name);
                self.names.len() - 1
            }
        };
        self.runs.push((count, member));
        (self.runs.len() <= MOST_RUNS && self.names.len() <= MOST_MEMBERS).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cccp::format::Member;

    #[test]
    fn array_members_belong_together() {
        let plain = |name: &str, kind, size, members| Type {
            name: name.to_string(),
            kind,
            size,
            members,
        };
        let member = |name: &str, type_index, offset, count| Member {
            name: name.to_string(),
            type_index,
            offset,
            count,
            bits: None,
        };
        let types = [
            plain("double", Kind::Double, 8, vec![]),
            plain(
                "struct point",
                Kind::Struct,
                16,
                vec![member("x", 0, 0, 1), member("y", 0, 8, 1)],
            ),
            plain(
                "struct path",
                Kind::Struct,
                56,
                vec![member("points", 1, 0, 3), member("length", 0, 48, 1)],
            ),
        ];
        let members = Members::of(&types, 2, 7);
        assert_eq!(members.names, ["points.x", "points.y", "length"]);
        assert_eq!(members.runs.iter().map(|run| run.0).sum::<u64>(), 7);
        assert_eq!(Members::of(&types, 0, 1).names, [""]);
    }
}
