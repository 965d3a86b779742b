//! What stands at the entry of a client function, and how a restart finds its way inside it.
//!
//! The entry declares the static description, copies of the parameters, the shadows, temporaries and counters, and
//! links the frame to its caller's. During a restart control goes to `cccp_dispatch` and from there to the block that
//! the library names. Behind `init` control goes to the dispatch, too, from inside of whatever `init` stands in.
//!
//! A table of label addresses serves all compilers that know them; a never-executed guard of plain gotos makes the
//! compiler look at every jump. Functions with regions use a switch, because compilers take every label address of a
//! function for a target of every computed goto in it.

use super::calls::{CALLER, CALLING, FIXED_STACK, NEXT, REPLAYING, TEAM_JOIN, THREAD};
use super::descriptor;
use super::steps::{load_parameters, publish};
use crate::plan::{BlockKind, Dispatch, FunctionPlan, LoopEntry, ResultType, SeenBy};
use std::fmt::Write;

/// The text right after the `{` of the function.
pub fn entry(plan: &FunctionPlan) -> String {
    let mut out = String::from(" ");
    if plan.on_fixed_stack && plan.is_client && plan.name == "main" {
        let result = match plan.result {
            ResultType::Void => "",
            _ => " cccp_m",
        };
        let _ = write!(
            out,
            "{{ int cccp_m; if ({FIXED_STACK}((cccp_code *)main, &cccp_m)) return{result}; }} "
        );
    }
    out.push_str(&descriptor::function(plan));
    if !plan.is_client {
        return out.trim_end().to_string();
    }
    let mut arguments = "0";
    if !plan.parameters.is_empty() {
        let reads: Vec<&str> = plan
            .parameters
            .iter()
            .map(|value| value.read.as_str())
            .collect();
        let _ = write!(
            out,
            "struct cccp_arguments cccp_a = {{{}}}; ",
            reads.join(", ")
        );
        arguments = "&cccp_a";
    }
    let (of_thread, place) = match plan.has_teams {
        true => ("static __thread", "cccp_thread_place"),
        false => ("static", "cccp_place"),
    };
    for (index, block) in plan.blocks.iter().enumerate() {
        if block.kind == BlockKind::Checkpoint && block.stands.is_none() {
            let _ = write!(out, "{of_thread} {place} cccp_n{}; ", index + 1);
            if block.entry == LoopEntry::First {
                let _ = write!(out, "{of_thread} int cccp_k{}; ", index + 1);
            }
        }
    }
    let instances = variables(plan, 0, &mut out);
    let caller = match plan.may_be_called_back {
        true => format!("{CALLER}((cccp_code *){})", plan.name),
        false => CALLING.to_string(),
    };
    let _ = write!(
        out,
        "cccp_frame cccp_f; cccp_f.function = &cccp_here; cccp_f.caller = {caller}; {CALLING} = 0; \
         cccp_f.arguments = {arguments}; cccp_f.instances = {instances}; cccp_f.trace = 0; cccp_f.block = 0;"
    );
    if plan.reaches_init && has_shadows(plan, 0) {
        let _ = write!(out, " {}", zero_shadows());
    }
    if needs_dispatch(plan) {
        // No restart enters `main` but through its `init`: compilers see that what was set before is set.
        let entered = match plan.init.is_some() && plan.name == "main" {
            true => "0",
            false => REPLAYING,
        };
        let _ = write!(out, " if ({entered}) {{ ");
        if has_shadows(plan, 0) {
            let _ = write!(out, "{} {}", zero_shadows(), load_parameters(plan));
        }
        let _ = write!(out, "{} }}", dispatch(plan));
    }
    out
}

fn has_shadows(plan: &FunctionPlan, team: usize) -> bool {
    plan.shadows.iter().any(|shadow| shadow.team == team)
}

/// What an activation has for itself, or a thread in a parallel region. Gives where its loop counters are.
fn variables(plan: &FunctionPlan, team: usize, out: &mut String) -> &'static str {
    if has_shadows(plan, team) {
        out.push_str("struct { ");
        for shadow in plan.shadows.iter().filter(|shadow| shadow.team == team) {
            let _ = write!(out, "{}; ", shadow.declaration.replace('@', &shadow.field));
        }
        out.push_str("} cccp_s; ");
    }
    for temporary in plan.temporaries.iter().filter(|one| one.team == team) {
        let start = if temporary.kept { " = {0}" } else { "" };
        let _ = write!(
            out,
            "{}{start}; ",
            temporary.declaration.replace('@', &temporary.name)
        );
    }
    let instances = match plan.counters {
        0 => "0",
        counters => {
            let _ = write!(out, "unsigned long cccp_i[{counters}] = {{0}}; ");
            "cccp_i"
        }
    };
    if needs_dispatch(plan) {
        out.push_str("int cccp_b; ");
    }
    instances
}

/// What the number of a thread in the team of a parallel block is called.
pub fn number_in(block: usize) -> String {
    format!("cccp_number{block}")
}

/// Whether one thread registers something for all of this parallel block.
fn registers_for_team(plan: &FunctionPlan, block: usize) -> bool {
    let mut items = plan.items.iter();
    items.any(|item| matches!(&item.seen, SeenBy::Teams(teams) if teams.contains(&block)))
}

/// First in a parallel region: a thread finds its way.
pub fn parallel_entry(plan: &FunctionPlan, block: usize) -> String {
    let mut out = String::from("{ cccp_frame cccp_f; ");
    let instances = variables(plan, block, &mut out);
    let own = plan.shadows.iter().filter(|shadow| shadow.team == block);
    let unset: String = own
        .filter(|shadow| shadow.is_unset)
        .map(|shadow| format!("{} = 0; ", shadow.variable))
        .collect();
    if registers_for_team(plan, block) {
        let _ = write!(out, "const int {} = ", number_in(block));
    }
    let _ = write!(
        out,
        "{TEAM_JOIN}(&cccp_w{block}, &cccp_f, &{THREAD}, {instances}, {}); {unset}if (cccp_w{block}.again) {{ ",
        plan.counters
    );
    if has_shadows(plan, block) {
        let _ = write!(out, "{} ", zero_shadows());
    }
    let end = format!("goto cccp_end_{block};");
    let _ = write!(out, "{} }} ", switch(plan, block, &end));
    out
}

/// After `cccp_init`, which is block `init`: what was set before is published, then control goes to the first block.
pub fn after_init(plan: &FunctionPlan, init: usize) -> String {
    let mut out = format!(" if ({REPLAYING}) {{ ");
    if has_shadows(plan, 0) {
        let _ = write!(out, "{} {}", zero_shadows(), publish(plan, &plan.early));
    }
    let _ = write!(out, "goto {}; }}", dispatch_label(plan, init));
    out
}

fn zero_shadows() -> &'static str {
    "__builtin_memset(&cccp_s, 0, sizeof cccp_s);"
}

/// Whether control ever has to find a block.
fn needs_dispatch(plan: &FunctionPlan) -> bool {
    !plan.blocks.is_empty()
}

/// Whether a block of the region jumps back to its dispatch.
fn has_label(plan: &FunctionPlan, region: usize) -> bool {
    plan.blocks.iter().any(|block| {
        block.region == region
            && matches!(
                block.kind,
                BlockKind::Init
                    | BlockKind::Register
                    | BlockKind::Execute
                    | BlockKind::Call
                    | BlockKind::Parallel
            )
    })
}

fn has_inner_regions(plan: &FunctionPlan, region: usize) -> bool {
    plan.blocks
        .iter()
        .any(|block| block.region == region && block.kind == BlockKind::Region)
}

fn targets(plan: &FunctionPlan, region: usize) -> Vec<usize> {
    let of_region = |(index, block): (usize, &crate::plan::Block)| {
        (block.region == region && block.kind != BlockKind::Init).then_some(index + 1)
    };
    plan.blocks
        .iter()
        .enumerate()
        .filter_map(of_region)
        .collect()
}

/// Leaves the function when its activation had returned.
fn give_up(plan: &FunctionPlan) -> String {
    match &plan.result {
        ResultType::Void => "return;".to_string(),
        ResultType::Scalar => "return 0;".to_string(),
        ResultType::Aggregate(ty) => {
            format!("{{ static const {ty} cccp_zero; return cccp_zero; }}")
        }
    }
}

/// What the labels of a region are called behind their names: nothing outside of all regions.
fn suffix(region: usize) -> String {
    match region {
        0 => String::new(),
        region => format!("_{region}"),
    }
}

/// Control goes to the block due, of those in a region, or `otherwise` where none of them is.
fn switch(plan: &FunctionPlan, region: usize, otherwise: &str) -> String {
    let suffix = suffix(region);
    let mut out = String::new();
    if has_label(plan, region) {
        let _ = write!(out, "cccp_dispatch{suffix}: ");
    }
    let _ = write!(out, "cccp_b = {NEXT}(&cccp_f); ");
    if has_inner_regions(plan, region) {
        let _ = write!(out, "cccp_again{suffix}: ");
    }
    out.push_str("switch (cccp_b) { ");
    for number in targets(plan, region) {
        let _ = write!(out, "case {number}: goto {}; ", way(plan, number, 0));
    }
    let _ = write!(out, "default: {otherwise} }}");
    out
}

fn dispatch(plan: &FunctionPlan) -> String {
    if plan.dispatch == Dispatch::Switch {
        return switch(plan, 0, &give_up(plan));
    }
    let targets = targets(plan, 0);
    let label = if has_label(plan, 0) {
        "cccp_dispatch: "
    } else {
        ""
    };
    let mut out = format!(
        "{label}cccp_b = {NEXT}(&cccp_f); if (cccp_b == 0) {{ {} }}",
        give_up(plan)
    );
    if targets.is_empty() {
        return out;
    }
    out.push_str(" if (0) { ");
    for number in &targets {
        let _ = write!(out, "goto {}; ", way(plan, *number, 0));
    }
    out.push_str("} { static const void *const cccp_to[] = {");
    let labels: Vec<String> = (1..=plan.blocks.len())
        .map(|number| {
            if targets.contains(&number) {
                format!("__extension__ &&{}", way(plan, number, 0))
            } else {
                "0".to_string()
            }
        })
        .collect();
    let _ = write!(
        out,
        "{}}}; __extension__ ({{ goto *cccp_to[cccp_b - 1]; }}); }}",
        labels.join(", ")
    );
    out
}

/// The label to which control goes that is on its way to a block, when it has passed some of the registers before it.
pub fn way(plan: &FunctionPlan, block: usize, passed: usize) -> String {
    match plan.blocks[block - 1].held_before.get(passed) {
        Some((register, _)) => format!("cccp_{block}_{register}"),
        None => format!("cccp_{block}"),
    }
}

/// After the declaration of a region: its own dispatch.
pub fn region_dispatch(plan: &FunctionPlan, region: usize) -> String {
    let outer = suffix(plan.blocks[region - 1].region);
    let otherwise = format!("goto cccp_again{outer};");
    format!(
        " if ({REPLAYING}) {{ {} }}",
        switch(plan, region, &otherwise)
    )
}

/// The label of the dispatch that a block goes back to.
pub fn dispatch_label(plan: &FunctionPlan, block: usize) -> String {
    format!("cccp_dispatch{}", suffix(plan.blocks[block - 1].region))
}
