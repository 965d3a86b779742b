"""Values, from bytes to Python: all kinds, XDR and native, pointers, floating-point numbers of all machines.

Part of the second reader of checkpoint files; read.py says what values look like in its JSON text.
"""

import decimal
import struct

from xdr import Cursor

SIGNED = {"Short", "Int", "Long", "LongLong"}
UNSIGNED = {"UnsignedShort", "UnsignedInt", "UnsignedLong", "UnsignedLongLong"}
ALWAYS_HYPER = {"Long", "UnsignedLong", "LongLong", "UnsignedLongLong"}
OPAQUE = {"Char", "SignedChar", "UnsignedChar", "Bytes"}
POINTERS = {"Pointer", "Function"}
# The index that stands for `argv` itself, not for one of its strings.
ARGUMENT_VECTOR = 0xFFFFFFFF


# --- what follows from a type: computed once, and kept in the type under a name that begins with a colon ------------

def derived(name, compute):
    def lookup(one, types):
        if name not in one:
            parts = [(member["count"], types[member["type"]]) for member in one.get("members", [])]
            one[name] = compute(one, parts, types)
        return one[name]
    return lookup


# The members with those of inner structs; an array of structs counts once.
spelt_out = derived(":spelt out", lambda one, parts, types: sum(1 + spelt_out(inner, types) for _, inner in parts))
# How deep structs are nested.
depth = derived(":depth", lambda one, parts, types: 0 if one["kind"] != "Struct" else 1 + max(
    (depth(inner, types) for _, inner in parts), default=0))
# The scalars in it.
leaves = derived(":leaves", lambda one, parts, types: int(one["size"] > 0) if one["kind"] != "Struct" else sum(
    count * leaves(inner, types) for count, inner in parts))
# Whether its values take no space in a file, however many there are.
nothing = derived(":nothing", lambda one, parts, types: one["kind"] == "Handle" or one["size"] == 0 or (
    one["kind"] == "Struct" and all(count == 0 or nothing(inner, types) for count, inner in parts)))


# --- elements -------------------------------------------------------------------------------------------------------

def decode(file, data, index, count, as_array, where, encoding):
    """The elements that some encoded data hold, all of it; `where` says which data, for messages."""
    one = file["types"][index]
    cursor = Cursor(data, 0, len(data), where)
    if encoding == "xdr":
        value = xdr_array(file, cursor, one, count, as_array)
    else:
        memory = cursor.opaque(count * one["size"])
        value = native_array(file, (memory, cursor), one, 0, count, as_array)
    if cursor.at != cursor.end:
        cursor.fail(f"{cursor.end - cursor.at} bytes too many")
    return value


def elements(file, one, count, as_array, opaque, scalar):
    """What XDR and native arrays share: `opaque(n)` gives n bytes of the array, `scalar(i)` its i-th element."""
    kind, size = one["kind"], one["size"]
    if nothing(one, file["types"]):
        return None
    if kind == "Char":
        return opaque(count).decode("latin-1")
    if kind in OPAQUE:
        held = opaque(count * size)
        parts = [held[at:at + size] for at in range(0, len(held), size)]
        values = [part.hex() if kind == "Bytes" else integer(part, "big", kind == "SignedChar") for part in parts]
    else:
        values = [scalar(place) for place in range(count)]
    return values if as_array else values[0]


def members(one, read):
    return {member["name"] or f"#{place}": read(member) for place, member in enumerate(one["members"])}


def integer(held, order, signed):
    return int.from_bytes(held, order, signed=signed)


# --- XDR ------------------------------------------------------------------------------------------------------------

def xdr_array(file, cursor, one, count, as_array):
    return elements(file, one, count, as_array, cursor.opaque, lambda _: xdr_scalar(file, cursor, one))


def xdr_scalar(file, cursor, one):
    kind, size = one["kind"], one["size"]
    if kind == "Struct":
        return members(one, lambda member: xdr_member(file, cursor, member))
    if kind == "Bool":
        return cursor.flag("a bool")
    if kind in SIGNED | UNSIGNED:
        return xdr_integer(cursor, 8 if kind in ALWAYS_HYPER or size == 8 else 4, kind in SIGNED, 8 * size)
    if kind in POINTERS:
        return read_pointer(cursor)
    if kind.startswith("Complex"):
        return [xdr_floating(file, cursor, kind[len("Complex"):]) for _ in range(2)]
    return xdr_floating(file, cursor, kind)


def xdr_member(file, cursor, member):
    bits = member.get("bits")
    if bits:
        return xdr_integer(cursor, 4 if bits["width"] <= 32 else 8, bits["signed"], bits["width"])
    return xdr_array(file, cursor, file["types"][member["type"]], member["count"], member["count"] != 1)


def xdr_integer(cursor, length, signed, bits):
    at, value = cursor.at, integer(cursor.take(length), "big", signed)
    low = -(1 << (bits - 1)) if signed else 0
    if not low <= value < low + (1 << bits):
        cursor.fail(f"{value} does not fit in {bits} bits", at)
    return value


def xdr_floating(file, cursor, kind):
    if kind != "LongDouble":
        return floating(cursor.take(4 if kind == "Float" else 8), "big")
    two_doubles = file["header"]["long double"] == "DoubleDouble"
    return long_double("DoubleDouble" if two_doubles else "Quad", cursor.take(16), "big")


# --- native: `source` is the memory of all elements, and a cursor over the pointers behind it -----------------------

def native_array(file, source, one, offset, count, as_array):
    return elements(file, one, count, as_array, lambda length: source[0][offset:offset + length],
                    lambda place: native_scalar(file, source, one, offset + place * one["size"]))


def native_scalar(file, source, one, offset):
    kind, size, order = one["kind"], one["size"], file["header"]["byte order"]
    if kind == "Struct":
        return members(one, lambda member: native_member(file, source, one, member, offset))
    if kind in POINTERS:
        return read_pointer(source[1])
    held = source[0][offset:offset + size]
    if kind == "Bool":
        return any(held)
    if kind in SIGNED | UNSIGNED:
        return integer(held, order, kind in SIGNED)
    if kind.startswith("Complex"):
        half = size // 2
        return [native_floating(file, part, kind[len("Complex"):]) for part in (held[:half], held[half:])]
    return native_floating(file, held, kind)


def native_member(file, source, one, member, offset):
    bits = member.get("bits")
    if not bits:
        inner = file["types"][member["type"]]
        return native_array(file, source, inner, offset + member["offset"], member["count"], member["count"] != 1)
    # A big-endian machine counts from the most significant bit of the struct, which gets that of the field; a
    # little-endian one from the least significant bit.
    order, size, width = file["header"]["byte order"], one["size"], bits["width"]
    below = bits["start"] if order == "little" else 8 * size - bits["start"] - width
    value = integer(source[0][offset:offset + size], order, False) >> below & ((1 << width) - 1)
    return value - (1 << width) if bits["signed"] and value >> (width - 1) else value


def native_floating(file, held, kind):
    order = file["header"]["byte order"]
    return long_double(file["header"]["long double"], held, order) if kind == "LongDouble" else floating(held, order)


# --- pointers -------------------------------------------------------------------------------------------------------

def read_pointer(cursor):
    leads = cursor.number("the number of a pointer", 0, 5)
    if leads == 0:
        return None
    # Whether it leads anywhere matters to who follows it.
    if leads == 1:
        return {"register": cursor.u64(), "element": cursor.u64(), "leaf": cursor.u64(), "byte": cursor.u64()}
    if leads == 2:
        index, byte = cursor.u32(), cursor.u64()
        return {"argv": byte} if index == ARGUMENT_VECTOR else {"argument": index, "byte": byte}
    if leads == 3:
        return {"function": cursor.text()}
    return {"image" if leads == 4 else "nothing saved": cursor.u64()}


# --- floating-point numbers -----------------------------------------------------------------------------------------

def floating(held, order):
    """A float or double: the number, or a word for what JSON has no number for."""
    value = struct.unpack(("<" if order == "little" else ">") + ("f" if len(held) == 4 else "d"), held)[0]
    if value != value:
        return f"nan(0x{integer(held, order, False):0{2 * len(held)}x})"
    return value if value - value == 0 else "inf" if value > 0 else "-inf"


def long_double(representation, held, order):
    """A long double of any machine, given in at least as many bytes as it has: its exact value, or a word."""
    if representation == "DoubleDouble":
        numbers = [ieee(integer(part, order, False), 11, 52) for part in (held[:8], held[8:16])]
    elif representation == "X87":
        numbers = [ieee_with_integer_bit(integer(held[:10], order, False))]
    elif representation == "Quad":
        numbers = [ieee(integer(held[:16], order, False), 15, 112)]
    else:
        numbers = [ieee(integer(held[:8], order, False), 11, 52)]
    words = [number for number in numbers if isinstance(number, str)]
    return words[0] if words else {"exact": " + ".join(map(exact, numbers)), "decimal": digits(numbers)}


def ieee(bits, exponent_bits, fraction_bits):
    """Sign, integer and power of two of an IEEE number, or a word."""
    most = (1 << exponent_bits) - 1
    fraction, rest = bits & ((1 << fraction_bits) - 1), bits >> fraction_bits
    negative, exponent = rest > most, rest & most
    if exponent == most:
        return special(negative, fraction << (112 - fraction_bits))
    whole = int(exponent > 0) << fraction_bits
    return negative, whole | fraction, max(exponent, 1) - (most >> 1) - fraction_bits


def ieee_with_integer_bit(bits):
    """The same for an x87 number of 80 bits, which stores the bit before the point too."""
    significand, rest = bits & ((1 << 64) - 1), bits >> 64
    negative, exponent, whole = rest >> 15 == 1, rest & 0x7FFF, significand >> 63
    if exponent and not whole:
        # The processor refuses such a number.
        return special(negative, 1 << 111)
    if exponent == 0x7FFF:
        return special(negative, (significand & ((1 << 63) - 1)) << 49)
    return negative, significand, max(exponent, 1) - 0x3FFF - 63


def special(negative, fraction):
    """An infinity, or the NaN with this fraction of a quadruple."""
    if fraction == 0:
        return "-inf" if negative else "inf"
    return f"nan(0x{negative << 127 | 0x7FFF << 112 | fraction:032x})"


def exact(number):
    """An odd number and a power of two."""
    negative, significand, power = number
    zeros = (significand & -significand).bit_length() - 1 if significand else 0
    return f"{'-' if negative else ''}{significand >> zeros}p{power + zeros if significand else 0}"


def digits(numbers):
    """36 decimal digits of the sum of these numbers."""
    low = min(power for _, _, power in numbers)
    total = sum((-number if negative else number) << (power - low) for negative, number, power in numbers)
    top, bottom = decimal.Decimal(abs(total) << max(low, 0)), decimal.Decimal(1 << max(-low, 0))
    sign = "-" if total < 0 or (total == 0 and numbers[0][0]) else ""
    return sign + str(decimal.Context(prec=36, Emin=-99999, Emax=99999).divide(top, bottom))
