//! The static data of a client function: types, values, blocks, loops, items and the function itself, as C text.
//!
//! Everything is `static const` inside the function, on one line, so that nothing is visible outside and the types of
//! the program are in scope. Every field is written, so that no compiler misses an initialiser.

use crate::plan::{
    Block, BlockKind, Brings, FilePlan, FunctionPlan, Item, MemberEntry, Shape, TypeTable, Value,
};
use std::fmt::Write;

/// `&cccp_type_double` or the address of a described type.
pub fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Named(word) => format!("&cccp_type_{word}"),
        Shape::Table(index) => format!("&cccp_y{index}"),
        Shape::Linked(index) => format!("&cccp_t.y[{index}]"),
        Shape::Elsewhere(name) => format!("&{name}"),
    }
}

/// A C string literal.
pub fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => quoted.push_str("\\\""),
            b'\\' => quoted.push_str("\\\\"),
            b'?' => quoted.push_str("\\?"),
            0x20..=0x7e => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

fn optional_literal(text: Option<&String>) -> String {
    text.map_or_else(|| "0".to_string(), |text| literal(text))
}

/// Types that lead to each other: all in one object, so that each has an address before any of them is complete. The row of
/// each is the result.
fn linked_types(table: &TypeTable, out: &mut String) -> Vec<String> {
    copies(table, out);
    let mut types = Vec::new();
    let mut members = Vec::new();
    for (index, entry) in table.types.iter().enumerate() {
        let from = members.len();
        for (number, member) in entry.members.iter().enumerate() {
            let mask = mask(index, number, member, out);
            members.push(member_row(member, &mask));
        }
        if let Some(target) = &entry.target {
            members.push(format!("{{\"\", {}, 0, 1, 0}}", shape(target)));
        }
        for (block, is_one) in entry.blocks.iter().flatten() {
            let count = i32::from(*is_one);
            members.push(format!("{{\"block\", {}, 0, {count}, 0}}", shape(block)));
        }
        let first = match members.len() > from {
            true => format!("&cccp_t.m[{from}]"),
            false => "0".to_string(),
        };
        types.push(format!(
            "{{CCCP_KIND_{}, {}, {}, {}, {first}}}",
            entry.kind,
            members.len() - from,
            entry.size,
            literal(&entry.name),
        ));
    }
    if members.is_empty() {
        members.push("{0, 0, 0, 0, 0}".to_string());
    }
    let _ = write!(
        out,
        "static const struct {{ cccp_type y[{}]; cccp_member m[{}]; }} cccp_t = {{{{{}}}, {{{}}}}}; ",
        types.len(),
        members.len(),
        types.join(", "),
        members.join(", ")
    );
    types
}

/// Structs that are declared in blocks: all of them may speak of each other.
fn copies(table: &TypeTable, out: &mut String) {
    for copy in &table.copies {
        let _ = write!(out, "{}; ", copy.name);
    }
    for copy in &table.copies {
        let _ = write!(out, "{} ", copy.definition);
    }
}

/// At the end of a file: descriptors that other files name, and the names of functions when no function of the file says them.
pub fn end_of_file(plan: &FilePlan) -> String {
    let mut out = String::new();
    if !plan.described.roots.is_empty() {
        let rows = linked_types(&plan.described.table, &mut out);
        for (name, entry) in &plan.described.roots {
            let _ = write!(out, "const cccp_type {name} = {}; ", rows[*entry]);
        }
    }
    if !plan.names.is_empty() {
        let row = names(&plan.names, &mut out);
        let _ = write!(
            out,
            "static const cccp_function cccp_here = {{\"\", {}, 0, 0, 0, 0, 0, 0, {}, 0, 0, 0, 0, 0, 0, {row}}}; {LISTED}",
            literal(&plan.file),
            plan.names.len()
        );
    }
    // A header may be included by several files, each of which then defines it.
    let weak = match plan.file.ends_with(".c") {
        true => "",
        false => " __attribute__((weak))",
    };
    for function in plan.functions.iter().filter(|one| one.defined_here) {
        let name = &function.name;
        let _ = write!(out, "extern __typeof__({name}) {name}{weak}; ");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// In front of a file: descriptors that some file has.
pub fn elsewhere(names: &[String]) -> String {
    let one = |name: &String| format!("extern const cccp_type {name}; ");
    let mut all: String = names.iter().map(one).collect();
    if !all.is_empty() {
        all.push('\n');
    }
    all
}

/// The object that shows where a bit-field is.
fn mask(index: usize, number: usize, member: &MemberEntry, out: &mut String) -> String {
    let Some(mask_type) = &member.mask else {
        return "0".to_string();
    };
    let _ = write!(
        out,
        "static const {mask_type} cccp_k{index}_{number} = {{.{} = -1}}; ",
        member.name
    );
    format!("&cccp_k{index}_{number}")
}

fn member_row(member: &MemberEntry, mask: &str) -> String {
    format!(
        "{{{}, {}, {}, {}, {mask}}}",
        literal(&member.name),
        shape(&member.shape),
        member.offset,
        member.count
    )
}

/// Descriptors of the types in the table.
pub fn types(table: &TypeTable, linked: bool, out: &mut String) {
    if linked && !table.types.is_empty() {
        linked_types(table, out);
        return;
    }
    copies(table, out);
    for (index, entry) in table.types.iter().enumerate() {
        let mut members = String::from("0");
        if !entry.members.is_empty() {
            members = format!("cccp_m{index}");
            let mut rows = Vec::new();
            for (number, member) in entry.members.iter().enumerate() {
                let mask = mask(index, number, member, out);
                rows.push(member_row(member, &mask));
            }
            let _ = write!(
                out,
                "static const cccp_member cccp_m{index}[] = {{{}}}; ",
                rows.join(", ")
            );
        }
        let _ = write!(
            out,
            "static const cccp_type cccp_y{index} = {{CCCP_KIND_{}, {}, {}, {}, {members}}}; ",
            entry.kind,
            entry.members.len(),
            entry.size,
            literal(&entry.name),
        );
    }
}

/// `struct tag { fields };`
fn record(tag: &str, values: &[Value], out: &mut String) {
    let _ = write!(out, "struct {tag} {{ ");
    for value in values {
        let _ = write!(out, "{}; ", value.declaration.replace('@', &value.name));
    }
    out.push_str("}; ");
}

fn values(name: &str, tag: &str, values: &[Value], out: &mut String) {
    let rows: Vec<String> = values
        .iter()
        .map(|value| {
            format!(
                "{{{}, {}, __builtin_offsetof(struct {tag}, {}), {}}}",
                literal(&value.name),
                shape(&value.shape),
                value.name,
                match (value.unread, value.read_by_blocks) {
                    (true, _) => "CCCP_VALUE_UNREAD",
                    (false, true) => "CCCP_VALUE_READ_BY_BLOCKS",
                    (false, false) => "0",
                }
            )
        })
        .collect();
    let _ = write!(
        out,
        "static const cccp_value {name}[] = {{{}}}; ",
        rows.join(", ")
    );
}

fn block_row(number: usize, block: &Block) -> String {
    let kind = match block.kind {
        BlockKind::Init => "INIT",
        BlockKind::Register => "REGISTER",
        BlockKind::Execute if block.each => "EXECUTE_EACH",
        BlockKind::Execute => "EXECUTE",
        BlockKind::Call => "CALL",
        BlockKind::Region => "REGION",
        BlockKind::Checkpoint => "CHECKPOINT",
        BlockKind::Parallel => "PARALLEL",
    };
    let (rows, size) = if block.values.is_empty() {
        ("0".to_string(), "0".to_string())
    } else {
        (
            format!("cccp_v{number}"),
            format!("sizeof(struct cccp_record{number})"),
        )
    };
    format!(
        "{{CCCP_BLOCK_{kind}, {}, {}, {}, {}, {}, {rows}, {size}, {}, {}, {}}}",
        block.line,
        block.in_loop,
        // Inside of a parallel region each thread has a frame of its own.
        match block.region {
            region if region == block.team => 0,
            region => region,
        },
        optional_literal(block.name.as_ref()),
        block.values.len(),
        if block.passed == 0 {
            "0".to_string()
        } else {
            format!("{:#x}ull", block.passed)
        },
        optional_literal(block.ranks.as_ref()),
        optional_literal(block.threads.as_ref()),
    )
}

fn item_row(number: usize, item: &Item) -> String {
    let mut flags = Vec::new();
    for (set, flag) in [
        (item.behind, "CCCP_ITEM_BEHIND"),
        (item.local, "CCCP_ITEM_LOCAL"),
        (item.local_pointer, "CCCP_ITEM_LOCAL_POINTER"),
        (item.unset_pointer, "CCCP_UNSET_POINTER"),
        (item.indirect, "CCCP_ITEM_INDIRECT"),
        (item.brings == Brings::Block, "CCCP_ITEM_WHOLE"),
        (item.brings == Brings::Everything, "CCCP_ITEM_FOLLOW"),
        (item.brings == Brings::File, "CCCP_ITEM_FILE"),
    ] {
        if set {
            flags.push(flag);
        }
    }
    let flags = if flags.is_empty() {
        "0".to_string()
    } else {
        flags.join(" | ")
    };
    let holds = match (item.begins, item.holds) {
        (true, _) => "CCCP_HOLDS_BLOCK".to_string(),
        (false, holds) => holds.unwrap_or(0).to_string(),
    };
    format!(
        "{{{}, {}, {flags}, {}, {}, {}, {}, cccp_e{number}, {holds}}}",
        literal(&item.name),
        item.line,
        item.block,
        shape(&item.shape),
        item.extents.len(),
        i32::from(item.sized)
    )
}

fn table(kind: &str, name: &str, rows: &[String], out: &mut String) -> String {
    if rows.is_empty() {
        return "0".to_string();
    }
    let _ = write!(
        out,
        "static const {kind} {name}[] = {{{}}}; ",
        rows.join(", ")
    );
    name.to_string()
}

/// What makes a descriptor known.
const LISTED: &str = "static const cccp_function *const cccp_listed __attribute__((section(\"cccp_functions\"), used)) = \
                      &cccp_here; ";

/// The names of functions whose address may be saved.
fn names(names: &[(String, String)], out: &mut String) -> String {
    let row = |(known, name): &(String, String)| {
        format!("{{{}, (void (*)(void)){name}}}", literal(known))
    };
    let rows: Vec<String> = names.iter().map(row).collect();
    table("cccp_function_name", "cccp_names", &rows, out)
}

/// Everything static that the function needs, ending with `cccp_here`, its descriptor.
pub fn function(plan: &FunctionPlan) -> String {
    let mut out = String::new();
    types(&plan.types, plan.linked, &mut out);
    let (mut parameters, mut size) = ("0".to_string(), "0".to_string());
    if !plan.parameters.is_empty() {
        record("cccp_arguments", &plan.parameters, &mut out);
        values(
            "cccp_parameters",
            "cccp_arguments",
            &plan.parameters,
            &mut out,
        );
        parameters = "cccp_parameters".to_string();
        size = "sizeof(struct cccp_arguments)".to_string();
    }
    for (index, block) in plan.blocks.iter().enumerate() {
        if !block.values.is_empty() {
            let tag = format!("cccp_record{}", index + 1);
            record(&tag, &block.values, &mut out);
            values(
                &format!("cccp_v{}", index + 1),
                &tag,
                &block.values,
                &mut out,
            );
        }
    }
    let rows: Vec<String> = plan
        .blocks
        .iter()
        .enumerate()
        .map(|(index, block)| block_row(index + 1, block))
        .collect();
    let blocks = table("cccp_block", "cccp_blocks", &rows, &mut out);
    let rows: Vec<String> = plan
        .loops
        .iter()
        .map(|one| {
            let counter = one
                .counter
                .map_or_else(|| "-1".to_string(), |counter| counter.to_string());
            format!("{{{}, {counter}, {}}}", one.parent, i32::from(one.prunable))
        })
        .collect();
    let loops = table("cccp_loop", "cccp_loops", &rows, &mut out);
    for (number, item) in plan.items.iter().enumerate() {
        let rows: Vec<String> = std::iter::once(&item.first)
            .chain(&item.extents)
            .map(|extent| {
                let value = extent.value.unwrap_or(0);
                let constant = i32::from(extent.value.is_some());
                format!("{{{}, {value}, {constant}}}", literal(&extent.shown))
            })
            .collect();
        table("cccp_extent", &format!("cccp_e{number}"), &rows, &mut out);
    }
    let rows: Vec<String> = plan
        .items
        .iter()
        .enumerate()
        .map(|(number, item)| item_row(number, item))
        .collect();
    let items = table("cccp_item", "cccp_items", &rows, &mut out);
    let _ = write!(
        out,
        "static const cccp_function cccp_here = {{{}, {}, {}, {:#018x}ull, {}, {}, {}, {}, 0, {}, {blocks}, {loops}, \
         {items}, {parameters}, {size}, 0}}; ",
        literal(&plan.name),
        literal(&plan.file),
        plan.line,
        plan.fingerprint,
        plan.blocks.len(),
        plan.loops.len(),
        plan.items.len(),
        plan.parameters.len(),
        plan.counters,
    );
    out.push_str(LISTED);
    out
}
