//! How each step of a Plan is spelt in C.
//!
//! Every block has two faces: what happens in a normal run, and what stands behind its label inside `if (0) { … }`,
//! reached only during a restart. The second one loads the shadowed variables first and leaves by a jump to the
//! dispatch, so that no compiler sees a path from a label into code whose variables were never set, except where a
//! restart really ends: at checkpoints and behind calls that may lead to one.

use super::calls::{
    ARGUMENT, AWAIT, BARRIER, CALL_END, CALLING, CALLS, CHECKPOINT, DUE, ENDS, EXECUTE,
    HAS_ARGUMENT, IN_BLOCK, INIT, INIT_MPI, LOCK, MASKED, NEXT, PASS, POISON, REGISTER,
    REGISTER_BEGIN, REPLAYING, RESUME, SAVE, SHUTDOWN, SINGLE, STRAY, TARGET, TEAM_AGAIN,
    TEAM_BEGIN, TEAM_END, TEAM_LEAVE, TEAM_LINE, TEAM_THREADS, THREAD, TICK, TURNS, UNREGISTER,
    VALUES,
};
use super::descriptor::{literal, shape};
use super::entry::{
    after_init, dispatch_label, entry, number_in, parallel_entry, region_dispatch, way,
};
use crate::plan::{
    Again, BlockKind, BlockNumber, CallStep, Communicator, Extent, FunctionPlan, LoopEntry, SeenBy,
    Stands, Step, Value,
};
use std::fmt::Write;

/// The C text of steps; all but plain text need the plan of their function.
pub fn print(steps: &[Step], plan: Option<&FunctionPlan>) -> String {
    let mut out = String::new();
    for step in steps {
        print_one(step, plan, &mut out);
    }
    out
}

fn print_one(step: &Step, plan: Option<&FunctionPlan>, out: &mut String) {
    match (step, plan) {
        (Step::Text(text), _) => out.push_str(text),
        (
            Step::If {
                condition,
                then,
                otherwise,
            },
            plan,
        ) => {
            let _ = write!(
                out,
                "if ({condition}) {{ {} }} ",
                print(then, plan).trim_end()
            );
            if !otherwise.is_empty() {
                let _ = write!(out, "else {{ {} }} ", print(otherwise, plan).trim_end());
            }
        }
        (Step::Set { name, value }, Some(plan)) => out.push_str(&set(plan, name, value)),
        (Step::Macros(_), _) | (_, None) => {}
        (Step::Entry, Some(plan)) => out.push_str(&entry(plan)),
        (
            Step::Init {
                block,
                arguments,
                communicator,
            },
            Some(plan),
        ) => {
            init(plan, *block, arguments, communicator, out);
        }
        (Step::Register { block, items }, Some(plan)) => register(plan, *block, items, out),
        (Step::Resident { item }, Some(plan)) => resident(plan, *item, out),
        (Step::Unregister { names, team }, Some(plan)) => {
            for name in names {
                let own = plan.items.iter().filter(|item| item.name == *name);
                let mut flags = own.filter_map(|item| item.flag.as_ref());
                if let Some(flag) = flags.find(|flag| plan.has_in_team(flag, *team)) {
                    let _ = write!(out, "{flag} = 0; ");
                }
                let _ = write!(out, "{UNREGISTER}(&cccp_f, {}); ", literal(name));
            }
        }
        (
            Step::Checkpoint {
                block,
                every,
                condition,
                goes_on,
            },
            Some(plan),
        ) => {
            let clauses = (every.as_deref(), condition.as_deref());
            checkpoint(plan, *block, clauses, *goes_on, out);
        }
        (Step::Await, Some(plan)) => {
            if plan.has_teams {
                // The semicolon: behind a loop without braces compilers take it for a part of that.
                let _ = write!(out, " ; if ({THREAD}.saved) {{ {AWAIT}(&{THREAD}); }} ");
            }
        }
        (Step::Stand { block }, Some(plan)) => {
            let facts = &plan.blocks[block - 1];
            let stand = match facts.stands {
                Some(Stands::Lock) => LOCK,
                _ => BARRIER,
            };
            let _ = write!(
                out,
                "{}{}{stand}(&cccp_f, {block}, &{THREAD}); ",
                publish(plan, &facts.publish),
                resume(plan, *block, "")
            );
        }
        (Step::OneThread { number: None }, _) => {
            let _ = write!(out, "{{ if ({SINGLE}(&{THREAD})) ");
        }
        (
            Step::OneThread {
                number: Some(number),
            },
            _,
        ) => {
            let _ = write!(out, "{{ if ({MASKED}({number})) ");
        }
        (Step::CountConstruct, _) => {
            let _ = write!(out, " ++{THREAD}.constructs; ");
        }
        (Step::ComingBack { block }, _) => {
            let _ = write!(out, "cccp_k{block} || ");
        }
        (Step::Resume { block, step }, Some(plan)) => out.push_str(&resume(plan, *block, step)),
        (Step::ExecuteBegin { block }, Some(plan)) => {
            record_block(plan, *block, None, out);
            if plan.notes_handles {
                let _ = write!(out, "{IN_BLOCK}(1); ");
            }
        }
        (Step::RegionBegin { block }, Some(plan)) => record_block(plan, *block, None, out),
        (
            Step::ParallelBegin {
                block,
                is_line,
                clauses,
                threads,
                condition,
            },
            Some(plan),
        ) => {
            parallel_begin(plan, *block, out);
            if *is_line {
                let _ = write!(out, "{TEAM_LINE}(&cccp_w{block}); ");
            }
            parallel_directive(
                *block,
                clauses,
                threads.as_deref(),
                condition.as_deref(),
                out,
            );
        }
        (Step::ParallelEnter { block }, Some(plan)) => out.push_str(&parallel_entry(plan, *block)),
        (Step::ParallelEnd { block }, Some(plan)) => parallel_end(plan, *block, out),
        (Step::Keep { block }, Some(plan)) => {
            record_block(plan, *block, Some(dispatch_label(plan, *block)), out)
        }
        (
            Step::ExecuteEnd {
                block,
                publish: shadows,
            },
            Some(plan),
        ) => {
            let _ = write!(
                out,
                "{}if ({REPLAYING}) {{ {}goto {}; }} ",
                end_block(plan),
                publish(plan, shadows),
                dispatch_label(plan, *block)
            );
        }
        (
            Step::ExecuteLeave {
                block,
                of,
                publish: shadows,
            },
            Some(plan),
        ) => {
            let (again, dispatch) = (publish(plan, shadows), dispatch_label(plan, *block));
            let _ = write!(
                out,
                "{}if (0) {{ cccp_{block}: {STRAY}(&cccp_f, {of}); }} \
                 if ({REPLAYING}) {{ if ({NEXT}(&cccp_f) != {block}) {{ {STRAY}(&cccp_f, {of}); }} \
                 {VALUES}(&cccp_f, {block}, 0); {again}goto {dispatch}; }} {EXECUTE}(&cccp_f, {block}, 0); ",
                end_block(plan)
            );
        }
        (Step::RegionEnd { block }, Some(plan)) => out.push_str(&region_dispatch(plan, *block)),
        (Step::Shutdown { publish: shadows }, Some(plan)) => {
            let _ = write!(out, "{}{SHUTDOWN}(&cccp_f); ", publish(plan, shadows));
        }
        (Step::Call(call), Some(plan)) => print_call(plan, call, out),
        (Step::EndScope { items }, Some(plan)) => {
            for &index in items {
                let item = &plan.items[index];
                if let Some(flag) = &item.flag {
                    let _ = write!(
                        out,
                        "if ({flag}) {{ {flag} = 0; {UNREGISTER}(&cccp_f, {}); }} ",
                        literal(&item.name)
                    );
                }
            }
        }
        (Step::CountLoop { counter }, Some(_)) => {
            let _ = write!(out, "++cccp_i[{counter}]; ");
        }
        (Step::CountTurn, Some(plan)) => {
            let _ = match plan.has_teams {
                // The initial thread speaks for all.
                true => write!(out, "if ({THREAD}.number == 0) {{ ++{TURNS}; }} "),
                false => write!(out, "++{TURNS}; "),
            };
        }
    }
}

/// A variable of the generated code gets a value.
fn set(plan: &FunctionPlan, name: &str, value: &str) -> String {
    let mut temporaries = plan.temporaries.iter();
    match temporaries.any(|one| one.name == name && one.is_const_inside) {
        true => format!(
            "{{ __typeof__({name}) cccp_v = {value}; __builtin_memcpy((void *)&{name}, &cccp_v, sizeof {name}); }} "
        ),
        false => format!("{name} = {value}; "),
    }
}

/// The row of a static object, and what the linker collects: declarations, no code.
fn resident(plan: &FunctionPlan, item: usize, out: &mut String) {
    let object = &plan.items[item].address;
    let _ = write!(
        out,
        "static const cccp_resident cccp_r{item} = {{&cccp_here, {item}, {object}}}; \
         static const cccp_resident *const cccp_l{item} CCCP_RESIDENT = &cccp_r{item}; "
    );
}

/// Copies variables into the shadows.
pub fn publish(plan: &FunctionPlan, shadows: &[usize]) -> String {
    let mut out = String::new();
    for &index in shadows {
        let shadow = &plan.shadows[index];
        let (field, variable) = (&shadow.field, &shadow.variable);
        if shadow.array {
            let _ = write!(
                out,
                "__builtin_memcpy(&cccp_s.{field}, &{variable}, sizeof cccp_s.{field}); "
            );
        } else if shadow.opaque {
            let _ = write!(out, "cccp_s.{field} = (void *){variable}; ");
        } else {
            let _ = write!(out, "cccp_s.{field} = {variable}; ");
        }
    }
    out
}

/// Copies shadows into the variables.
pub fn load(plan: &FunctionPlan, shadows: &[usize]) -> String {
    let mut out = String::new();
    for &index in shadows {
        let shadow = &plan.shadows[index];
        let (field, variable) = (&shadow.field, &shadow.variable);
        if shadow.constant {
            continue;
        }
        if shadow.array {
            let _ = write!(
                out,
                "__builtin_memcpy(&{variable}, &cccp_s.{field}, sizeof cccp_s.{field}); "
            );
        } else {
            let _ = write!(out, "{variable} = cccp_s.{field}; ");
        }
    }
    out
}

/// At the entry of a restart the parameters are right already.
pub fn load_parameters(plan: &FunctionPlan) -> String {
    let parameters: Vec<usize> = (0..plan.shadows.len())
        .filter(|&index| plan.shadows[index].parameter)
        .collect();
    publish(plan, &parameters)
}

/// What every label begins with.
fn arrive(plan: &FunctionPlan, block: BlockNumber) -> String {
    let facts = &plan.blocks[block - 1];
    let mut out = load(plan, &facts.load);
    for (variable, value) in &facts.constants {
        let _ = write!(out, "{variable} = {value}; ");
    }
    for variable in &facts.silence {
        let _ = write!(out, "{variable} = 0; ");
    }
    out.push_str(&hold(&facts.held));
    out
}

/// For a compiler variables live where their addresses are used.
fn hold(variables: &[String]) -> String {
    let all = variables.iter();
    all.map(|one| format!("(void)*(const volatile char *)&{one}; "))
        .collect()
}

/// Restarts come by on their way to other blocks, and name what is hidden there.
fn passed(plan: &FunctionPlan, register: BlockNumber, out: &mut String) {
    for (index, block) in plan.blocks.iter().enumerate() {
        let mut places = block.held_before.iter().enumerate();
        if let Some((at, (_, names))) = places.find(|(_, (one, _))| *one == register) {
            let number = index + 1;
            let (here, next) = (way(plan, number, at), way(plan, number, at + 1));
            let _ = write!(out, "if (0) {{ {here}: {}goto {next}; }} ", hold(names));
        }
    }
}

/// What nothing restores holds values that show.
fn poison(plan: &FunctionPlan, block: BlockNumber) -> String {
    let facts = &plan.blocks[block - 1];
    let variables = facts.poisoned.iter();
    let all: String = variables
        .map(|one| format!("{POISON}((void *)&{one}, sizeof {one}); "))
        .collect();
    match facts.kind {
        BlockKind::Call | BlockKind::Parallel if !all.is_empty() => {
            format!("if ({ENDS}(&cccp_f)) {{ {all}}} ")
        }
        _ => all,
    }
}

fn init(
    plan: &FunctionPlan,
    block: BlockNumber,
    arguments: &str,
    communicator: &Communicator,
    out: &mut String,
) {
    match communicator {
        Communicator::Alone => {
            let _ = write!(out, "{INIT}(&cccp_f, {block}, {arguments});");
        }
        Communicator::World => {
            let _ = write!(out, "{INIT_MPI}(&cccp_f, {block}, {arguments}, 0);");
        }
        Communicator::Expression(communicator) => {
            let _ = write!(
                out,
                "{{ MPI_Comm cccp_comm = ({communicator}); {INIT_MPI}(&cccp_f, {block}, {arguments}, &cccp_comm); }}"
            );
        }
    }
    out.push_str(&after_init(plan, block));
    out.push(' ');
}

/// An extent on restart, where only the compiler knows whether it is a constant.
fn if_constant(extent: &Extent) -> String {
    match (extent.value, extent.opaque) {
        (Some(value), _) => value.to_string(),
        (None, true) => format!(
            "__builtin_constant_p({0}) ? {0} : (cccp_count)-1",
            extent.text
        ),
        (None, false) => "(cccp_count)-1".to_string(),
    }
}

fn register(plan: &FunctionPlan, block: BlockNumber, items: &[usize], out: &mut String) {
    let facts = &plan.blocks[block - 1];
    let line = |index: usize, extents: &str| {
        let item = &plan.items[index];
        format!(
            "{REGISTER}(&cccp_f, {index}, {}, {}, {}, {}, {extents}); {}",
            shape(&item.shape),
            item.address,
            item.first.text,
            item.extents.len(),
            item.flag
                .as_ref()
                .map_or_else(String::new, |flag| format!("{flag} = 1; "))
        )
    };
    let _ = write!(
        out,
        "{}{REGISTER_BEGIN}(&cccp_f, {block}); ",
        publish(plan, &facts.publish)
    );
    let extents = |index: usize| {
        let extents = &plan.items[index].extents;
        if extents.is_empty() {
            return "0".to_string();
        }
        let texts: Vec<&str> = extents.iter().map(|extent| extent.text.as_str()).collect();
        format!("(const cccp_count[]){{{}}}", texts.join(", "))
    };
    // What several threads see is registered by one of them.
    let once = |index: usize, text: String| match &plan.items[index].seen {
        SeenBy::All if plan.has_teams => format!("if ({THREAD}.number == 0) {{ {text}}} "),
        SeenBy::Teams(teams) => {
            let first: Vec<String> = { teams.iter() }
                .map(|team| format!("{} == 0", number_in(*team)))
                .collect();
            format!("if ({}) {{ {text}}} ", first.join(" && "))
        }
        SeenBy::All | SeenBy::Itself => text,
    };
    for &index in items {
        out.push_str(&once(index, line(index, &extents(index))));
    }
    let _ = write!(
        out,
        "if (0) {{ cccp_{block}: {}{REGISTER_BEGIN}(&cccp_f, {block}); ",
        arrive(plan, block)
    );
    for &index in items {
        let item = &plan.items[index];
        if item.sized {
            out.push_str(&once(index, line(index, &extents(index))));
        } else if item.extents.iter().any(|extent| extent.opaque) {
            let row: Vec<String> = item.extents.iter().map(if_constant).collect();
            let text = format!(
                "{{ static const cccp_count cccp_x[] = {{{}}}; {}}} ",
                row.join(", "),
                line(index, "cccp_x")
            );
            out.push_str(&once(index, text));
        } else {
            out.push_str(&once(index, line(index, "0")));
        }
        if let Some(shadow) = plan.items[index].reload {
            out.push_str(&load(plan, &[shadow]));
        }
    }
    let _ = write!(out, "goto {}; }} ", dispatch_label(plan, block));
    passed(plan, block, out);
}

fn checkpoint(
    plan: &FunctionPlan,
    block: BlockNumber,
    (every, condition): (Option<&str>, Option<&str>),
    goes_on: bool,
    out: &mut String,
) {
    let facts = &plan.blocks[block - 1];
    let condition = condition.map_or_else(String::new, |text| format!("({text}) && "));
    let every = every.unwrap_or("0");
    // What is not a number may be another one at each call.
    let is_number = every.bytes().all(|digit| digit.is_ascii_digit());
    let look = match is_number {
        true => format!(" >= cccp_n{block}.look) | {DUE}"),
        false => ")".to_string(),
    };
    let due = match (plan.has_teams, is_number) {
        (true, true) => format!(
            "{condition}((int)(++{THREAD}.passed >= {THREAD}.stop) | (int)(++cccp_n{block}.calls >= cccp_n{block}.look) | \
             (int)(cccp_n{block}.region != {THREAD}.region) | {DUE}) && {PASS}(&cccp_f, {block}, &cccp_n{block}, {every}, &{THREAD})"
        ),
        (true, false) => format!(
            "{condition}(++{THREAD}.passed, ++cccp_n{block}.calls, {PASS}(&cccp_f, {block}, &cccp_n{block}, {every}, &{THREAD}))"
        ),
        (false, _) => format!(
            "{condition}(++{CALLS}, (++cccp_n{block}.calls{look}) && {TICK}(&cccp_n{block}, {every})"
        ),
    };
    let publish = publish(plan, &facts.publish);
    let take = match goes_on && plan.has_teams {
        true => format!("{publish}{SAVE}(&cccp_f, {block}, &{THREAD}); "),
        false => format!("{publish}{CHECKPOINT}(&cccp_f, {block}); "),
    };
    match facts.entry {
        LoopEntry::First => {
            // Also where no checkpoint is due: the loop's condition looks at it, too.
            let _ = write!(
                out,
                "if (cccp_k{block}) {{ cccp_k{block} = 0; }} else if ({due}) {{ {take}}} "
            );
        }
        LoopEntry::Last => {
            let _ = write!(out, "if ({due}) {{ {take}}} ");
        }
        LoopEntry::Here => {
            let _ = write!(out, "if ({due}) {{ {take}}} {}", resume(plan, block, ""));
        }
    }
}

/// Where a restart ends.
fn resume(plan: &FunctionPlan, block: BlockNumber, step: &str) -> String {
    let skip = match plan.blocks[block - 1].entry {
        LoopEntry::First => format!("cccp_k{block} = 1; "),
        _ => String::new(),
    };
    format!(
        "if (0) {{ cccp_{block}: {}{RESUME}(&cccp_f, {block}); {}{skip}{step}}} ",
        poison(plan, block),
        arrive(plan, block)
    )
}

/// Before the directive of a parallel region.
fn parallel_begin(plan: &FunctionPlan, block: BlockNumber, out: &mut String) {
    let facts = &plan.blocks[block - 1];
    let _ = write!(
        out,
        "{{ cccp_team cccp_w{block}; {}{TEAM_BEGIN}(&cccp_w{block}, &cccp_f, {block}); if (0) {{ cccp_{block}: {}{}{TEAM_AGAIN}(&cccp_w{block}, &cccp_f, {block}); }} ",
        publish(plan, &facts.publish),
        poison(plan, block),
        arrive(plan, block)
    );
}

/// The directive, with as many threads on restart as the region had.
fn parallel_directive(
    block: BlockNumber,
    clauses: &str,
    threads: Option<&str>,
    condition: Option<&str>,
    out: &mut String,
) {
    let team = format!("cccp_w{block}");
    let threads = match threads {
        Some(threads) => format!("{team}.again ? {team}.threads : ({threads})"),
        None => format!("{TEAM_THREADS}(&{team})"),
    };
    let mut text = format!("parallel {clauses} num_threads({threads}) shared({team})");
    if let Some(condition) = condition {
        let _ = write!(
            text,
            " if({team}.again ? {team}.threads > 1 : ({condition}))"
        );
    }
    // The operator undoes these two and nothing else (C99 6.10.9).
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = write!(out, "_Pragma(\"omp {text}\") ");
}

/// The end of the region, and what follows.
fn parallel_end(plan: &FunctionPlan, block: BlockNumber, out: &mut String) {
    let _ = write!(
        out,
        " cccp_end_{block}: {TEAM_LEAVE}(&cccp_w{block}, &cccp_f, &{THREAD}); }} {TEAM_END}(&cccp_w{block}, &{THREAD}); \
         if ({REPLAYING}) {{ goto {}; }} if (cccp_w{block}.again) {{ {}}} }}",
        dispatch_label(plan, block),
        load(plan, &plan.blocks[block - 1].load)
    );
}

fn read_values(values: &[Value]) -> String {
    values
        .iter()
        .map(|value| value.read.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Handles that are made from here on belong to no execute block.
fn end_block(plan: &FunctionPlan) -> String {
    match plan.notes_handles {
        true => format!("{IN_BLOCK}(0); "),
        false => String::new(),
    }
}

/// Execute and region blocks, and internal ones that end at once.
fn record_block(plan: &FunctionPlan, block: BlockNumber, then: Option<String>, out: &mut String) {
    let facts = &plan.blocks[block - 1];
    out.push_str(&publish(plan, &facts.publish));
    let restart = if facts.values.is_empty() {
        let _ = write!(out, "{EXECUTE}(&cccp_f, {block}, 0); ");
        format!("{VALUES}(&cccp_f, {block}, 0); ")
    } else {
        let _ = write!(
            out,
            "{{ struct cccp_record{block} cccp_r = {{{}}}; {EXECUTE}(&cccp_f, {block}, &cccp_r); }} ",
            read_values(&facts.values)
        );
        let mut restart =
            format!("{{ struct cccp_record{block} cccp_r; {VALUES}(&cccp_f, {block}, &cccp_r); ");
        for value in &facts.values {
            restart.push_str(&set(plan, &value.name, &format!("cccp_r.{}", value.name)));
        }
        restart.push_str("} ");
        restart
    };
    let leave = then.map_or_else(String::new, |label| format!("goto {label}; "));
    let _ = write!(
        out,
        "if (0) {{ cccp_{block}: {}{restart}{leave}}} ",
        arrive(plan, block)
    );
}

fn call_end() -> String {
    format!("cccp_f.block = 0; {CALLING} = 0; if (cccp_f.trace) {{ {CALL_END}(&cccp_f); }} ")
}

/// The callee on restart: through a pointer, the function that the original run called.
fn callee_again(call: &CallStep) -> String {
    match call.through_pointer {
        true => format!("((__typeof__(&*({0}))){TARGET}(&cccp_f))", call.callee),
        false => call.callee.clone(),
    }
}

fn print_call(plan: &FunctionPlan, call: &CallStep, out: &mut String) {
    let block = call.block;
    debug_assert_eq!(plan.blocks[block - 1].kind, BlockKind::Call);
    let facts = &plan.blocks[block - 1];
    let made = |text: String| match &call.result {
        Some(name) => set(plan, name, &text),
        None => format!("{text}; "),
    };
    // Compilers take arguments of calls off the stack late, but for the end of a piece of code without branches: here it is as it is
    // where a restart makes the call.
    let level = match plan.on_fixed_stack {
        true => format!("if ({REPLAYING}) __asm__ __volatile__ (\"\"); "),
        false => String::new(),
    };
    let prepare = |callee: &str| {
        format!("{level}cccp_f.block = {block}; cccp_f.callee = {callee}; {CALLING} = &cccp_f; ")
    };
    let dispatch = dispatch_label(plan, block);
    let arguments: Vec<&str> = call
        .arguments
        .iter()
        .map(|argument| argument.text.as_str())
        .collect();
    let mut before = publish(plan, &facts.publish);
    if call.reaches_init {
        before = publish(plan, &plan.early);
    }
    let arguments = arguments.join(", ");
    let first = match call.may_call_others {
        false => prepare("0") + &made(format!("{}({arguments})", call.callee)),
        true => format!(
            "{{ {3}__typeof__(&*({0})) cccp_p = {0}; {1}{2}}} ",
            call.callee,
            prepare("(cccp_code *)cccp_p"),
            made(format!("cccp_p({arguments})")),
            match call.is_implicit {
                true => format!("int {}(); ", call.callee),
                false => String::new(),
            }
        ),
    };
    let _ = write!(out, "{before}{first}{}", call_end());
    if call.reaches_init {
        let _ = write!(out, "if ({REPLAYING}) {{ goto {dispatch}; }} ");
    }
    let again: Vec<String> = call
        .arguments
        .iter()
        .enumerate()
        .map(|(index, argument)| match &argument.again {
            Again::Anew => argument.text.clone(),
            Again::Known(pointer) => format!(
                "({HAS_ARGUMENT}(&cccp_f, {index}) ? *({pointer}){ARGUMENT}(&cccp_f, {index}) : ({}))",
                argument.text
            ),
            Again::Trace(pointer) => format!("*({pointer}){ARGUMENT}(&cccp_f, {index})"),
        })
        .collect();
    let _ = write!(
        out,
        "if (0) {{ cccp_{block}: {}{}{}{}{}",
        poison(plan, block),
        arrive(plan, block),
        prepare("0"),
        made(format!("{}({})", callee_again(call), again.join(", "))),
        call_end()
    );
    if call.reaches_checkpoint {
        let _ = write!(
            out,
            "if ({REPLAYING}) {{ goto {dispatch}; }} {}",
            arrive(plan, block)
        );
        for (name, value) in &call.known {
            let _ = write!(out, "{name} = {}; ", i32::from(*value));
        }
        out.push_str("} ");
    } else {
        let _ = write!(out, "goto {dispatch}; }} ");
    }
}
