#!/usr/bin/env python3
"""Makes programs and libraries run with an older C library than the one they were linked with.

    lower_glibc.py SHIM FILE...

A library refers to each function of glibc together with the version that introduced it, and the loader refuses a library
that names a version which the machine's glibc does not have (ld.so(8), "version `GLIBC_2.36' not found"), however rarely
the function is called. For versions above LIMITS this program takes the version off the symbols that SHIM defines
(packaging/newer_glibc.c) and takes the version out of the list of those needed. The loader then binds the symbol to the
machine's own function if there is one, and to SHIM's otherwise.

Prints the files that were changed: each must be given SHIM as a library it needs. A symbol that SHIM does not define ends
in exit code 1: nothing that would fail on an old machine goes into a package unseen. So does a version of the C++ library
above LIMITS.

The tables are described in the "Symbol Versioning" chapter of the Linux Standard Base, Core 5.0.
"""
import struct
import sys

# Ubuntu 22.04: glibc 2.35, libstdc++ and libgcc_s of GCC 12.
LIMITS = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}

DYNSYM, VERNEED, VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF  # types of sections
ANY_VERSION = 1  # VER_NDX_GLOBAL


class ElfFile:
    """The dynamic symbols of a 64-bit little-endian ELF file, with the versions that they need."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: no 64-bit little-endian ELF file")
        self.sections = {}
        offset, = struct.unpack_from("<Q", self.bytes, 0x28)
        size, count = struct.unpack_from("<HH", self.bytes, 0x3A)
        headers = [struct.unpack_from("<IIQQQQII", self.bytes, offset + i * size) for i in range(count)]
        for header in headers:
            kind, at, length, link = header[1], header[4], header[5], header[6]
            if kind in (DYNSYM, VERNEED, VERSYM):
                self.sections[kind] = (at, length, headers[link][4])  # link: of its names, or of its symbols

    def text(self, at):
        return self.bytes[at : self.bytes.index(b"\0", at)].decode()

    def symbols(self):
        """(name, defined here, where its version's index is) of each symbol."""
        at, length, names = self.sections[DYNSYM]
        versions = self.sections.get(VERSYM)
        for i in range(length // 24):
            name, section = struct.unpack_from("<I", self.bytes, at + 24 * i)[0], struct.unpack_from("<H", self.bytes, at + 24 * i + 6)[0]
            yield self.text(names + name), section != 0, versions[0] + 2 * i if versions else None

    def needed_versions(self):
        """(name, index, the library's record, offset of its own record, that of the one before it or None)."""
        if VERNEED not in self.sections:
            return
        record, _, names = self.sections[VERNEED]
        while True:
            _, count, _, first, following = struct.unpack_from("<HHIII", self.bytes, record)
            at, before = record + first, None
            for _ in range(count):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.bytes, at)
                yield self.text(names + name), index, record, at, before
                before, at = at, at + step
            if not following:
                return
            record += following

    def remove_needed_version(self, record, at, before):
        count, = struct.unpack_from("<H", self.bytes, record + 2)
        if count == 1:
            raise ValueError(f"{self.path}: a library of which nothing but a newer version is needed")
        step, = struct.unpack_from("<I", self.bytes, at + 12)
        struct.pack_into("<H", self.bytes, record + 2, count - 1)
        if before is None:  # the list begins with the next one
            first, = struct.unpack_from("<I", self.bytes, record + 8)
            struct.pack_into("<I", self.bytes, record + 8, first + step)
        else:
            struct.pack_into("<I", self.bytes, before + 12, at + step - before if step else 0)


def too_new(version):
    family, _, number = version.partition("_")
    if family not in LIMITS or not number[:1].isdigit():
        return False
    return tuple(int(part) for part in number.split(".")) > LIMITS[family]


def lower(path, available):
    """Whether the file was changed. ValueError: it needs a newer function that `available` does not have."""
    file = ElfFile(path)
    if DYNSYM not in file.sections:
        return False
    changed = False
    while found := next((entry for entry in file.needed_versions() if too_new(entry[0])), None):
        version, index, record, at, before = found
        for name, defined, place in file.symbols():
            if defined or struct.unpack_from("<H", file.bytes, place)[0] & 0x7FFF != index:
                continue
            if name not in available:
                raise ValueError(f"{path} needs {name} of {version}, which the tarball's oldest system does not have")
            struct.pack_into("<H", file.bytes, place, ANY_VERSION)
        file.remove_needed_version(record, at, before)
        changed = True
    if changed:
        with open(path, "r+b") as out:
            out.write(file.bytes)
    return changed


def main(shim, *paths):
    available = {name for name, defined, _ in ElfFile(shim).symbols() if defined}
    try:
        for path in paths:
            if lower(path, available):
                print(path)
    except ValueError as error:
        sys.exit(f"lower_glibc.py: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
