//! The structs of cccp.h, word for word.
#![allow(missing_docs, reason = "cccp.h documents them")]

use std::ffi::{c_char, c_int, c_ulong, c_ulonglong, c_void};

/// `cccp_type`
#[repr(C)]
pub struct Type {
    pub kind: c_int,
    pub member_count: c_int,
    pub size: c_ulong,
    pub name: *const c_char,
    pub members: *const Member,
}

/// `cccp_member`
#[repr(C)]
pub struct Member {
    pub name: *const c_char,
    pub kind: *const Type,
    pub offset: c_ulong,
    pub count: u64,
    pub mask: *const c_void,
}

/// `cccp_value`
#[repr(C)]
pub struct Value {
    pub name: *const c_char,
    pub kind: *const Type,
    pub offset: c_ulong,
    pub flags: c_int,
}

/// `cccp_loop`
#[repr(C)]
pub struct Loop {
    pub parent: c_int,
    pub counter: c_int,
    pub prunable: c_int,
}

/// `cccp_block`
#[repr(C)]
pub struct Block {
    pub kind: c_int,
    pub line: c_int,
    pub in_loop: c_int,
    pub region: c_int,
    pub name: *const c_char,
    pub value_count: c_int,
    pub values: *const Value,
    pub record_size: c_ulong,
    pub passed: u64,
    pub ranks: *const c_char,
    pub threads: *const c_char,
}

/// `cccp_extent`
#[repr(C)]
pub struct Extent {
    pub text: *const c_char,
    pub value: u64,
    pub constant: c_int,
}

/// `cccp_item`
#[repr(C)]
pub struct Item {
    pub name: *const c_char,
    pub line: c_int,
    pub flags: c_int,
    pub block: c_int,
    pub kind: *const Type,
    pub rank: c_int,
    pub sized: c_int,
    pub extents: *const Extent,
    pub holds: c_ulonglong,
}

/// `cccp_function_name`
#[repr(C)]
pub struct FunctionName {
    pub name: *const c_char,
    pub address: *const c_void,
}

/// `cccp_function`
#[repr(C)]
pub struct Function {
    pub name: *const c_char,
    pub file: *const c_char,
    pub line: c_int,
    pub fingerprint: u64,
    pub block_count: c_int,
    pub loop_count: c_int,
    pub item_count: c_int,
    pub parameter_count: c_int,
    pub name_count: c_int,
    pub counter_count: c_int,
    pub blocks: *const Block,
    pub loops: *const Loop,
    pub items: *const Item,
    pub parameters: *const Value,
    pub arguments_size: c_ulong,
    pub names: *const FunctionName,
}

/// `cccp_resident`
#[repr(C)]
pub struct Resident {
    pub function: *const Function,
    pub item: c_int,
    pub object: *mut c_void,
}

/// `cccp_suspect`
#[repr(C)]
pub struct Suspect {
    pub type_name: *const c_char,
    pub member: *const c_char,
    pub what: c_int,
}

/// `cccp_place`
#[repr(C)]
pub struct Place {
    pub calls: c_ulong,
    pub look: c_ulong,
}

/// `cccp_frame`
#[repr(C)]
pub struct Frame {
    pub function: *const Function,
    pub caller: *mut Frame,
    pub arguments: *mut c_void,
    pub instances: *mut c_ulong,
    pub trace: *mut c_void,
    pub block: c_int,
    pub callee: *const c_void,
}

/// `cccp_thread_state`
#[repr(C)]
pub struct Thread {
    pub calling: *mut Frame,
    pub passed: c_ulong,
    pub stop: c_ulong,
    pub region: c_ulong,
    pub number: c_int,
    pub place: c_int,
    pub frame: *mut Frame,
    pub function: *const Function,
    pub barriers: c_ulong,
    pub constructs: c_ulong,
    pub singles: c_ulong,
    pub saved: c_ulong,
    pub waits: c_ulong,
}

/// `cccp_thread_place`
#[repr(C)]
pub struct ThreadPlace {
    pub calls: c_ulong,
    pub look: c_ulong,
    pub region: c_ulong,
}

/// `cccp_team`
#[repr(C)]
pub struct Team {
    pub outer: *mut Frame,
    pub again: c_int,
    pub threads: c_int,
    pub singles: c_ulong,
}

// SAFETY: the descriptions are constants of the program.
unsafe impl Sync for Type {}
