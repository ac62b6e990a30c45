"""The small part of protocol buffers that the contract interop.Lab needs."""

from dataclasses import dataclass

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class DecodeError(Exception):
    pass


def varint(value):
    value &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data, at):
    value = 0
    for place in range(10):
        if at >= len(data):
            raise DecodeError("a number is cut short")
        value |= (data[at] & 0x7F) << 7 * place
        at += 1
        if data[at - 1] < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise DecodeError("a number of more than ten bytes")


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def number_field(field, value):
    return varint(field << 3 | VARINT) + varint(value)


def bytes_field(field, value):
    return varint(field << 3 | BYTES) + varint(len(value)) + value


def text_field(field, value):
    return bytes_field(field, value.encode())


def read_bytes(data, at, length):
    if at + length > len(data):
        raise DecodeError("a field is cut short")
    return data[at:at + length], at + length


def read_fields(data):
    """Yields the number and the value of each field. A later field of a number replaces an earlier one."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        field, wire = tag >> 3, tag & 7
        if wire == VARINT:
            value, at = read_varint(data, at)
        elif wire == BYTES:
            length, at = read_varint(data, at)
            value, at = read_bytes(data, at, length)
        elif wire in (FIXED64, FIXED32):
            value, at = read_bytes(data, at, 8 if wire == FIXED64 else 4)
        else:
            raise DecodeError(f"the wire type {wire}")
        yield field, value


@dataclass
class LabNote:
    text: str = ""
    bytes: bytes = b""
    number: int = 0

    def encode(self):
        out = b""
        if self.text:
            out += text_field(1, self.text)
        if self.bytes:
            out += bytes_field(2, self.bytes)
        if self.number:
            out += number_field(3, self.number)
        return out

    @classmethod
    def decode(cls, data):
        fields = dict(read_fields(data))
        return cls(bytes(fields.get(1, b"")).decode(), bytes(fields.get(2, b"")), signed(fields.get(3, 0)))


def encode_arguments(*values):
    """Several arguments, or one that is no message: a field for each, numbered by position (4.4)."""
    return b"".join(text_field(n, value) if isinstance(value, str) else number_field(n, value)
                    for n, value in enumerate(values, 1))


def decode_number(data):
    return signed(dict(read_fields(data)).get(1, 0))
