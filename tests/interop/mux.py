"""A dialing side of the RPC protocol Mux, version 1. Numbers in brackets are sections of PROTOCOL.md."""

import asyncio
import hashlib
import hmac
import os
import struct
import time
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

PREFACE = b"MUX1\r\n\x1a\n"
VERSION = 1
LARGEST_HELLO = 4096
LARGEST_HEAD = 4 + 4 + 4  # ordinal and options, deadline, total length
LARGEST_AUTH = 8192
LARGEST_FAIL = 16384
LARGEST_TEXT = 4096
LARGEST_GOAWAY_TEXT = 1024
LARGEST_CREDIT = 2**31 - 1
LARGEST_METADATA = 65535
LONGEST_DEADLINE = 2**32 - 1
MOST_ENTRIES = 64
MOST_SETTINGS = 64
HANDSHAKE_TIME = 10
FRAME_TIME = 30
ACKNOWLEDGEMENT_TIME = 5
LEAVE_TIME = 5
END_TIME = 1


class Kind(IntEnum):
    HELLO = 0x01
    PING = 0x02
    GOAWAY = 0x03
    CREDIT = 0x04
    DEFINE = 0x05
    AUTH = 0x07
    REQUEST = 0x08
    REQUEST_ITEM = 0x09
    REQUEST_END = 0x0A
    CANCEL = 0x0B
    REQUEST_CREDIT = 0x0C
    RESPONSE = 0x10
    RESPONSE_ITEM = 0x11
    FAIL = 0x12
    RESPONSE_CREDIT = 0x13


EXTENSIONS = range(0x18, 0x20)
CONNECTION_KINDS = {Kind.HELLO, Kind.PING, Kind.GOAWAY, Kind.CREDIT, Kind.DEFINE, Kind.AUTH}


class Flag(IntFlag):
    NONE = 0
    MORE = 1
    META = 2
    COMPRESSED = 4
    ANSWER = 4


FLAGS = {kind: Flag.NONE for kind in Kind} | {
    Kind.REQUEST: Flag.MORE | Flag.META, Kind.RESPONSE: Flag.MORE | Flag.META, Kind.FAIL: Flag.META,
    Kind.REQUEST_ITEM: Flag.MORE, Kind.RESPONSE_ITEM: Flag.MORE,
    Kind.PING: Flag.ANSWER, Kind.GOAWAY: Flag.ANSWER, Kind.DEFINE: Flag.ANSWER, Kind.AUTH: Flag.ANSWER}
MESSAGES = {Kind.REQUEST, Kind.REQUEST_ITEM, Kind.RESPONSE, Kind.RESPONSE_ITEM}


class Shape(IntFlag):
    UNARY = 0
    REQUEST_STREAM = 1
    RESPONSE_STREAM = 2
    ONE_WAY = 4


class Option(IntFlag):
    NONE = 0
    HIGH = 1
    LOW = 2
    ONE_WAY = 4
    REQUEST_STREAM = 8
    IDEMPOTENT = 16
    RETRY = 32
    DEADLINE = 64
    TRACE = 128


class Reason(IntEnum):
    UNSPECIFIED = 0
    DEADLINE = 1
    SUPERSEDED = 2


class Status(IntEnum):
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class Execution(IntEnum):
    NOT_EXECUTED = 0
    MAY_HAVE_EXECUTED = 1
    EXECUTED = 2


class Code(IntEnum):
    OK = 0
    PROTOCOL_ERROR = 1
    FRAME_TOO_LARGE = 2
    FLOW_CONTROL_ERROR = 3
    VERSION_MISMATCH = 4
    AUTH_FAILED = 5
    COMPRESSION_ERROR = 6
    EXCESSIVE_LOAD = 7
    TOO_MANY_PINGS = 8
    SLOW_PEER = 9
    KEEP_ALIVE_TIMEOUT = 10
    IDLE_TIMEOUT = 11
    MAX_AGE = 12
    DRAINING = 13
    INTERNAL = 14


DRAINS = {Code.OK, Code.IDLE_TIMEOUT, Code.MAX_AGE, Code.DRAINING}


class BrokenRule(Exception):
    """The peer broke a rule: the connection ends with this code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class LinkEnded(Exception):
    pass


class MuxError(Exception):
    """The failure of a call."""

    def __init__(self, status, execution, text="", retry_after=0, metadata=(), detail=None):
        super().__init__(f"{status.name}, {execution.name}: {text}")
        self.status, self.execution, self.text = status, execution, text
        self.retry_after, self.metadata, self.detail = retry_after, list(metadata), detail


def protocol_error(text):
    return BrokenRule(Code.PROTOCOL_ERROR, text)


def require(condition, text):
    if not condition:
        raise protocol_error(text)


def shown(raw):
    """Text of a peer as it may be shown in a log: nothing in it can pass for a line or a command."""
    text = bytes(raw).decode("utf-8", "replace")
    return "".join("\ufffd" if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" else c for c in text)


# Frames (2)

@dataclass(slots=True)
class Frame:
    kind: int
    flags: int
    id: int
    payload: bytes = b""

    def has(self, flag):
        return bool(self.flags & flag)


def encode_frame(kind, id=0, payload=b"", flags=0):
    return struct.pack("<II", len(payload) | kind << 24 | flags << 29, id) + payload


def check_header(length, kind, flags, id, limit):
    """The order of these checks is part of the protocol (2.1)."""
    require(kind in FLAGS or kind in EXTENSIONS, f"kind {kind:#04x}")
    if length > limit:
        raise BrokenRule(Code.FRAME_TOO_LARGE, f"a frame of {length} bytes")
    if kind in EXTENSIONS:
        return
    if kind in MESSAGES and flags & Flag.COMPRESSED:
        raise BrokenRule(Code.COMPRESSION_ERROR, "a compressed message")
    require(not flags & ~FLAGS[kind], f"flags {flags} on kind {kind:#04x}")
    require(id == 0 if kind in CONNECTION_KINDS else id & 0xFFFFF, f"id {id:#x} on kind {kind:#04x}")


class FrameReader:
    def __init__(self, stream):
        self.stream = stream
        self.buffer = bytearray()
        self.limit = LARGEST_HELLO

    async def preface(self):
        while self.buffer[:8] != PREFACE:
            if not PREFACE.startswith(self.buffer[:8]):
                raise LinkEnded("the peer does not speak Mux")
            await self._more()
        del self.buffer[:8]

    async def next(self):
        if not self.buffer:
            await self._more()
        try:
            async with asyncio.timeout(FRAME_TIME):
                return await self._frame()
        except TimeoutError:
            raise BrokenRule(Code.SLOW_PEER, "a frame did not become complete") from None

    async def discard(self):
        while await self.stream.read(65536):
            pass

    async def _frame(self):
        while len(self.buffer) < 8:
            await self._more()
        word, id = struct.unpack_from("<II", self.buffer)
        length, kind, flags = word & 0xFFFFFF, word >> 24 & 0x1F, word >> 29
        check_header(length, kind, flags, id, self.limit)
        while len(self.buffer) < 8 + length:
            await self._more()
        payload = bytes(self.buffer[8:8 + length])
        del self.buffer[:8 + length]
        return Frame(kind, flags, id, payload)

    async def _more(self):
        try:
            data = await self.stream.read(65536)
        except OSError as error:
            raise LinkEnded(str(error)) from None
        if not data:
            raise LinkEnded("the peer ended its direction")
        self.buffer += data


# HELLO (1.2, 1.3)

SETTINGS = {
    1: ("max_frame", 16384, 65536), 2: ("max_message", 16384, LARGEST_CREDIT), 3: ("max_calls", 0, 2**20 - 1),
    4: ("stream_credit", 1, LARGEST_CREDIT), 5: ("bulk_credit", 1, LARGEST_CREDIT),
    6: ("keep_alive", 0, LARGEST_CREDIT), 7: ("idle", 0, LARGEST_CREDIT), 8: ("max_metadata", 0, 65535),
    12: ("max_methods", 0, 65536), 13: ("fingerprints", 0, 1), 14: ("authenticate", 0, 1),
    16: ("control_frames", 0, LARGEST_CREDIT), 17: ("small_fragments", 0, LARGEST_CREDIT),
    18: ("ping_interval", 0, LARGEST_CREDIT), 19: ("premature_cancels", 0, LARGEST_CREDIT)}
NAME, INSTANCE = 10, 11


@dataclass
class Settings:
    """What one side accepts. The values here are those that a setting has when it is absent."""
    max_frame: int = 65536
    max_message: int = 4 << 20
    max_calls: int = 16384
    stream_credit: int = 64 << 10
    bulk_credit: int = 1 << 20
    keep_alive: int = 0
    idle: int = 0
    max_metadata: int = 8 << 10
    max_methods: int = 4096
    fingerprints: int = 0
    authenticate: int = 0
    control_frames: int = 0
    small_fragments: int = 0
    ping_interval: int = 0
    premature_cancels: int = 0
    name: str = ""
    instance: bytes = b""


def encode_setting(key, value):
    value = struct.pack("<I", value) if isinstance(value, int) else value
    return struct.pack("<HH", key, len(value)) + value


def encode_hello(settings):
    absent = Settings()
    out = struct.pack("<BBH", VERSION, VERSION, 0)
    for key, (name, _, _) in SETTINGS.items():
        if getattr(settings, name) != getattr(absent, name):
            out += encode_setting(key, getattr(settings, name))
    if settings.name:
        out += encode_setting(NAME, settings.name.encode())
    return out + (encode_setting(INSTANCE, settings.instance) if settings.instance else b"")


def read_settings(data):
    found, at = {}, 0
    while at < len(data):
        if len(found) == MOST_SETTINGS:
            raise BrokenRule(Code.EXCESSIVE_LOAD, "more than 64 settings")
        require(at + 4 <= len(data), "a setting is cut short")
        key, length = struct.unpack_from("<HH", data, at)
        at += 4 + length
        require(at <= len(data), "a setting is cut short")
        require(key not in found, f"setting {key} comes twice")
        found[key] = data[at - length:at]
    return found


def decode_settings(data):
    settings = Settings()
    for key, value in read_settings(data).items():
        if key in SETTINGS:
            name, low, high = SETTINGS[key]
            require(len(value) == 4, f"setting {key} has {len(value)} bytes")
            number = int.from_bytes(value, "little")
            require(low <= number <= high, f"setting {key} is {number}")
            setattr(settings, name, number)
        elif key == NAME:
            require(len(value) <= 256, "a name of more than 256 bytes")
            settings.name = shown(value)
        elif key == INSTANCE:
            require(len(value) == 16, "an instance id that has not 16 bytes")
            settings.instance = value
    return settings


def decode_hello(payload):
    require(len(payload) >= 4, "a HELLO that is cut short")
    low, high = payload[0], payload[1]
    settings = decode_settings(payload[4:])
    require(low <= high, f"the versions {low} to {high}")
    if (low, high) != (VERSION, VERSION):
        raise BrokenRule(Code.VERSION_MISMATCH, f"the peer has chosen {low} to {high}, this side offered {VERSION}")
    return settings


# Metadata (4.3)

class MetadataAboveLimit(Exception):
    pass


KEY_CHARACTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789._-")


def encode_metadata(entries):
    raw = b""
    for key, value in entries:
        key, value = key.encode(), value.encode() if isinstance(value, str) else value
        raw += struct.pack("<B", len(key)) + key + struct.pack("<H", len(value)) + value
    return struct.pack("<H", len(raw)) + raw


def charge_of(entries):
    return sum(len(key) + len(value) + 32 for key, value in entries)


def check_metadata(entries, limit):
    if len(entries) > MOST_ENTRIES:
        raise MetadataAboveLimit(f"{len(entries)} metadata entries, {MOST_ENTRIES} are accepted")
    if charge_of(entries) > limit:
        raise MetadataAboveLimit(f"metadata of {charge_of(entries)} bytes, {limit} are accepted")


def read_entry(data, at, end):
    require(at + 1 + data[at] + 2 <= end, "a metadata entry beyond its block")
    key = data[at + 1:at + 1 + data[at]]
    require(key and KEY_CHARACTERS.issuperset(key), "a metadata key that is not allowed")
    at += 1 + len(key)
    length, = struct.unpack_from("<H", data, at)
    at += 2 + length
    require(at <= end, "a metadata entry beyond its block")
    return (key.decode(), data[at - length:at]), at


def decode_metadata(data, at):
    """The form of the whole block is checked here, its limits by the caller."""
    require(at + 2 <= len(data), "a metadata block that is cut short")
    length, = struct.unpack_from("<H", data, at)
    at, end = at + 2, at + 2 + length
    require(end <= len(data), "a metadata block beyond the payload")
    entries = []
    while at < end:
        entry, at = read_entry(data, at, end)
        entries.append(entry)
    return entries, at


def public(entries):
    return [(key, value) for key, value in entries if not key.startswith("mux-")]


# FAIL and GOAWAY (5.1, 3.3)

def known_status(number):
    try:
        return Status(number), ""
    except ValueError:
        return Status.INTERNAL, f"(status {number}) "


def decode_fail(frame, metadata_limit):
    data = frame.payload
    require(8 <= len(data) <= LARGEST_FAIL, "a FAIL of a wrong length")
    number, execution, retry_after, length = struct.unpack_from("<BBIH", data)
    require(execution <= Execution.EXECUTED, f"the execution {execution}")
    require(8 + length <= len(data), "a text beyond its FAIL")
    metadata, at = decode_metadata(data, 8 + length) if frame.has(Flag.META) else ([], 8 + length)
    status, note = known_status(number)
    return MuxError(status, Execution(execution), note + shown(data[8:8 + length][:LARGEST_TEXT]), retry_after,
                    metadata_within(metadata, metadata_limit), decode_detail(data[at:]))


def metadata_within(entries, limit):
    try:
        check_metadata(entries, limit)
    except MetadataAboveLimit:
        return []
    return public(entries)


def decode_detail(data):
    if not data:
        return None
    require(len(data) >= 2 and data[:2] != b"\0\0", "a detail without a number")
    return int.from_bytes(data[:2], "little"), data[2:]


@dataclass
class GoAway:
    code: int
    retry_after: int
    text: str


def encode_goaway(code, text="", retry_after=0):
    return struct.pack("<HI", code, retry_after) + text.encode()[:LARGEST_GOAWAY_TEXT]


def decode_goaway(payload):
    require(6 <= len(payload) <= 6 + LARGEST_GOAWAY_TEXT, "a GOAWAY of a wrong length")
    code, retry_after = struct.unpack_from("<HI", payload)
    return GoAway(code, retry_after, shown(payload[6:]))


# A shared key (3.7)

class SharedKey:
    SCHEME = b"shared-key"
    LABEL = b"mux/1 shared-key 3\0"

    def __init__(self, id, key):
        self.id, self.key = id.encode(), key

    def claim(self, nonce):
        return struct.pack("<B", len(self.id)) + self.id + b"\0" + nonce

    def mac(self, role, claim, nonce_of_peer):
        return hmac.digest(self.key, self.LABEL + bytes([role]) + claim + nonce_of_peer, hashlib.sha256)

    def credential(self, nonce_of_peer):
        """Returns the AUTH to send, and the proof that the acceptance must carry."""
        claim = self.claim(os.urandom(16))
        token = claim + self.mac(1, claim, nonce_of_peer)
        return bytes([len(self.SCHEME)]) + self.SCHEME + token, self.mac(2, claim, nonce_of_peer)


def decode_challenge(payload):
    require(len(payload) >= 32, "a challenge that is cut short")
    schemes, at = [], 32
    while at < len(payload):
        length = payload[at]
        at += 1 + length
        require(1 <= length <= 64 and at <= len(payload) and len(schemes) < 16, "a malformed challenge")
        schemes.append(payload[at - length:at])
    return payload[:32], schemes


def decode_acceptance(payload):
    require(len(payload) in (36, 68), "a malformed acceptance")
    return int.from_bytes(payload[:4], "little"), payload[4:36], payload[36:]


# Credit (6.2)

class SendCredit:
    def __init__(self, amount):
        self.left = amount
        self.changed = asyncio.Event()
        self.closed = False

    def grant(self, amount):
        if self.left + amount > LARGEST_CREDIT:
            raise BrokenRule(Code.FLOW_CONTROL_ERROR, "credit beyond 2^31-1")
        self.left += amount
        self.changed.set()

    def spend(self, cost):
        self.left -= cost

    def close(self):
        self.closed = True
        self.changed.set()

    async def available(self):
        while self.left <= 0 and not self.closed:
            self.changed.clear()
            await self.changed.wait()


class ReceiveWindow:
    """What the peer may still send. Credit is granted in steps: each of them costs both sides a frame."""

    def __init__(self, size, step):
        self.left, self.step = size, step
        self.taken = 0

    def begin(self):
        if self.left <= 0:
            raise BrokenRule(Code.FLOW_CONTROL_ERROR, "more than credit was granted for")

    def charge(self, cost):
        self.left -= cost

    def take(self, cost):
        """Returns what to grant now, if anything."""
        self.taken += cost
        if self.taken < self.step:
            return 0
        grant, self.taken = self.taken, 0
        self.left += grant
        return grant


def cost_of_item(payload):
    return max(64, 8 + len(payload))


def decode_credit(payload):
    require(len(payload) == 4, "credit that has not four bytes")
    amount = int.from_bytes(payload, "little")
    if not 1 <= amount <= LARGEST_CREDIT:
        raise BrokenRule(Code.FLOW_CONTROL_ERROR, f"a credit of {amount}")
    return amount


# Messages in fragments (6.1)

class Assembly:
    """A message that arrives in fragments. One that is not wanted is counted, but not kept."""

    def __init__(self, total, wanted):
        require(1 <= total <= LARGEST_CREDIT, f"a message of {total} bytes in fragments")
        self.total, self.wanted = total, wanted
        self.received = self.continuations = 0
        self.parts = []
        self.cost = 0
        self.metadata = []

    def add(self, payload, more):
        self._count(payload)
        require(payload, "an empty continuation")
        require(self.received <= self.total, "more than the total length")
        require(more == (self.received < self.total), "the message does not end at its total length")
        if self.wanted:
            self.parts.append(payload)

    def refuse(self):
        self.wanted = False
        self.parts.clear()

    def body(self):
        return b"".join(self.parts)

    def _count(self, payload):
        self.received += len(payload)
        self.continuations += 1
        if self.continuations > self.total // 1024 + 16:
            raise BrokenRule(Code.EXCESSIVE_LOAD, "too many fragments")


def read_total(payload):
    require(len(payload) >= 4, "a total length that is cut short")
    return int.from_bytes(payload[:4], "little")


@dataclass
class Splitting:
    """When a sender makes fragments of a message, and how long they are."""
    one_frame: int = 16384
    fragment: int = 32768


# Calls

@dataclass
class Reply:
    body: bytes
    metadata: list = field(default_factory=list)


class Call:
    """A call at its initiator, from its REQUEST until its terminal frame."""

    def __init__(self, connection, slot, generation, shape):
        self.connection, self.slot, self.generation, self.shape = connection, slot, generation, shape
        self.id = slot | generation << 20
        self.outcome = asyncio.get_running_loop().create_future()
        self.outcome.add_done_callback(lambda outcome: outcome.exception())
        self.arrived = asyncio.Queue()
        self.credit = SendCredit(connection.peer.stream_credit)
        window = connection.settings.stream_credit
        self.window = ReceiveWindow(window, step=(window + 1) // 2)
        self.message = None
        self.sending = asyncio.Lock()
        self.request_sent = asyncio.Event()
        self.timer = None
        self.abandoned = self.over = self.request_ended = False

    # for the user

    async def result(self):
        try:
            return await asyncio.shield(self.outcome)
        except asyncio.CancelledError:
            self.cancel()
            raise

    async def send(self, item):
        """Returns when the item is on its way: at once while there is credit."""
        await self.request_sent.wait()
        async with self.sending:
            await self.credit.available()
            self._require_running()
            await self.connection.send_item(self, item)

    async def end(self):
        await self.request_sent.wait()
        async with self.sending:
            if not self.over and not self.abandoned:
                self.request_ended = True
                self.connection.send(Kind.REQUEST_END, self.id)

    def cancel(self, reason=Reason.UNSPECIFIED):
        self.abandon(MuxError(Status.CANCELLED, Execution.MAY_HAVE_EXECUTED, "cancelled by the caller"), reason)

    def __aiter__(self):
        return self

    async def __anext__(self):
        item = await self.arrived.get()
        if item is None:
            self.arrived.put_nowait(None)
            await self.outcome
            raise StopAsyncIteration
        body, cost = item
        self._return_credit(cost)
        return body

    # for the connection

    @property
    def stopped(self):
        return self.over or self.abandoned

    def abandon(self, error, reason=Reason.UNSPECIFIED):
        """The caller gets its answer now; the slot stays in use until the terminal frame (2.3)."""
        if self.stopped:
            return
        self.abandoned = True
        self.connection.send(Kind.CANCEL, self.id, bytes([reason]))
        if self.message:
            self.message.refuse()
        self._settle(error=error)

    def expire(self):
        self.abandon(MuxError(Status.DEADLINE_EXCEEDED, Execution.MAY_HAVE_EXECUTED, "the deadline has passed"),
                     Reason.DEADLINE)

    def finish(self, reply=None, error=None):
        self.over = True
        self.message = None
        self._settle(reply, error)

    def _settle(self, reply=None, error=None):
        self.credit.close()
        self.request_sent.set()
        self.arrived.put_nowait(None)
        if self.timer:
            self.timer.cancel()
        if self.outcome.done():
            return
        if error:
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(reply)

    def _require_running(self):
        if self.outcome.done() and self.outcome.exception():
            raise self.outcome.exception()
        if self.stopped or self.request_ended:
            raise MuxError(Status.CANCELLED, Execution.EXECUTED, "the request stream is over")

    def _return_credit(self, cost):
        grant = self.window.take(cost)
        if grant and not self.stopped:
            self.connection.send(Kind.RESPONSE_CREDIT, self.id, struct.pack("<I", grant))


class SlotTable:
    """Slots and generations (2.2)."""

    def __init__(self):
        self.calls = [None]
        self.generations = [0]
        self.freed = []
        self.open = 0
        self.nothing_open = asyncio.Event()
        self.nothing_open.set()

    def next(self):
        if self.freed:
            slot = self.freed.pop()
        else:
            slot = len(self.calls)
            self.calls.append(None)
            self.generations.append(0)
        self.generations[slot] = (self.generations[slot] + 1) % 4096
        return slot, self.generations[slot]

    def add(self, call):
        self.calls[call.slot] = call
        self.open += 1
        self.nothing_open.clear()

    def find(self, id):
        slot, generation = id & 0xFFFFF, id >> 20
        call = self.calls[slot] if slot < len(self.calls) else None
        require(call and call.generation == generation, f"a frame for a call that is not open: {id:#x}")
        return call

    def free(self, call):
        self.calls[call.slot] = None
        self.freed.append(call.slot)
        self.open -= 1
        if not self.open:
            self.nothing_open.set()

    def all(self):
        return [call for call in self.calls if call]


# The connection

class Connection:
    def __init__(self, reader, writer, settings, credential, splitting):
        self.frames, self.writer = FrameReader(reader), writer
        self.settings, self.credential, self.splitting = settings, credential, splitting
        self.peer = Settings()
        self.slots = SlotTable()
        self.ordinals = {}
        self.extensions_skipped = 0
        self.pings, self.pings_sent, self.last_ping = {}, 0, 0.0
        self.peer_drains = self.draining = False
        self.acknowledged = asyncio.Event()
        self.ended = asyncio.Event()
        self.goaway = None
        self.cause = None
        self.proof_expected = None
        self.lifetime = 0
        self.tasks = set()
        self.handlers = {
            Kind.PING: self._on_ping, Kind.GOAWAY: self._on_goaway, Kind.CREDIT: self._on_credit,
            Kind.DEFINE: self._on_define, Kind.AUTH: self._on_auth, Kind.RESPONSE: self._on_response,
            Kind.RESPONSE_ITEM: self._on_item, Kind.FAIL: self._on_fail, Kind.REQUEST_CREDIT: self._on_item_credit}

    # for the user

    async def call(self, method, body=b"", **options):
        return await (await self.start(method, Shape.UNARY, body, **options)).result()

    async def tell(self, method, body=b"", **options):
        """A one-way call: it is complete when its last frame is on its way."""
        call = await self.start(method, Shape.ONE_WAY, body, **options)
        await call.request_sent.wait()
        return call

    async def start(self, method, shape, body=b"", *, metadata=(), timeout=None, options=Option.NONE):
        metadata = [(key, value.encode() if isinstance(value, str) else value) for key, value in metadata]
        self._check_request(body, metadata)
        deadline = None if timeout is None else time.monotonic() + timeout
        await self._wait_for_slot(method, timeout)
        return self._open(method, shape, body, metadata, deadline, options)

    async def ping(self):
        """Paced by the peer's setting 18. An answer stands for all PINGs before it, too (3.2)."""
        pause = max(self.peer.ping_interval, 1000) / 1000
        await asyncio.sleep(max(0.0, self.last_ping + pause - time.monotonic()))
        self._check_open()
        self.last_ping, self.pings_sent = time.monotonic(), self.pings_sent + 1
        answer = self.pings[self.pings_sent] = asyncio.get_running_loop().create_future()
        self.send(Kind.PING, payload=struct.pack("<Q", self.pings_sent))
        await answer
        return time.monotonic() - self.last_ping

    async def close(self):
        """Drains: what is open goes on, then the ordered end follows (7.1)."""
        if not self.cause and not self.draining:
            self.draining = True
            self.free_slots.release()
            self.send(Kind.GOAWAY, payload=encode_goaway(Code.DRAINING))
            await self._wait(self.acknowledged, ACKNOWLEDGEMENT_TIME)
            await self.slots.nothing_open.wait()
            await self._end("this side closed the connection")
        await self.ended.wait()

    async def __aenter__(self):
        return self

    async def __aexit__(self, error, *_):
        """After an error nobody is left to finish the calls that are open."""
        if error:
            for call in self.slots.all():
                call.cancel()
        await self.close()

    # opening calls

    def _check_request(self, body, metadata):
        try:
            check_metadata(metadata, min(self.peer.max_metadata, LARGEST_METADATA))
        except MetadataAboveLimit as limit:
            raise MuxError(Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED, str(limit)) from None
        if LARGEST_HEAD + len(encode_metadata(metadata)) > self.peer.max_frame:
            raise MuxError(Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED, "metadata longer than a frame may be")
        self._check_length(body, Execution.NOT_EXECUTED)

    def _check_length(self, body, execution):
        if len(body) > self.peer.max_message:
            raise MuxError(Status.RESOURCE_EXHAUSTED, execution,
                           f"a message of {len(body)} bytes, the peer's setting 2 is {self.peer.max_message}")

    async def _wait_for_slot(self, method, timeout):
        self._check_open()
        if self.peer.max_calls == 0:
            raise MuxError(Status.UNAVAILABLE, Execution.NOT_EXECUTED, "the peer accepts no calls")
        try:
            async with asyncio.timeout(timeout):
                await self.writer.drain()
                await self.free_slots.acquire()
        except TimeoutError:
            raise MuxError(Status.DEADLINE_EXCEEDED, Execution.NOT_EXECUTED, "expired before it was sent") from None
        except OSError as error:
            raise MuxError(Status.UNAVAILABLE, Execution.NOT_EXECUTED, str(error)) from None

    def _open(self, method, shape, body, metadata, deadline, options):
        """Nothing here waits: slot, generation, ordinal and deadline belong to the order of the bytes (2.2)."""
        try:
            self._check_open()
            left = self._time_left(deadline)
            definition = self._ordinal(method, shape)
        except MuxError:
            self.free_slots.release()
            raise
        call = Call(self, *self.slots.next(), shape)
        self.slots.add(call)
        self._append_request(call, definition, body, metadata, left, options)
        if deadline is not None:
            call.timer = asyncio.get_running_loop().call_later(deadline - time.monotonic(), call.expire)
        return call

    def _check_open(self):
        if self.cause or self.peer_drains or self.draining:
            raise MuxError(Status.UNAVAILABLE, Execution.NOT_EXECUTED, str(self.cause or "the connection drains"),
                           self.goaway.retry_after if self.goaway else 0)

    @staticmethod
    def _time_left(deadline):
        if deadline is None:
            return None
        left = int((deadline - time.monotonic()) * 1e6)
        if left <= 0:
            raise MuxError(Status.DEADLINE_EXCEEDED, Execution.NOT_EXECUTED, "expired before it was sent")
        return left if left <= LONGEST_DEADLINE else None

    def _ordinal(self, method, shape):
        key = method, shape
        if key not in self.ordinals:
            if len(self.ordinals) >= self.peer.max_methods:
                raise MuxError(Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED, "too many methods for setting 12")
            self.ordinals[key] = len(self.ordinals)
            name = method.encode() if isinstance(method, str) else method
            self.send(Kind.DEFINE, payload=struct.pack("<HB", self.ordinals[key], shape) + name)
        return self.ordinals[key]

    def _append_request(self, call, ordinal, body, metadata, left, options):
        if call.shape & Shape.ONE_WAY:
            options |= Option.ONE_WAY
        if call.shape & Shape.REQUEST_STREAM:
            options |= Option.REQUEST_STREAM
        head = struct.pack("<HH", ordinal, options | (Option.DEADLINE if left is not None else 0))
        if left is not None:
            head += struct.pack("<I", left)
        block = encode_metadata(metadata) if metadata else b""
        flags = Flag.META if metadata else Flag.NONE
        if not self._is_bulk(body, len(head) + len(block)):
            self.send(Kind.REQUEST, call.id, head + block + body, flags)
            call.request_sent.set()
            return
        self.send(Kind.REQUEST, call.id, head + struct.pack("<I", len(body)) + block, flags | Flag.MORE)
        self._in_background(self._send_request_body(call, body))

    def _in_background(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # sending

    def send(self, kind, id=0, payload=b"", flags=0):
        if not self.cause:
            self.writer.write(encode_frame(kind, id, payload, flags))

    def _is_bulk(self, body, head=0):
        return bool(body) and (len(body) > self.splitting.one_frame or head + len(body) > self.peer.max_frame)

    def _pieces(self, body):
        size = min(self.splitting.fragment, self.peer.max_frame)
        for at in range(0, len(body), size):
            yield body[at:at + size], Flag.MORE if at + size < len(body) else Flag.NONE

    async def _send_request_body(self, call, body):
        for piece, flags in self._pieces(body):
            await self._room()
            await self.bulk_credit.available()
            if call.stopped or self.cause:
                return
            self.bulk_credit.spend(len(piece))
            self.send(Kind.REQUEST, call.id, piece, flags)
        call.request_sent.set()

    async def send_item(self, call, item):
        try:
            self._check_length(item, Execution.MAY_HAVE_EXECUTED)
        except MuxError as error:
            call.abandon(error)
            raise
        if not self._is_bulk(item):
            self._send_item_frame(call, item, Flag.NONE)
            await self._room()
            return
        self._send_item_frame(call, struct.pack("<I", len(item)), Flag.MORE)
        for piece, flags in self._pieces(item):
            await self._room()
            if call.stopped:
                return
            self._send_item_frame(call, piece, flags)

    def _send_item_frame(self, call, payload, flags):
        call.credit.spend(cost_of_item(payload))
        self.send(Kind.REQUEST_ITEM, call.id, payload, flags)

    async def _room(self):
        try:
            await self.writer.drain()
        except OSError:
            pass

    # the handshake (1)

    async def handshake(self):
        self.writer.write(PREFACE)
        self.writer.write(encode_frame(Kind.HELLO, payload=encode_hello(self.settings)))
        await self.frames.preface()
        self._on_hello(await self._first_frame(Kind.HELLO))
        if self.peer.authenticate:
            await self._authenticate()
        elif self.credential:
            raise BrokenRule(Code.AUTH_FAILED, "the server does not ask for a credential")
        self.frames.limit = self.settings.max_frame
        self._in_background(self._run())

    async def _first_frame(self, kind):
        while True:
            frame = await self.frames.next()
            if frame.kind == Kind.GOAWAY and not frame.has(Flag.ANSWER):
                self.goaway = decode_goaway(frame.payload)
                raise LinkEnded(f"GOAWAY {self.goaway.code}: {self.goaway.text}")
            if frame.kind == Kind.PING and kind != Kind.HELLO:
                self._on_ping(frame)
                continue
            require(frame.kind == kind, f"kind {frame.kind:#04x} during the handshake")
            return frame

    def _on_hello(self, frame):
        self.peer = decode_hello(frame.payload)
        self.free_slots = asyncio.Semaphore(self.peer.max_calls)
        self.bulk_credit = SendCredit(self.peer.bulk_credit)
        self.bulk_window = ReceiveWindow(self.settings.bulk_credit, step=1)

    async def _authenticate(self):
        self.frames.limit = LARGEST_AUTH
        frame = await self._first_frame(Kind.AUTH)
        require(not frame.has(Flag.ANSWER), "an acceptance of nothing")
        nonce, schemes = decode_challenge(frame.payload)
        if self.credential and self.credential.SCHEME not in schemes:
            raise BrokenRule(Code.AUTH_FAILED, "no scheme of the challenge is supported")
        self._send_credential(nonce)
        frame = await self._first_frame(Kind.AUTH)
        require(frame.has(Flag.ANSWER), "a second challenge")
        self._accepted(frame)

    def _send_credential(self, nonce):
        auth, self.proof_expected = self.credential.credential(nonce) if self.credential else (b"\0", b"")
        self.send(Kind.AUTH, payload=auth)

    def _accepted(self, frame):
        self.lifetime, nonce, proof = decode_acceptance(frame.payload)
        if not hmac.compare_digest(proof, self.proof_expected):
            raise BrokenRule(Code.AUTH_FAILED, "the server does not prove that it has the key")
        self.proof_expected = None
        if self.lifetime >= 1000:
            wait = (self.lifetime - min(60_000, self.lifetime // 5)) / 1000
            asyncio.get_running_loop().call_later(wait, self._send_credential, nonce)

    # receiving

    async def _run(self):
        try:
            while not self.cause:
                self._dispatch(await self.frames.next())
        except BrokenRule as rule:
            await self._end(f"the peer broke a rule: {rule}", encode_goaway(rule.code, str(rule)))
        except LinkEnded as end:
            await self._end(str(end))

    def _dispatch(self, frame):
        if frame.kind in EXTENSIONS:
            self.extensions_skipped += 1
            return
        require(frame.kind in self.handlers, f"kind {frame.kind:#04x} from a peer that may not call this side")
        self.handlers[frame.kind](frame)

    def _on_ping(self, frame):
        require(len(frame.payload) == 8, "a PING that has not 8 bytes")
        if not frame.has(Flag.ANSWER):
            self.send(Kind.PING, payload=frame.payload, flags=Flag.ANSWER)
            return
        number, = struct.unpack("<Q", frame.payload)
        if number in self.pings:
            for earlier in [n for n in self.pings if n <= number]:
                self.pings.pop(earlier).set_result(None)

    def _on_credit(self, frame):
        self.bulk_credit.grant(decode_credit(frame.payload))

    def _on_define(self, frame):
        """This side announces no methods and sends no fingerprints, so there is nothing to define or to answer."""
        if frame.has(Flag.ANSWER):
            raise protocol_error("an answer to a definition without a fingerprint")
        raise BrokenRule(Code.EXCESSIVE_LOAD, "a definition beyond setting 12")

    def _on_auth(self, frame):
        require(frame.has(Flag.ANSWER) and self.proof_expected is not None, "an AUTH that was not asked for")
        self._accepted(frame)

    def _on_goaway(self, frame):
        if frame.has(Flag.ANSWER):
            require(not frame.payload, "an acknowledgement that is not empty")
            require(self.draining and not self.acknowledged.is_set(), "an acknowledgement of nothing")
            self.acknowledged.set()
            return
        goaway = decode_goaway(frame.payload)
        if goaway.code not in DRAINS:
            self.goaway = goaway
            raise LinkEnded(f"GOAWAY {goaway.code}: {goaway.text}")
        if not self.peer_drains:
            self._acknowledge(goaway)

    def _acknowledge(self, goaway):
        self.goaway, self.peer_drains = goaway, True
        self.free_slots.release()
        self.send(Kind.GOAWAY, flags=Flag.ANSWER)
        self._in_background(self._leave_when_idle())

    async def _leave_when_idle(self):
        while not self.cause:
            await self.slots.nothing_open.wait()
            await asyncio.sleep(LEAVE_TIME)
            if not self.slots.open:
                await self._end("the peer drains and does not end")

    # replies

    def _on_response(self, frame):
        call = self.slots.find(frame.id)
        if call.shape & Shape.RESPONSE_STREAM:
            self._end_of_stream(call, frame)
        elif isinstance(call.message, Assembly):
            self._continue_reply(call, frame)
        elif frame.has(Flag.MORE):
            self._begin_reply(call, frame)
        else:
            self._whole_reply(call, frame)

    def _whole_reply(self, call, frame):
        metadata, at = decode_metadata(frame.payload, 0) if frame.has(Flag.META) else ([], 0)
        self._complete(call, frame.payload[at:], metadata)

    def _end_of_stream(self, call, frame):
        require(call.abandoned or not frame.has(Flag.MORE), "a reply to a stream in fragments")
        require(call.abandoned or not call.message, "a reply inside an item")
        if not frame.has(Flag.MORE):
            self._whole_reply(call, frame)

    def _complete(self, call, body, metadata):
        try:
            check_metadata(metadata, self.settings.max_metadata)
            if len(body) > self.settings.max_message:
                raise MetadataAboveLimit(f"a reply of {len(body)} bytes")
        except MetadataAboveLimit as limit:
            self._free(call, error=MuxError(Status.RESOURCE_EXHAUSTED, Execution.EXECUTED, str(limit)))
            return
        self._free(call, Reply(body, public(metadata)))

    def _begin_reply(self, call, frame):
        message = Assembly(read_total(frame.payload), wanted=not call.abandoned)
        metadata, at = decode_metadata(frame.payload, 4) if frame.has(Flag.META) else ([], 4)
        require(at == len(frame.payload), "body in a first fragment")
        message.metadata = metadata
        call.message = message
        self._refuse_if_too_large(call)

    def _refuse_if_too_large(self, call):
        try:
            check_metadata(call.message.metadata, self.settings.max_metadata)
            if call.message.total > self.settings.max_message:
                raise MetadataAboveLimit(f"a message of {call.message.total} bytes")
        except MetadataAboveLimit as limit:
            call.abandon(MuxError(Status.RESOURCE_EXHAUSTED, Execution.EXECUTED, str(limit)))

    def _continue_reply(self, call, frame):
        self._charge_bulk(frame)
        require(not frame.has(Flag.META), "metadata on a continuation")
        message = call.message
        message.add(frame.payload, frame.has(Flag.MORE))
        if not frame.has(Flag.MORE):
            self._complete(call, message.body(), message.metadata)

    def _charge_bulk(self, frame):
        self.bulk_window.begin()
        self.bulk_window.charge(len(frame.payload))
        if grant := self.bulk_window.take(len(frame.payload)):
            self.send(Kind.CREDIT, payload=struct.pack("<I", grant))

    def _on_item(self, frame):
        call = self.slots.find(frame.id)
        if call.abandoned:
            return
        require(call.shape & Shape.RESPONSE_STREAM, "an item of a call without a stream")
        if not call.message:
            call.window.begin()
        call.window.charge(cost_of_item(frame.payload))
        if call.message:
            self._continue_item(call, frame)
        elif frame.has(Flag.MORE):
            self._begin_item(call, frame)
        else:
            self._item(call, frame.payload, cost_of_item(frame.payload))

    def _begin_item(self, call, frame):
        require(len(frame.payload) <= 4, "body in a first fragment")
        call.message = Assembly(read_total(frame.payload), wanted=True)
        call.message.cost = cost_of_item(frame.payload)
        self._refuse_if_too_large(call)

    def _continue_item(self, call, frame):
        call.message.add(frame.payload, frame.has(Flag.MORE))
        call.message.cost += cost_of_item(frame.payload)
        if not frame.has(Flag.MORE):
            message, call.message = call.message, None
            self._item(call, message.body(), message.cost)

    def _item(self, call, body, cost):
        if len(body) > self.settings.max_message:
            call.abandon(MuxError(Status.RESOURCE_EXHAUSTED, Execution.EXECUTED, f"an item of {len(body)} bytes"))
        else:
            call.arrived.put_nowait((body, cost))

    def _on_fail(self, frame):
        error = decode_fail(frame, self.settings.max_metadata)
        self._free(self.slots.find(frame.id), error=error)

    def _on_item_credit(self, frame):
        amount = decode_credit(frame.payload)
        call = self.slots.find(frame.id)
        if call.abandoned:
            return
        require(call.shape & Shape.REQUEST_STREAM, "credit for a call without a stream")
        if not call.request_ended:
            call.credit.grant(amount)

    def _free(self, call, reply=None, error=None):
        call.finish(reply, error)
        self.slots.free(call)
        self.free_slots.release()

    # ends (7.1)

    async def _wait(self, event, seconds):
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass

    async def _end(self, cause, goaway=None):
        if self.cause:
            return
        if goaway:
            self.send(Kind.GOAWAY, payload=goaway)
        self.cause = cause
        self._fail_all()
        await self.ordered_end()
        self.ended.set()

    def _fail_all(self):
        for call in self.slots.all():
            call.finish(error=MuxError(Status.UNAVAILABLE, Execution.MAY_HAVE_EXECUTED, self.cause,
                                       self.goaway.retry_after if self.goaway else 0))
            self.slots.free(call)
        for answer in self.pings.values():
            answer.set_exception(ConnectionError(self.cause))
        self.pings.clear()
        self.bulk_credit.close()
        self.free_slots.release()

    async def ordered_end(self):
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT_TIME):
                await self.writer.drain()
            self.writer.write_eof()
            async with asyncio.timeout(END_TIME):
                await self.frames.discard()
        except (OSError, TimeoutError, RuntimeError):
            pass
        self.writer.close()


class HandshakeFailed(Exception):
    def __init__(self, cause, goaway=None):
        super().__init__(str(cause))
        self.goaway = goaway


async def connect(host, port, *, settings=None, credential=None, splitting=None):
    reader, writer = await asyncio.open_connection(host, port)
    settings = settings or client_settings()
    connection = Connection(reader, writer, settings, credential, splitting or Splitting())
    try:
        async with asyncio.timeout(HANDSHAKE_TIME):
            await connection.handshake()
    except BrokenRule as rule:
        await end_handshake(connection, rule.code, str(rule))
        raise HandshakeFailed(rule) from None
    except TimeoutError:
        await end_handshake(connection, Code.SLOW_PEER, "the handshake took too long")
        raise HandshakeFailed("the handshake took too long") from None
    except LinkEnded as end:
        writer.close()
        raise HandshakeFailed(end, connection.goaway) from None
    return connection


async def end_handshake(connection, code, text):
    connection.send(Kind.GOAWAY, payload=encode_goaway(code, text))
    await connection.ordered_end()


def client_settings(**changes):
    """This side accepts no calls, so it needs no part of an acceptor."""
    return Settings(**({"max_calls": 0, "max_methods": 0, "name": "python", "instance": os.urandom(16)} | changes))
