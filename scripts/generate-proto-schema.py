#!/usr/bin/env python3
"""generate-proto-schema.py DESCRIPTORS NAMESPACE OUT.h: a proto::Schema (core/base/proto/schema.h) as a C++ header.

DESCRIPTORS is what `protoc --descriptor_set_out` writes. The header has, in NAMESPACE, field numbers as enumerators
(`NodeProto::op_type`; those of a nested message in `Outer_Inner`), the values of enums likewise, and `kSchema`, the table of
all messages. Messages are named without their package: `V1LayerParameter`, `Outer.Inner`.
"""
import sys

from cpp_names import enumerator
from protobuf_wire import fields

REQUIRED, REPEATED = 2, 3
ENUM, BYTES = 14, 12


def values_of(message):
    """Each field's values by its number: numbers, or bytes."""
    found = {}
    for number, value, _ in fields(message):
        if value is not None:
            found.setdefault(number, []).append(value)
    return found


def one(found, number, otherwise=b""):
    return found.get(number, [otherwise])[-1]


def text(found, number):
    return one(found, number).decode()


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Tables:
    """FileDescriptorProto: package 2, message 4, enum 5, syntax 12."""

    def __init__(self, descriptors):
        self.messages, self.enums, self.proto3 = [], [], False
        for file in values_of(descriptors).get(1, []):
            found = values_of(file)
            package = "." + text(found, 2) if text(found, 2) else ""
            self.proto3 |= text(found, 12) == "proto3"
            for message in found.get(4, []):
                self.add_message(message, "", package)
            for enum in found.get(5, []):
                self.add_enum(enum, "", package)
        self.message_index = {full: i for i, (full, _, _) in enumerate(self.messages)}
        self.enum_index = {full: i for i, (full, _, _) in enumerate(self.enums)}
        names = [name for _, name, _ in self.messages]
        assert len(set(names)) == len(names), "two messages have the same name"

    def add_message(self, descriptor, outer, package):
        """DescriptorProto: name 1, field 2, nested message 3, enum 4."""
        found = values_of(descriptor)
        name = outer + text(found, 1)
        rows = sorted((values_of(field) for field in found.get(2, [])), key=lambda row: one(row, 3))
        self.messages.append((f"{package}.{name}", name, rows))
        for message in found.get(3, []):
            self.add_message(message, name + ".", package)
        for enum in found.get(4, []):
            self.add_enum(enum, name + ".", package)

    def add_enum(self, descriptor, outer, package):
        """EnumDescriptorProto: name 1, value 2 {name 1, number 2}."""
        found = values_of(descriptor)
        name = outer + text(found, 1)
        values = [(text(value, 1), signed(one(value, 2, 0))) for value in map(values_of, found.get(2, []))]
        self.enums.append((f"{package}.{name}", name, values))


class Names:
    """One string for all names, each ended by a NUL; "" is at 0."""

    def __init__(self):
        self.at, self.size, self.pieces = {b"": 0}, 1, [b""]

    def add(self, name):
        if name not in self.at:
            assert b"\0" not in name, "a default with a NUL"
            self.at[name] = self.size
            self.pieces.append(name)
            self.size += len(name) + 1
            assert self.size < 1 << 16, "more names than the table's offsets reach"
        return self.at[name]

    def lines(self):
        for piece in self.pieces:
            plain = all(32 <= byte < 127 and byte not in b'"\\?' for byte in piece)
            shown = piece.decode() if plain else "".join(f"\\{byte:03o}" for byte in piece)
            yield f'    "{shown}\\0"'


def unescaped(default):
    """In a descriptor, defaults of bytes have C escapes."""
    return default.decode("unicode_escape").encode("latin-1")


def write_numbers(kind, name, numbers, out):
    shown = ", ".join(f"{enumerator(key)} = {number}" for key, number in numbers)
    print(f"namespace {name.replace('.', '_')} {{\nenum : {kind} {{ {shown} }};\n}}", file=out)


def write_table(tables, out):
    names, field_rows, message_rows, enum_rows, value_rows = Names(), [], [], [], []
    for _, name, rows in tables.messages:
        message_rows.append(f"{{{names.add(name.encode())}, {len(field_rows)}, {len(rows)}}}")
        # FieldDescriptorProto: name 1, number 3, label 4, type 5, type_name 6, default_value 7, options 8 {packed 2}.
        for row in rows:
            kind, label = one(row, 5), one(row, 4)
            index = (tables.enum_index if kind == ENUM else tables.message_index)[text(row, 6)] if text(row, 6) else 0
            default = unescaped(one(row, 7)) if kind == BYTES else one(row, 7)
            packed = one(values_of(one(row, 8)), 2, 0)
            flags = (label == REPEATED) | (label == REQUIRED) << 1 | packed << 2
            field_rows.append(
                f"{{{one(row, 3)}, {names.add(one(row, 1))}, {index}, {names.add(default)}, FieldType({kind}), {flags}}}"
            )
    for _, name, values in tables.enums:
        enum_rows.append(f"{{{names.add(name.encode())}, {len(value_rows)}, {len(values)}}}")
        value_rows += [f"{{{number}, {names.add(key.encode())}}}" for key, number in values]
    print("namespace table {\nusing namespace mo::proto;\ninline constexpr char kNames[] =", file=out)
    print("\n".join(names.lines()) + ";", file=out)
    parts = {"MessageRow kMessages": message_rows, "FieldRow kFields": field_rows, "EnumRow kEnums": enum_rows,
             "EnumValueRow kValues": value_rows}  # fmt: skip
    for part, rows in parts.items():
        print(f"inline constexpr {part}[] = {{\n    " + ",\n    ".join(rows or ["{}"]) + "};", file=out)
    print("}", file=out)
    print("inline constexpr mo::proto::Schema kSchema{table::kNames, table::kMessages, table::kFields, table::kEnums,", file=out)
    print(f"                                           table::kValues, {str(tables.proto3).lower()}}};", file=out)


def main():
    descriptors, namespace, target = sys.argv[1:]
    with open(descriptors, "rb") as file:
        tables = Tables(file.read())
    with open(target, "w", encoding="utf-8") as out:
        print("// Generated by scripts/generate-proto-schema.py.\n#pragma once\n", file=out)
        print(f'#include "core/base/proto/schema.h"\n\nnamespace {namespace} {{', file=out)
        for _, name, rows in tables.messages:
            if rows:
                write_numbers("uint32_t", name, [(text(row, 1), one(row, 3)) for row in rows], out)
        for _, name, values in tables.enums:
            write_numbers("int32_t", name, values, out)
        write_table(tables, out)
        print("}", file=out)


main()
