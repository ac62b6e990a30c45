"""As much of protocol buffers as the contract interop.Lab needs (PROTOCOL.md, section 4.4): varints and bytes."""


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """One field. A number or a text is written even if it is zero or empty, which a reader takes either way."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """number -> value: an int, or bytes."""
    found, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            found[tag >> 3], at = read_varint(data, at)
        elif tag & 7 == 2:
            length, at = read_varint(data, at)
            if at + length > len(data):
                raise ValueError("a field is cut short")
            found[tag >> 3], at = bytes(data[at:at + length]), at + length
        else:
            raise ValueError(f"wire type {tag & 7}")
    return found


def note(text="", data=b"", number=0):
    return (field(1, text) if text else b"") + (field(2, data) if data else b"") + (field(3, number) if number else b"")


def read_note(body):
    found = fields(body)
    return found.get(1, b"").decode(), found.get(2, b""), found.get(3, 0)


def value(body):
    return fields(body).get(1, 0)
