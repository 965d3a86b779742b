#!/usr/bin/env python3
"""Changed copies of checkpoint files whose checksums are right again, and what the second reader says of each.

    python3 tests/formats/sealed.py COUNT DIRECTORY FILE...

Writes COUNT copies of each FILE to DIRECTORY and prints a line for each: its name, a tab, and `good` or the reason why
it is refused. Checksums hide the rules behind them; here a rule is all that stands between a change and the reader.
"""

import os
import random
import sys
import zlib

sys.dont_write_bytecode = True

from read import read_file  # noqa: E402
from xdr import Cursor, Damaged  # noqa: E402

# What is put in the place of a number.
NUMBERS = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 24, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def seals(data):
    """Where the checksums of a file stand and from where on they count, inner ones first."""
    found, crc = [], Cursor.crc

    def noted(cursor, start, what):
        found.append((start, cursor.at))
        crc(cursor, start, what)

    Cursor.crc = noted
    read_file(data)
    Cursor.crc = crc
    return sorted(found, key=lambda seal: seal[1])


def changed(data, places, dice):
    """A copy with one or two changes: bits, or whole words."""
    copy = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2])):
        if dice.random() < 0.5:
            bit = dice.randrange(8 * len(copy))
            copy[bit // 8] ^= 1 << bit % 8
        else:
            at = dice.randrange(len(copy) // 4) * 4
            copy[at:at + 4] = dice.choice(NUMBERS).to_bytes(4, "big")
    for start, at in places:
        copy[at:at + 4] = zlib.crc32(copy[start:at]).to_bytes(4, "big")
    return bytes(copy)


def main(count, directory, paths):
    sys.setrecursionlimit(10000)
    dice = random.Random(1)
    for path in paths:
        with open(path, "rb") as stream:
            data = stream.read()
        places = seals(data)
        for number in range(count):
            copy = changed(data, places, dice)
            name = f"{os.path.basename(path)}-{number}"
            with open(os.path.join(directory, name), "wb") as stream:
                stream.write(copy)
            try:
                read_file(copy)
                print(f"{name}\tgood")
            except Damaged as damage:
                print(f"{name}\t{damage}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
