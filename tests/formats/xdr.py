"""XDR items, one after the other, with the offset and the reason where something is wrong.

Part of the second reader of checkpoint files, see read.py.
"""

import zlib


class Damaged(Exception):
    """The file is not what the document says: where, and why."""


def printable(text):
    """A line that does nothing to a terminal, whatever the names in it are."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class Cursor:
    """A place in some bytes. `where` says in which bytes, for messages: nothing for those of the file itself."""

    def __init__(self, data, start, end, where=""):
        self.data, self.at, self.end, self.where = data, start, end, where

    def fail(self, reason, at=None):
        raise Damaged(printable(f"offset {self.at if at is None else at}{self.where}: {reason}"))

    def take(self, length):
        if length > self.end - self.at:
            self.fail(f"{length} bytes are needed and {self.end - self.at} are left")
        self.at += length
        return self.data[self.at - length:self.at]

    def u32(self):
        return int.from_bytes(self.take(4), "big")

    def u64(self):
        return int.from_bytes(self.take(8), "big")

    def number(self, what, low, high):
        at, value = self.at, self.u32()
        if not low <= value <= high:
            self.fail(f"{what} is {value}, not {low} to {high}", at)
        return value

    def flag(self, what):
        return self.number(what, 0, 1) == 1

    def opaque(self, length):
        """Bytes, and the zeros behind them."""
        taken, at = self.take(length), self.at
        if any(self.take(-length % 4)):
            self.fail("the padding is not zero", at)
        return taken

    def bytes(self):
        return self.opaque(self.u32())

    def text(self):
        at, taken = self.at, self.bytes()
        try:
            return taken.decode("utf-8")
        except UnicodeDecodeError:
            self.fail("a text that is not UTF-8", at)

    def many(self, read):
        return [read(self) for _ in range(self.u32())]

    def maybe(self, read):
        return read(self) if self.flag("the count of what may be missing") else None

    def part(self, what):
        """A length, and a cursor over that many bytes behind it."""
        at, length = self.at, self.u64()
        if length > self.end - self.at:
            self.fail(f"{what} has a length of {length}, and {self.end - self.at} bytes are left", at)
        self.take(length)
        return Cursor(self.data, self.at - length, self.at)

    def crc(self, start, what):
        """The CRC-32 of everything from `start` to here."""
        at, computed, stored = self.at, zlib.crc32(self.data[start:self.at]), self.u32()
        if computed != stored:
            self.fail(f"the CRC-32 of {what} is {computed:08x}, and {stored:08x} is noted here", at)
