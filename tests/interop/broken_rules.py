"""Cases of inputs that break a rule, or only fail their call, with the reaction that PROTOCOL.md promises."""

import asyncio
import struct
from dataclasses import dataclass

from messages import LabNote, encode_arguments, varint
from mux import (PREFACE, Code, Execution, Flag, FrameReader, Kind, LinkEnded, Settings, SharedKey, Status,
                 decode_challenge, decode_fail, decode_goaway, encode_frame, encode_hello, encode_metadata,
                 encode_setting)

NO_BYTE = "closed without a byte"
GOES_ON = "the connection goes on"
PATIENCE = 15  # seconds; long, because only a failure takes them all
MOMENT = 0.3  # in which a handler starts: a call that is cancelled sooner may be answered as not executed
MORE, META, COMPRESSED, ANSWER = Flag.MORE, Flag.META, Flag.COMPRESSED, Flag.ANSWER


# Building input

def u32(value):
    return struct.pack("<I", value)


def hello(settings=b"", versions=(1, 1)):
    return encode_frame(Kind.HELLO, payload=bytes(versions) + b"\0\0" + settings)


def header(kind, length, id=0, flags=0):
    return struct.pack("<II", length | kind << 24 | flags << 29, id)


def define(ordinal=0, shape=0, name=b"interop.Lab/Echo"):
    return encode_frame(Kind.DEFINE, payload=struct.pack("<HB", ordinal, shape) + name)


def id_of(slot, generation):
    return slot | generation << 20


def request(rest=b"", options=0, ordinal=0, slot=1, generation=1, flags=0):
    return encode_frame(Kind.REQUEST, id_of(slot, generation), struct.pack("<HH", ordinal, options) + rest, flags)


def first(total, rest=b"", options=0, flags=0, slot=1):
    """The first frame of a REQUEST in fragments."""
    return request(u32(total) + rest, options, slot=slot, flags=MORE | flags)


def of_call(kind, payload=b"", flags=0, slot=1, generation=1):
    return encode_frame(kind, id_of(slot, generation), payload, flags)


def more(payload, flags=MORE):
    return of_call(Kind.REQUEST, payload, flags)


def item(payload=b"", flags=0):
    return of_call(Kind.REQUEST_ITEM, payload, flags)


def credit(kind, amount):
    return encode_frame(kind, 0 if kind == Kind.CREDIT else id_of(1, 1), u32(amount))


def ping(payload=b"12345678"):
    return encode_frame(Kind.PING, payload=payload)


ECHO = define()
ADD = define(name=b"interop.Lab/Add")
WAIT = define(name=b"interop.Lab/Wait")
TOTAL = define(shape=1, name=b"interop.Lab/Total")
COUNT = define(shape=2, name=b"interop.Lab/Count")
MIRROR = define(shape=3, name=b"interop.Lab/Mirror")
OPEN_ECHO = ECHO + request()
OPEN_WAIT = WAIT + request()
OPEN_TOTAL = TOTAL + request(options=8)
OPEN_MIRROR = MIRROR + request(options=8)
OPEN_COUNT = COUNT + request(encode_arguments(1_000_000, 1000))
END = of_call(Kind.REQUEST_END)
CANCEL = of_call(Kind.CANCEL, b"\0")


# A peer that sends any bytes

class RawPeer:
    @classmethod
    async def connect(cls, host, port):
        peer = cls()
        stream, peer.writer = await asyncio.open_connection(host, port)
        peer.frames = FrameReader(stream)
        return peer

    async def open(self, settings=None):
        self.send(PREFACE + encode_frame(Kind.HELLO, payload=encode_hello(settings or Settings())))
        await self.hello()

    async def hello(self):
        await self.frames.preface()
        await self.wait_for(Kind.HELLO)
        self.frames.limit = 65536

    def send(self, data):
        self.writer.write(data)

    async def wait_for(self, kind):
        """Skips what comes before, unless the connection ends."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self.frames.next()
                if frame.kind == kind:
                    return frame
                if frame.kind == Kind.GOAWAY and not frame.has(ANSWER):
                    raise LinkEnded(f"{decode_goaway(frame.payload)} instead of kind {kind:#04x}")

    async def goaway(self):
        goaway = decode_goaway((await self.wait_for(Kind.GOAWAY)).payload)
        await self.expect_end()
        return goaway

    async def expect_end(self):
        """The side that ends the connection ends its direction by itself (7.1)."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.frames.discard()
        except ConnectionError:
            pass

    async def pong(self):
        self.send(ping(b"still ok"))
        return (await self.wait_for(Kind.PING)).payload == b"still ok"

    def close(self):
        self.writer.close()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.close()


# What is expected

@dataclass
class Case:
    """Steps are bytes to send, kinds of frames to wait for, and numbers of seconds to pause."""
    name: str
    steps: list
    expected: object
    opened: bool = True
    settings: Settings = None


def breaks(code, **cases):
    return [Case(name, steps if isinstance(steps, list) else [steps], code) for name, steps in cases.items()]


def before_open(code, **cases):
    return [Case(name, [data], code, opened=False) for name, data in cases.items()]


def fails(status, execution, **cases):
    return [Case(name, steps if isinstance(steps, list) else [steps], (status, execution))
            for name, steps in cases.items()]


def preface_wrong_at(place):
    return PREFACE[:place] + bytes([PREFACE[place] ^ 1]) + PREFACE[place + 1:] + hello()


HANDSHAKE = [
    *before_open(NO_BYTE, http=b"GET / HTTP/1.1\r\n\r\n", hello_without_preface=hello(),
                 **{f"preface_wrong_at_{n}": preface_wrong_at(n) for n in (0, 4, 7)}),
    *before_open(Code.VERSION_MISMATCH, version_0=PREFACE + hello(versions=(0, 0)),
                 version_255=PREFACE + hello(versions=(255, 255)), versions_2_to_9=PREFACE + hello(versions=(2, 9))),
    *before_open(GOES_ON, versions_0_to_9=PREFACE + hello(versions=(0, 9)),
                 unknown_setting=PREFACE + hello(encode_setting(999, b"abc")),
                 reserved_setting=PREFACE + hello(encode_setting(9, b"")),
                 setting_14_from_the_dialing_side=PREFACE + hello(encode_setting(14, 1)),
                 settings_64=PREFACE + hello(b"".join(encode_setting(n, b"") for n in range(100, 164)))),
    *before_open(Code.EXCESSIVE_LOAD,
                 settings_65=PREFACE + hello(b"".join(encode_setting(n, b"") for n in range(100, 165)))),
    *before_open(Code.FRAME_TOO_LARGE, hello_of_4097_bytes=PREFACE + header(Kind.HELLO, 4097),
                 request_of_5000_before_hello=PREFACE + header(Kind.REQUEST, 5000, id_of(1, 1))),
    *before_open(
        Code.PROTOCOL_ERROR, versions_2_to_1=PREFACE + hello(versions=(2, 1)),
        empty_hello=PREFACE + encode_frame(Kind.HELLO), hello_with_id=PREFACE + encode_frame(Kind.HELLO, 1, b"\1\1\0\0"),
        hello_with_flag=PREFACE + encode_frame(Kind.HELLO, 0, b"\1\1\0\0", 1),
        request_of_3000_before_hello=PREFACE + header(Kind.REQUEST, 3000, id_of(1, 1)),
        define_before_hello=PREFACE + ECHO, extension_before_hello=PREFACE + encode_frame(0x18),
        ping_before_hello=PREFACE + ping(), goaway_before_hello=PREFACE + encode_frame(Kind.GOAWAY, 0, b"\r" + bytes(5)),
        setting_twice=PREFACE + hello(encode_setting(3, 5) * 2),
        unknown_setting_twice=PREFACE + hello(encode_setting(999, b"") * 2),
        setting_cut_short=PREFACE + hello(encode_setting(3, 5)[:-1]),
        setting_of_5_bytes=PREFACE + hello(encode_setting(3, b"12345")),
        stream_credit_0=PREFACE + hello(encode_setting(4, 0)),
        bulk_credit_2_31=PREFACE + hello(encode_setting(5, 2**31)),
        max_frame_16383=PREFACE + hello(encode_setting(1, 16383)),
        max_frame_65537=PREFACE + hello(encode_setting(1, 65537)),
        max_message_16383=PREFACE + hello(encode_setting(2, 16383)),
        instance_of_15_bytes=PREFACE + hello(encode_setting(11, bytes(15))),
        name_of_257_bytes=PREFACE + hello(encode_setting(10, bytes(257))),
        setting_13_is_2=PREFACE + hello(encode_setting(13, 2)),
        setting_15_is_2=PREFACE + hello(encode_setting(15, 2)))]

HEADERS = [
    *breaks(Code.PROTOCOL_ERROR, kind_0=header(0, 0), kind_lease=header(6, 0), kind_0d=header(0x0D, 0, 1),
            kind_14=header(0x14, 0, 1), length_word_80000000=b"\0\0\0\x80" + bytes(4), ping_with_more=header(2, 8, 0, 1),
            cancel_with_meta=header(0x0B, 1, id_of(1, 1), 2), item_with_meta=header(9, 1, id_of(1, 1), 2),
            fail_with_more=header(0x12, 8, id_of(1, 1), 1), ping_with_id=header(2, 8, 1),
            request_in_slot_0=header(8, 4, id_of(0, 1)), cancel_with_id_0=header(0x0B, 1)),
    *breaks(Code.COMPRESSION_ERROR, compressed_request=header(8, 4, id_of(1, 1), COMPRESSED),
            compressed_item=header(9, 4, id_of(1, 1), COMPRESSED)),
    *breaks(Code.FRAME_TOO_LARGE, frame_of_65537=header(8, 65537, id_of(1, 1)), extension_of_65537=header(0x18, 65537),
            largest_length=header(8, 0xFFFFFF, id_of(1, 1)), length_word_ffffffff=b"\xff" * 8)]

CONNECTION = [
    *breaks(Code.PROTOCOL_ERROR, second_hello=hello(),
            ping_of_7_bytes=ping(b"1234567"), ping_of_9_bytes=ping(b"123456789"),
            acknowledgement_of_nothing=encode_frame(Kind.GOAWAY, flags=ANSWER),
            goaway_of_5_bytes=encode_frame(Kind.GOAWAY, 0, bytes(5)),
            goaway_of_1031_bytes=encode_frame(Kind.GOAWAY, 0, bytes(1031)),
            auth_not_asked_for=encode_frame(Kind.AUTH, 0, b"\0"),
            acceptance_not_asked_for=encode_frame(Kind.AUTH, 0, bytes(36), ANSWER),
            credit_of_3_bytes=encode_frame(Kind.CREDIT, 0, b"123"), empty_define=encode_frame(Kind.DEFINE),
            define_with_a_gap=define(1), define_twice=ECHO + ECHO, name_empty=define(name=b""),
            name_of_257_bytes=define(name=b"a" * 257), shape_bit_4=define(shape=16),
            fingerprint_without_name=define(shape=8, name=bytes(8)), fingerprint_cut_short=define(shape=8, name=bytes(7)),
            answer_to_a_definition_not_made=encode_frame(Kind.DEFINE, 0, bytes(10), ANSWER)),
    *breaks(Code.FLOW_CONTROL_ERROR, credit_0=credit(Kind.CREDIT, 0), credit_2_31=credit(Kind.CREDIT, 2**31),
            credit_beyond_all=credit(Kind.CREDIT, 2**31 - 1)),
    *breaks(Code.TOO_MANY_PINGS, pings_without_a_pause=ping() * 150),
    *breaks(Code.EXCESSIVE_LOAD, extensions_without_end=encode_frame(0x18) * 11000),
    *breaks(GOES_ON, extensions=b"".join(encode_frame(k, 0xFFFFFFFF, b"x", 7) for k in range(0x18, 0x20)),
            answer_to_no_ping=encode_frame(Kind.PING, 0, bytes(8), ANSWER), name_of_256_bytes=define(name=b"a" * 256),
            fingerprint=define(shape=8, name=bytes(8) + b"interop.Lab/Echo") + request(),
            two_ordinals_for_a_name=ECHO + define(1))]

CALLS = [
    *breaks(
        Code.PROTOCOL_ERROR, empty_request=ECHO + of_call(Kind.REQUEST),
        request_of_3_bytes=ECHO + of_call(Kind.REQUEST, b"123"),
        ordinal_not_defined=request(), slot_2_first=ECHO + request(slot=2), generation_0_first=ECHO + request(generation=0),
        slot_above_the_limit=ECHO + request(slot=4097), request_in_an_open_slot=OPEN_WAIT + request(),
        next_request_in_an_open_slot=OPEN_WAIT + request(generation=2),
        generation_used_again=[OPEN_ECHO, Kind.RESPONSE, request()],
        generation_skipped=[OPEN_ECHO, Kind.RESPONSE, request(generation=3)],
        priority_3=ECHO + request(options=3), option_bit_12=ECHO + request(options=4096),
        one_way_with_stream=TOTAL + request(options=12), deadline_cut_short=ECHO + request(b"123", options=64),
        trace_cut_short=ECHO + request(bytes(24), options=128),
        response_to_no_call=of_call(Kind.RESPONSE), fail_to_no_call=of_call(Kind.FAIL, bytes(8)),
        fail_of_7_bytes=of_call(Kind.FAIL, bytes(7)), item_of_no_call=of_call(Kind.RESPONSE_ITEM),
        credit_of_no_call=credit(Kind.REQUEST_CREDIT, 1), cancel_of_no_call=CANCEL, request_item_of_no_call=item(),
        cancel_of_2_bytes=OPEN_WAIT + of_call(Kind.CANCEL, b"12"),
        cancel_of_2_bytes_of_an_answered_call=[OPEN_ECHO, Kind.RESPONSE, of_call(Kind.CANCEL, b"12")],
        cancel_of_another_generation=OPEN_WAIT + of_call(Kind.CANCEL, b"1", generation=2)),
    *breaks(
        Code.PROTOCOL_ERROR, metadata_beyond_the_payload=ECHO + request(b"\5\0\1a", flags=META),
        metadata_entry_beyond_its_block=ECHO + request(b"\4\0\1a\5\0" + b"12345", flags=META),
        metadata_key_in_capitals=ECHO + request(encode_metadata([("A", b"")]), flags=META),
        metadata_key_empty=ECHO + request(encode_metadata([("", b"")]), flags=META)),
    *fails(Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED,
           metadata_of_65_entries=ECHO + request(encode_metadata([("a", b"")] * 65), flags=META),
           metadata_above_the_limit=ECHO + request(encode_metadata([("a", bytes(8160))]), flags=META)),
    *breaks(GOES_ON, metadata_of_64_entries=[ECHO + request(encode_metadata([("a", b"")] * 64), flags=META), Kind.RESPONSE],
            metadata_at_the_limit=[ADD + request(encode_metadata([("a", bytes(8159))]), flags=META), Kind.RESPONSE],
            metadata_empty_block=[ECHO + request(b"\0\0", flags=META), Kind.RESPONSE],
            trace_of_zeros=[ECHO + request(bytes(25), options=128), Kind.RESPONSE],
            cancel_twice=OPEN_WAIT + CANCEL + CANCEL, cancel_of_an_answered_call=[OPEN_ECHO, Kind.RESPONSE, CANCEL],
            longest_deadline=[ECHO + request(b"\xff" * 4, options=64), Kind.RESPONSE],
            text_that_is_no_utf_8=[ECHO + request(b"\x0a\x01\xff"), Kind.RESPONSE],
            unknown_reason=[OPEN_WAIT + of_call(Kind.CANCEL, b"\xff"), Kind.FAIL]),
    *fails(Status.UNIMPLEMENTED, Execution.NOT_EXECUTED, unknown_method=define(name=b"a/b") + request(),
           name_that_is_no_utf_8=define(name=b"\xff/\xfe") + request(), another_shape=define(shape=1) + request(options=8),
           shape_without_option=TOTAL + request(), option_without_shape=ECHO + request(options=8),
           unknown_method_in_fragments=define(name=b"a/b") + first(20000)),
    *fails(Status.DEADLINE_EXCEEDED, Execution.NOT_EXECUTED, deadline_0=ECHO + request(u32(0), options=64),
           deadline_between_fragments=ECHO + request(u32(100_000) + u32(100), options=64, flags=MORE)),
    *fails(Status.DEADLINE_EXCEEDED, Execution.EXECUTED, deadline_in_the_handler=WAIT + request(u32(400_000), options=64)),
    *fails(Status.CANCELLED, Execution.EXECUTED, cancel=[OPEN_WAIT, MOMENT, CANCEL],
           cancel_of_a_stream=[OPEN_MIRROR, MOMENT, CANCEL]),
    *fails(Status.CANCELLED, Execution.NOT_EXECUTED, cancel_inside_a_request=ECHO + first(100) + CANCEL),
    *fails(Status.INVALID_ARGUMENT, Execution.NOT_EXECUTED, random_body=ECHO + request(b"\xff" * 9),
           text_cut_short=ECHO + request(b"\x0a\x05abc"), field_number_0=ECHO + request(b"\0\0"),
           wire_type_6=ECHO + request(b"\x0e\0"), claims_512_mib=ECHO + request(b"\x12" + varint(512 << 20)))]

FRAGMENTS = [
    *breaks(
        Code.PROTOCOL_ERROR, total_0=ECHO + first(0), total_2_31=ECHO + first(2**31),
        total_cut_short=ECHO + request(b"123", flags=MORE), body_in_a_first_fragment=ECHO + first(20000, b"x"),
        empty_continuation=ECHO + first(100) + more(b""), more_than_the_total=ECHO + first(10) + more(bytes(11)),
        less_than_the_total=ECHO + first(10) + more(bytes(9), 0), more_at_the_end=ECHO + first(10) + more(bytes(10)),
        metadata_on_a_continuation=ECHO + first(10) + more(bytes(10), META),
        continuation_of_an_open_call=OPEN_WAIT + more(b"x"), item_inside_its_request=TOTAL + first(10, options=8) + item(),
        end_inside_its_request=TOTAL + first(10, options=8) + END,
        credit_inside_its_request=COUNT + first(10) + credit(Kind.RESPONSE_CREDIT, 1),
        another_request_inside=ECHO + first(10) + request(generation=2),
        item_total_0=OPEN_TOTAL + item(u32(0), MORE), item_total_cut_short=OPEN_TOTAL + item(b"123", MORE),
        item_body_in_a_first_fragment=OPEN_TOTAL + item(u32(9) + b"x", MORE),
        item_more_than_the_total=OPEN_TOTAL + item(u32(9), MORE) + item(bytes(10)),
        end_inside_an_item=OPEN_TOTAL + item(u32(9), MORE) + END),
    *breaks(Code.EXCESSIVE_LOAD, fragments_17_of_16=ECHO + first(17) + more(b"x") * 17,
            item_fragments_17_of_16=OPEN_TOTAL + item(u32(17), MORE) + item(b"x", MORE) * 17),
    *fails(Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED, total_above_the_limit=ECHO + first((4 << 20) + 1)),
    *fails(Status.RESOURCE_EXHAUSTED, Execution.EXECUTED,
           item_total_above_the_limit=OPEN_TOTAL + item(u32((4 << 20) + 1), MORE)),
    *breaks(GOES_ON, fragments_16_of_16=[ECHO + first(16) + more(b"\x18") * 15 + more(b"\1", 0), Kind.RESPONSE],
            rest_of_a_refused_request=[ECHO + first((4 << 20) + 1), Kind.FAIL, more(bytes(100))],
            rest_of_an_unknown_method=[define(name=b"a/b") + first(100), Kind.FAIL, more(bytes(50)) + more(bytes(50), 0)])]

# A call that cannot be answered yet, because its second item waits for credit.
HELD_MIRROR = OPEN_MIRROR + item() * 3

STREAMS = [
    *breaks(
        Code.PROTOCOL_ERROR, item_of_a_call_without_a_stream=OPEN_WAIT + item(),
        end_of_a_call_without_a_stream=OPEN_WAIT + END,
        end_with_a_byte=OPEN_TOTAL + of_call(Kind.REQUEST_END, b"x"),
        credit_of_a_call_without_a_stream=OPEN_WAIT + credit(Kind.RESPONSE_CREDIT, 1),
        credit_of_5_bytes=OPEN_COUNT + of_call(Kind.RESPONSE_CREDIT, bytes(5))),
    *breaks(Code.FLOW_CONTROL_ERROR, response_credit_0=OPEN_COUNT + credit(Kind.RESPONSE_CREDIT, 0),
            response_credit_beyond_all=OPEN_MIRROR + credit(Kind.RESPONSE_CREDIT, 2**31 - 1),
            response_credit_0_of_an_answered_call=[OPEN_ECHO, Kind.RESPONSE, credit(Kind.RESPONSE_CREDIT, 0)]),
    Case("end_twice", [HELD_MIRROR + END + END], Code.PROTOCOL_ERROR, settings=Settings(stream_credit=1)),
    Case("item_behind_end", [HELD_MIRROR + END + item()], Code.PROTOCOL_ERROR, settings=Settings(stream_credit=1)),
    Case("items_without_credit", [OPEN_MIRROR + item(LabNote(bytes=bytes(16000)).encode()) * 24],
         Code.FLOW_CONTROL_ERROR, settings=Settings(stream_credit=1)),
    *breaks(GOES_ON, item_of_an_answered_call=[OPEN_TOTAL + END, Kind.RESPONSE, item() + END],
            item_behind_cancel=OPEN_MIRROR + CANCEL + item() + END + credit(Kind.RESPONSE_CREDIT, 1),
            credit_of_an_answered_call=[OPEN_ECHO, Kind.RESPONSE, credit(Kind.RESPONSE_CREDIT, 1)]),
    Case("cancel_of_a_reply_that_waits_for_credit",
         [ECHO + first(100_000) + more(b"\x12" + varint(99_996) + bytes(29_996)) + more(bytes(35_000))
          + more(bytes(35_000), 0), Kind.RESPONSE, Kind.RESPONSE, CANCEL],
         (Status.CANCELLED, Execution.EXECUTED), settings=Settings(bulk_credit=1))]

CASES = HANDSHAKE + HEADERS + CONNECTION + CALLS + FRAGMENTS + STREAMS

KEY_CASES = [
    Case("call_before_authentication", [Kind.AUTH, OPEN_ECHO], Code.AUTH_FAILED),
    Case("extension_before_authentication", [Kind.AUTH, encode_frame(0x18)], Code.AUTH_FAILED),
    Case("undefined_kind_before_authentication", [Kind.AUTH, header(0, 0)], Code.AUTH_FAILED),
    Case("frame_of_8193_before_authentication", [Kind.AUTH, header(Kind.AUTH, 8193)], Code.AUTH_FAILED),
    Case("acceptance_by_the_dialing_side", [Kind.AUTH, encode_frame(Kind.AUTH, 0, bytes(36), ANSWER)], Code.AUTH_FAILED),
    Case("ping_before_authentication", [Kind.AUTH, ping(), Kind.PING], GOES_ON)]


# Running a case

async def run_steps(peer, steps):
    for step in steps:
        if isinstance(step, Kind):
            await peer.wait_for(step)
        elif isinstance(step, float):
            await asyncio.sleep(step)
        else:
            peer.send(step)


async def outcome(peer, case):
    """What the server did, in the terms of the case."""
    if case.expected is NO_BYTE:
        await peer.expect_end()
        return NO_BYTE if not peer.frames.buffer else "closed with bytes"
    if not case.opened:
        await peer.frames.preface()
        peer.frames.limit = 65536
    if case.expected is GOES_ON:
        return GOES_ON if await peer.pong() else "no answer to PING"
    if isinstance(case.expected, tuple):
        error = decode_fail(await peer.wait_for(Kind.FAIL), 8192)
        assert await peer.pong()
        return error.status, error.execution
    return Code((await peer.goaway()).code)


async def run(case, host, port):
    """Returns what was wrong, or nothing."""
    async with await RawPeer.connect(host, port) as peer:
        try:
            if case.opened:
                await peer.open(case.settings)
            await run_steps(peer, case.steps)
            found = await outcome(peer, case)
        except (LinkEnded, TimeoutError, OSError, AssertionError) as error:
            found = f"{type(error).__name__} {error}"
    return None if found == case.expected else f"{case.name}: {case.expected!r} expected, got {found!r}"


async def log_in(peer, id, key):
    nonce, _ = decode_challenge((await peer.wait_for(Kind.AUTH)).payload)
    credential, proof = SharedKey(id, key).credential(nonce)
    peer.send(encode_frame(Kind.AUTH, payload=credential))
    return credential, proof
