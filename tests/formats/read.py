#!/usr/bin/env python3
"""A second reader of checkpoint files, written from cccp-runtime/FORMAT.md alone.

    python3 tests/formats/read.py FILE...           what the files hold, for people
    python3 tests/formats/read.py FILE... --json    all of it, as a canonical JSON text for each

It shares no code with the library: that both read the same shows that the document suffices. Everything is verified
before anything is printed: magic, version, lengths, checksums, padding, ranges, indices, the rules for types and nodes.
A file that is not as the document says is refused with the offset and the reason, and the exit status is 1.

In the JSON text, bytes of `char` and of arguments are the characters of Latin-1, one for one, unions are hexadecimal.
Floating-point numbers are JSON numbers where JSON has them, else "inf", "-inf" or "nan(0x<bits>)". A long double is its
exact value, "-7p-3" for -7 times 2 to the power of -3, and 36 decimal digits; one of two doubles is their sum. A struct
is an object in the order of its members; an anonymous member is called by its place, "#2". What takes no space in the
file (a handle) is null.
"""

import json
import math
import signal
import sys
import zlib

# The source tree stays as it is.
sys.dont_write_bytecode = True

from values import SIGNED, UNSIGNED, decode, depth, leaves, spelt_out  # noqa: E402
from xdr import Cursor, Damaged, printable  # noqa: E402

MAGIC = bytes.fromhex("894343500D0A1A0A")
MAJOR, MINOR = 1, 6
LARGEST_CHUNK = 1048576
LARGEST_GROWTH = 1040
MOST_MEMBERS = 65536
DEEPEST_NESTING = 200
MOST_BYTES = 1 << 55
LAST_GENERATION = (1 << 63) - 1
TRAILER_LENGTH = 12

# Number, name and sizes of each kind. A word is a size that the header tells, None is any size.
KINDS = {
    1: ("Bool", (1,)), 2: ("Char", (1,)), 3: ("SignedChar", (1,)), 4: ("UnsignedChar", (1,)),
    5: ("Short", (2,)), 6: ("UnsignedShort", (2,)), 7: ("Int", (1, 2, 4, 8)), 8: ("UnsignedInt", (1, 2, 4, 8)),
    9: ("Long", "long"), 10: ("UnsignedLong", "long"), 11: ("LongLong", (8,)), 12: ("UnsignedLongLong", (8,)),
    13: ("Float", (4,)), 14: ("Double", (8,)), 15: ("LongDouble", "long double"), 16: ("ComplexFloat", (8,)),
    17: ("ComplexDouble", (16,)), 18: ("ComplexLongDouble", "long double"), 19: ("Pointer", "pointer"),
    20: ("Function", "pointer"), 21: ("Struct", None), 22: ("Bytes", None), 23: ("Handle", None),
}
BIT_FIELD_KINDS = {"Bool", "Char", "SignedChar", "UnsignedChar"} | SIGNED | UNSIGNED

BYTE_ORDERS = ["little", "big"]
ENCODINGS = {1: "xdr", 2: "native"}
LONG_DOUBLES = {1: ("Double", (8,)), 2: ("X87", (12, 16)), 3: ("Quad", (16,)), 4: ("DoubleDouble", (16,))}
ENTRY_KINDS = {1: "register", 2: "execute", 3: "region", 4: "call", 5: "checkpoint"}
BLOCK_KINDS = {1: "init", 2: "register", 3: "execute", 4: "call", 5: "region", 6: "checkpoint",
               7: "parallel"}
FLAGS = {1: "behind a pointer", 2: "a local object", 4: "behind a local pointer", 8: "found through a pointer",
         16: "kept by the library", 32: "allocated blocks", 64: "with its block", 128: "with all that it leads to",
         256: "lengths of blocks", 512: "descriptors of open files"}


# --- the file -------------------------------------------------------------------------------------------------------

def read_file(data):
    """The whole file, verified, as plain dictionaries and lists."""
    cursor = Cursor(data, 0, len(data))
    if cursor.take(min(8, len(data))) != MAGIC:
        cursor.fail("no checkpoint file: the magic is missing", 0)
    major, minor = cursor.u32(), cursor.u32()
    if major != MAJOR:
        newer = "is newer than" if major > MAJOR else "is not"
        cursor.fail(f"format version {major}.{minor} {newer} the version {MAJOR} that this reader knows", 8)
    verify_trailer(data)
    cursor.end = len(data) - TRAILER_LENGTH

    part = cursor.part("the header")
    header = read_header(part)
    finish(part, "the header", minor > MINOR)
    cursor.crc(0, "the header")
    start = cursor.at
    part = cursor.part("the description")
    file = {"version": f"{major}.{minor}", "header": header, ":newer": minor > MINOR}
    read_description(part, file)
    file["plans"] = []
    if minor >= 1:
        read_plans(part, file)
    finish(part, "the description", file[":newer"])
    cursor.crc(start, "the description")
    file["sections"] = cursor.many(lambda cursor: read_section(cursor, file))
    if cursor.at != cursor.end:
        cursor.fail(f"{cursor.end - cursor.at} bytes between the last section and the trailer")
    decode_values(file)
    return file


def finish(cursor, what, newer):
    """All is read. Only a newer minor version may have appended something."""
    if cursor.at != cursor.end and not newer:
        cursor.fail(f"{cursor.end - cursor.at} bytes too many in {what}")


def verify_trailer(data):
    cursor = Cursor(data, max(16, len(data) - TRAILER_LENGTH), len(data))
    at, length = cursor.at, cursor.u64()
    if length != len(data):
        cursor.fail(f"the trailer gives a length of {length}, and the file has {len(data)} bytes", at)
    cursor.crc(0, "the file")


def read_header(cursor):
    header = {"program": cursor.text(), "fingerprint": f"{cursor.u64():016x}"}
    header["arguments"] = [argument.decode("latin-1") for argument in cursor.many(Cursor.bytes)]
    at = cursor.at
    header["rank"], header["size"] = cursor.u32(), cursor.u32()
    if header["rank"] >= header["size"]:
        cursor.fail(f"rank {header['rank']} of {header['size']}", at)
    at, header["generation"] = cursor.at, cursor.u64()
    if not 1 <= header["generation"] <= LAST_GENERATION:
        cursor.fail(f"there is no generation {header['generation']}", at)
    header["time"] = cursor.u64()
    header["byte order"] = BYTE_ORDERS[cursor.flag("the byte order")]
    at, sizes = cursor.at, [cursor.u32() for _ in range(3)]
    header["long double"], possible = LONG_DOUBLES[cursor.number("the representation of long double", 1, 4)]
    header["sizes"] = dict(zip(("pointer", "long", "long double"), sizes))
    if sizes[0] not in (4, 8) or sizes[1] not in (4, 8) or sizes[2] not in possible:
        cursor.fail(f"a pointer of {sizes[0]} bytes, a long of {sizes[1]}, a long double of {sizes[2]}", at)
    if header["long double"] == "X87" and header["byte order"] == "big":
        cursor.fail("an x87 on a big-endian machine", at)
    header["machine"] = cursor.text()
    header["encoding"] = ENCODINGS[cursor.number("the encoding", 1, 2)]
    header["function"], header["line"], header["name"] = cursor.text(), cursor.u32(), cursor.maybe(Cursor.text)
    return header


# --- the description: types, functions, trace -----------------------------------------------------------------------

def read_description(cursor, file):
    types = file["types"] = []
    for _ in range(cursor.u32()):
        types.append(read_type(cursor, types, file["header"]["sizes"]))
    file["functions"] = cursor.many(lambda cursor: {
        "name": cursor.text(), "file": cursor.text(), "line": cursor.u32(), "fingerprint": f"{cursor.u64():016x}"})
    file["nodes"] = []
    for _ in range(cursor.u32()):
        file["nodes"].append(read_node(cursor, file))
    at, file["roots"] = cursor.at, cursor.many(Cursor.u32)
    called = [entry["callee"] for node in file["nodes"] for entry in node["entries"] if entry["kind"] == "call"]
    if sorted(called + file["roots"]) != list(range(len(file["nodes"]))):
        cursor.fail("not every node is referred to exactly once, by a root or a call", at)


def read_type(cursor, types, machine):
    at, name = cursor.at, cursor.text()
    kind, sizes = KINDS[cursor.number("a kind", 1, len(KINDS))]
    if isinstance(sizes, str):
        sizes = (machine[sizes] * (2 if kind == "ComplexLongDouble" else 1),)
    size = cursor.u64()
    if size > MOST_BYTES or (sizes and size not in sizes):
        cursor.fail(f"a size of {size} for a type of kind {kind}", at)
    members = cursor.many(lambda cursor: read_member(cursor, types, size))
    if members and kind != "Struct":
        cursor.fail(f"members in a type of kind {kind}", at)
    one = {"name": name, "kind": kind, "size": size}
    if kind == "Struct":
        one["members"] = members
        if spelt_out(one, types) > MOST_MEMBERS:
            cursor.fail(f"more than {MOST_MEMBERS} members in {name}", at)
        if depth(one, types) > DEEPEST_NESTING:
            cursor.fail(f"structs in {name} are nested deeper than {DEEPEST_NESTING}", at)
        if leaves(one, types) > 8 * size:
            cursor.fail(f"{name} needs more scalars than it has bits", at)
    return one


def read_member(cursor, types, size):
    at = cursor.at
    member = {"name": cursor.text(), "type": cursor.u32(), "offset": cursor.u64(), "count": cursor.u64()}
    bits = cursor.maybe(lambda cursor: {
        "start": cursor.u64(), "width": cursor.number("the width of a bit-field", 1, 64),
        "signed": cursor.flag("the sign of a bit-field")})
    if member["type"] >= len(types):
        cursor.fail(f"member {member['name']} has type {member['type']}, which does not come before its struct", at)
    inner = types[member["type"]]
    if bits:
        member["bits"] = bits
        inside = bits["start"] + bits["width"] <= 8 * size
        if (member["offset"], member["count"]) != (0, 1) or inner["kind"] not in BIT_FIELD_KINDS:
            cursor.fail(f"bit-field {member['name']} is no single integer", at)
    else:
        inside = member["offset"] + member["count"] * inner["size"] <= size
    if not inside:
        cursor.fail(f"member {member['name']} lies outside its struct", at)
    return member


def read_node(cursor, file):
    here, node = len(file["nodes"]), {"function": read_index(cursor, file["functions"], "function")}
    node["arguments"] = cursor.many(lambda cursor: read_value(cursor, file))
    node["entries"] = entries = cursor.many(lambda cursor: read_entry(cursor, file, here))
    at, node["active"] = cursor.at, cursor.maybe(Cursor.u32)
    if node["active"] is not None:
        if node["active"] >= len(entries) or entries[node["active"]]["kind"] not in ("call", "checkpoint"):
            cursor.fail(f"entry {node['active']} cannot be the active one", at)
    return node


def read_index(cursor, these, what):
    at, index = cursor.at, cursor.u32()
    if index >= len(these):
        cursor.fail(f"there is no {what} {index}", at)
    return index


def read_flags(cursor, file):
    """The meanings of those that are set. Only a newer minor version may have others."""
    most = 0xFFFFFFFF if file[":newer"] else sum(FLAGS)
    flags = cursor.number("the flags of an item", 0, most)
    return [meaning for bit, meaning in FLAGS.items() if flags & bit]


def read_value(cursor, file):
    name, index, at = cursor.text(), read_index(cursor, file["types"], "type"), cursor.at
    return {"name": name, "type": index, "value": None, ":data": (cursor.bytes(), at)}


def read_entry(cursor, file, node):
    entry = {"sequence": cursor.u64(), "block": cursor.u32(), "dormant": cursor.flag("dormant"),
             "instances": cursor.many(Cursor.u64), "region": cursor.maybe(Cursor.u64)}
    entry["kind"] = ENTRY_KINDS[cursor.number("the kind of an entry", 1, 5)]
    at = cursor.at
    if entry["kind"] == "register":
        entry["links"] = cursor.many(lambda cursor: {"item": cursor.u32(), "register": cursor.maybe(Cursor.u64)})
        entry[":at"] = at
    elif entry["kind"] in ("execute", "region"):
        entry["values"] = cursor.many(lambda cursor: read_value(cursor, file))
    elif entry["kind"] == "call":
        entry["callee"] = cursor.u32()
        if entry["callee"] <= node:
            cursor.fail(f"node {node} calls node {entry['callee']}, which does not come after it", at)
    return entry


# --- plans (since 1.1) ----------------------------------------------------------------------------------------------

def read_plans(cursor, file):
    at, file["plans"] = cursor.at, cursor.many(lambda cursor: read_plan(cursor, file))
    if len(file["plans"]) not in (0, len(file["functions"])):
        cursor.fail(f"{len(file['plans'])} plans for {len(file['functions'])} functions", at)


def read_plan(cursor, file):
    at = cursor.at
    plan = {"blocks": cursor.many(lambda cursor: read_block(cursor, file)),
            "loops": cursor.many(lambda cursor: {
                "parent": cursor.u32(), "counter": cursor.maybe(Cursor.u32), "prunable": cursor.flag("prunable")}),
            "items": cursor.many(lambda cursor: read_item(cursor, file)),
            "parameters": cursor.many(lambda cursor: read_field(cursor, file))}
    blocks, loops = len(plan["blocks"]), len(plan["loops"])
    # What is around something has a smaller number: so every walk outwards ends.
    if any(block["loop"] > loops or block["region"] >= number for number, block in enumerate(plan["blocks"], 1)):
        cursor.fail("a block of this plan lies in a loop or region that does not exist or does not come before it", at)
    if any(loop["parent"] >= number for number, loop in enumerate(plan["loops"], 1)):
        cursor.fail("a loop of this plan lies in one that does not come before it", at)
    if any(item["block"] > blocks for item in plan["items"]):
        cursor.fail("an item of this plan belongs to a block that does not exist", at)
    return plan


def read_block(cursor, file):
    return {"kind": BLOCK_KINDS[cursor.number("the kind of a block", 1, 7)], "line": cursor.u32(),
            "loop": cursor.u32(), "region": cursor.u32(), "name": cursor.maybe(Cursor.text), "passed": cursor.u64(),
            "values": cursor.many(lambda cursor: read_field(cursor, file))}


def read_item(cursor, file):
    return {"name": cursor.text(), "line": cursor.u32(), "flags": read_flags(cursor, file), "block": cursor.u32(),
            "type": cursor.maybe(lambda cursor: read_index(cursor, file["types"], "type")),
            "first": read_extent(cursor), "extents": cursor.many(read_extent)}


def read_extent(cursor):
    return {"text": cursor.text(), "value": cursor.maybe(Cursor.u64)}


def read_field(cursor, file):
    return {"name": cursor.text(), "type": read_index(cursor, file["types"], "type"),
            "read later": cursor.number("the flags of a field", 0, 0xFFFFFFFF if file[":newer"] else 1) & 1 == 1}


# --- sections and registers -----------------------------------------------------------------------------------------

def read_section(cursor, file):
    start = cursor.at
    number = cursor.u64()
    section = {"number": number, "registers": cursor.many(lambda cursor: read_register(cursor, file))}
    cursor.crc(start, f"section {number}")
    return section


def read_register(cursor, file):
    at, length = cursor.at, cursor.u32()
    head = Cursor(cursor.data, cursor.at, cursor.at + length)
    cursor.opaque(length)
    register = {"address": head.u64(), "bytes per element": head.u64(), "elements": head.u64(),
                "type": read_index(head, file["types"], "type"), "name": head.text(), "number": head.u64(),
                "function": read_index(head, file["functions"], "function"), "line": head.u32(),
                "extents": head.many(Cursor.u64), "first": head.u64()}
    register["flags"] = read_flags(head, file)
    register["word"] = word = head.number("the word of a register", 1, 16)
    finish(head, f"the head of register {register['name']}", file[":newer"])
    if register["bytes per element"] != file["types"][register["type"]]["size"]:
        cursor.fail(f"an element of register {register['name']} is not as large as its type", at)
    if (register["first"] + register["elements"]) * register["bytes per element"] > MOST_BYTES:
        cursor.fail(f"register {register['name']} has more than {MOST_BYTES} bytes", at)
    if math.prod(register["extents"]) != register["elements"]:
        cursor.fail(f"the extents of register {register['name']} are not its number of elements", at)
    at = cursor.at
    register["chunks"], raw = read_chunks(cursor, register["name"], word)
    register["values"], register[":data"] = None, (raw, at)
    return register


def read_chunks(cursor, name, word):
    """The lengths of the chunks, and the raw bytes of all of them."""
    start, lengths, pieces = cursor.at, [], []
    while True:
        at, raw = cursor.at, cursor.number("the raw length of a chunk", 0, LARGEST_CHUNK)
        if raw == 0:
            break
        stored = cursor.number(f"the stored length of a chunk of {raw} bytes", -(-raw // LARGEST_GROWTH), raw)
        piece = cursor.opaque(stored)
        lengths.append([raw, stored])
        pieces.append(piece if stored == raw else decompress(cursor, piece, raw, word, at))
    cursor.crc(start, f"the data of register {name}")
    return lengths, b"".join(pieces)


def decompress(cursor, stored, length, word, at):
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        shuffled = inflate.decompress(stored, length + 1)
    except zlib.error as error:
        cursor.fail(f"a chunk that is no DEFLATE stream: {error}", at)
    if not inflate.eof or inflate.unused_data or len(shuffled) != length:
        cursor.fail(f"a chunk does not decompress to the {length} bytes it should", at)
    words = length // word
    raw = bytearray(shuffled)
    for place in range(word):
        raw[place:words * word:word] = shuffled[place * words:(place + 1) * words]
    return bytes(raw)


def decode_values(file):
    """Decodes what was kept as bytes, and checks what has to wait until all registers are known."""
    numbers, encoding = set(), file["header"]["encoding"]
    for register in [register for section in file["sections"] for register in section["registers"]]:
        data, at = register.pop(":data")
        if register["number"] in numbers:
            raise Damaged(f"offset {at}: a second register has number {register['number']}")
        numbers.add(register["number"])
        where = f" of the values of register {register['name']}, which begin at offset {at}"
        register["values"] = decode(file, data, register["type"], register["elements"], True, where, encoding)
    for node in file["nodes"]:
        for value in node["arguments"] + [value for entry in node["entries"] for value in entry.get("values", [])]:
            data, at = value.pop(":data")
            where = f" of value {value['name']}, which begins at offset {at}"
            value["value"] = decode(file, data, value["type"], 1, False, where, "xdr")
        for entry in node["entries"]:
            for link in entry.get("links", []):
                if link["register"] is not None and link["register"] not in numbers:
                    raise Damaged(f"offset {entry[':at']}: there is no register {link['register']}")


# --- the result, for people and for programs ------------------------------------------------------------------------

def without_notes(value):
    """A copy without the names that begin with a colon."""
    if isinstance(value, dict):
        return {name: without_notes(inner) for name, inner in value.items() if not name.startswith(":")}
    return [without_notes(inner) for inner in value] if isinstance(value, list) else value


def canonical(value, indent=0):
    """JSON with one line for what is short and for arrays of plain values."""
    line = json.dumps(value)
    inner = list(value.values()) if isinstance(value, dict) else value
    plain = not isinstance(value, (dict, list)) or (
        isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in inner))
    if plain or len(line) + indent <= 118:
        return line
    names = [json.dumps(name) + ": " for name in value] if isinstance(value, dict) else [""] * len(inner)
    lines = [" " * (indent + 1) + name + canonical(item, indent + 1) for name, item in zip(names, inner)]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return left + "\n" + ",\n".join(lines) + "\n" + " " * indent + right


def readable(file):
    lines = [f"checkpoint file, format {file['version']}"]
    lines += [f"  {name:14}{json.dumps(value)}" for name, value in file["header"].items()]
    counts = [f"{len(file[what])} {what}" for what in ("types", "functions", "nodes")]
    lines.append(", ".join(counts))
    for section in file["sections"]:
        lines.append(f"section {section['number']}")
        for register in section["registers"]:
            function = file["functions"][register["function"]]
            shape = "".join(f"[{extent}]" for extent in register["extents"])
            values = json.dumps(register["values"])
            one = file["types"][register["type"]]
            place = f"{function['name']} ({function['file']}:{register['line']})"
            lines.append(f"  {register['name']}{shape and ' '}{shape} of {one['name']}, in {place}")
            lines.append("    " + (values if len(values) <= 100 else values[:100] + " ..."))
    return "\n".join(map(printable, lines))


def main(words):
    # Whoever reads only the first lines is welcome.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Structs may be nested deeper than calls usually are.
    sys.setrecursionlimit(10000)
    paths = [word for word in words if word != "--json"]
    if not paths or any(path.startswith("-") for path in paths):
        print("usage: read.py FILE... [--json]", file=sys.stderr)
        return 2
    status = 0
    for path in paths:
        try:
            with open(path, "rb") as stream:
                file = without_notes(read_file(stream.read()))
            print(canonical(file) if "--json" in words else readable(file))
        except (OSError, Damaged) as error:
            print(f"{path}: {error.strerror if isinstance(error, OSError) else error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
