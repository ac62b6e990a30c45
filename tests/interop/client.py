"""Scenarios of a client of the service interop.Lab. Usage: client.py HOST:PORT [SCENARIO ...] | --list

Two scenarios need a server in a certain state, so they only run if they are named: with_a_shared_key asks for the
server whose key is in the variable MUX_KEY (NAME:HEX), and drained_by_the_server for one that drains after "open"."""

import argparse
import asyncio
import os
import sys
import time

import broken_rules
from broken_rules import RawPeer, define, log_in, ping, request
from messages import LabNote, decode_number, encode_arguments
from mux import (Code, Execution, HandshakeFailed, Kind, MuxError, Shape, SharedKey, Splitting, Status,
                 client_settings, connect, decode_acceptance, decode_fail, decode_goaway, encode_frame)

UNARY, UP, DOWN, BOTH = Shape.UNARY, Shape.REQUEST_STREAM, Shape.RESPONSE_STREAM, Shape(3)
MIB = 1 << 20
SCENARIO_TIME = 60
PATIENCE = broken_rules.PATIENCE
SCENARIOS = {}
BY_HAND = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


def by_hand(function):
    BY_HAND[function.__name__] = function
    return function


def expect(actual, expected, what=""):
    if actual != expected:
        raise AssertionError(f"{what + ': ' if what else ''}expected {expected!r}, got {actual!r}")


def expect_that(condition, what):
    if not condition:
        raise AssertionError(what)


class Lab:
    """The service at one address."""

    def __init__(self, host, port):
        self.host, self.port = host, port

    async def connect(self, **options):
        return await connect(self.host, self.port, **options)

    async def raw(self, settings=None):
        peer = await RawPeer.connect(self.host, self.port)
        await peer.open(settings)
        return peer


def path(method):
    return "interop.Lab/" + method


async def echo(mux, note, **options):
    return LabNote.decode((await mux.call(path("Echo"), note.encode(), **options)).body)


async def add(mux, left, right):
    return decode_number((await mux.call(path("Add"), encode_arguments(left, right))).body)


async def count_told(mux):
    return decode_number((await mux.call(path("CountTold"))).body)


async def count(mux, last, size, **options):
    return await mux.start(path("Count"), DOWN, encode_arguments(last, size), **options)


async def failure(work):
    try:
        result = await work
    except MuxError as error:
        return error
    raise AssertionError(f"a failure was expected, got {result!r}")


async def expect_failure(work, status, execution):
    error = await failure(work)
    expect((error.status, error.execution), (status, execution), error.text)
    return error


async def expect_healthy(mux):
    """All slots become free again, and calls are still answered."""
    async with asyncio.timeout(PATIENCE):
        await mux.slots.nothing_open.wait()
    expect(await add(mux, 40, 2), 42)


def pattern(size):
    return (bytes(range(251)) * (size // 251 + 1))[:size]


# Unary calls

@scenario
async def unary(lab):
    async with await lab.connect() as mux:
        note = LabNote("Grüße", bytes(range(256)), -7)
        expect(await echo(mux, note), note)
        expect(await echo(mux, LabNote()), LabNote())
        expect(await add(mux, 0, 0), 0)
        expect(await add(mux, 2**62, -1), 2**62 - 1)
        expect(await add(mux, -2**63, 0), -2**63)


@scenario
async def many_at_a_time(lab):
    """More calls than may be open, so that some wait."""
    async with await lab.connect() as mux:
        numbers = range(mux.peer.max_calls + 500)
        sums = await asyncio.gather(*(add(mux, n, 1) for n in numbers))
        expect(sums, [n + 1 for n in numbers])
        expect_that(len(mux.slots.calls) - 1 <= mux.peer.max_calls, "too many slots")


@scenario
async def generations_wrap(lab):
    async with await lab.connect() as mux:
        for n in range(4100):
            expect(await add(mux, n, 0), n)
        expect(len(mux.slots.calls), 2, "slots")
        expect(mux.slots.generations[1], 4, "generation")


@scenario
async def deadlines(lab):
    async with await lab.connect() as mux:
        begun = time.monotonic()
        expired = mux.call(path("Wait"), timeout=0.15)
        await expect_failure(expired, Status.DEADLINE_EXCEEDED, Execution.MAY_HAVE_EXECUTED)
        expect_that(0.1 < time.monotonic() - begun < PATIENCE, "the deadline was not kept")
        await expect_failure(mux.call(path("Wait"), timeout=-1), Status.DEADLINE_EXCEEDED, Execution.NOT_EXECUTED)
        expect(await echo(mux, LabNote("in time"), timeout=5), LabNote("in time"))
        expect(await echo(mux, LabNote("no limit"), timeout=2 * 3600), LabNote("no limit"))
        stream = await mux.start(path("Mirror"), BOTH, timeout=0.1)
        await expect_failure(stream.result(), Status.DEADLINE_EXCEEDED, Execution.MAY_HAVE_EXECUTED)
        await expect_healthy(mux)


@scenario
async def a_deadline_that_the_server_counts(lab):
    """This side does not measure the time: the server cancels the handler, and answers."""
    async with await lab.connect() as mux:
        call = await mux.start(path("Wait"), UNARY, timeout=0.5)
        call.timer.cancel()
        await expect_failure(call.result(), Status.DEADLINE_EXCEEDED, Execution.EXECUTED)


@scenario
async def metadata(lab):
    entries = [("a", b"1"), ("lab-b", bytes(range(256))), ("a", b"2"), ("c.d_e-f", b"")]
    async with await lab.connect() as mux:
        reply = await mux.call(path("Echo"), LabNote("x").encode(), metadata=entries)
        expect(sorted(reply.metadata), sorted(("lab-" + key, value) for key, value in entries))
        expect((await mux.call(path("Echo"))).metadata, [])
        large = await mux.call(path("Echo"), LabNote(bytes=pattern(100_000)).encode(), metadata=entries)
        expect(len(large.metadata), 4, "metadata of a message in fragments")
        await metadata_limits(mux)


async def metadata_limits(mux):
    too_many = [("k", b"")] * 65
    await expect_failure(mux.call(path("Echo"), metadata=too_many), Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED)
    too_long = [("k", bytes(8160))]
    await expect_failure(mux.call(path("Echo"), metadata=too_long), Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED)
    longer_in_the_reply = [("k", bytes(8159))]
    await expect_failure(mux.call(path("Echo"), metadata=longer_in_the_reply), Status.RESOURCE_EXHAUSTED,
                         Execution.EXECUTED)
    await expect_healthy(mux)


@scenario
async def one_way(lab):
    async with await lab.connect() as mux:
        before = await count_told(mux)
        for n in range(50):
            await mux.tell(path("Tell"), encode_arguments(f"note {n}"))
        await mux.tell(path("Tell"), encode_arguments("x" * 100_000))
        async with asyncio.timeout(PATIENCE):
            await mux.slots.nothing_open.wait()
        expect(await count_told(mux), before + 51)


# Streams

@scenario
async def stream_down(lab):
    async with await lab.connect() as mux:
        stream = await count(mux, 2000, 100)
        notes = [LabNote.decode(item) async for item in stream]
        expect([note.number for note in notes], list(range(1, 2001)))
        expect_that(all(len(note.bytes) == 100 for note in notes), "items of another length")
        expect((await stream.result()).body, b"")
    await a_slow_reader(lab)
    await the_smallest_window(lab)


async def a_slow_reader(lab):
    async with await lab.connect(settings=client_settings(stream_credit=1000)) as mux:
        stream = await count(mux, 100, 50)
        await asyncio.sleep(0.1)
        expect_that(stream.arrived.qsize() <= 16, f"{stream.arrived.qsize()} items arrived for a credit of 1000")
        expect(len([item async for item in stream]), 100)


async def the_smallest_window(lab):
    async with await lab.connect(settings=client_settings(stream_credit=1)) as mux:
        stream = await count(mux, 20, 40_000)
        async with asyncio.timeout(PATIENCE):
            while stream.arrived.empty():
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        expect(stream.arrived.qsize(), 1, "items for a credit of 1")
        expect(len([item async for item in stream]), 20)


@scenario
async def stream_up(lab):
    async with await lab.connect() as mux:
        stream = await mux.start(path("Total"), UP)
        for n in range(5000):
            await stream.send(encode_arguments(n))
        await stream.end()
        expect(decode_number((await stream.result()).body), sum(range(5000)))
        empty = await mux.start(path("Total"), UP)
        await empty.end()
        expect(decode_number((await empty.result()).body), 0)


@scenario
async def stream_both_ways(lab):
    async with await lab.connect() as mux:
        stream = await mux.start(path("Mirror"), BOTH)
        for n in range(20):
            await stream.send(LabNote(f"note {n}", b"", n).encode())
            expect(LabNote.decode(await anext(stream)).number, n)
        sender = asyncio.ensure_future(send_notes(stream, 2000))
        numbers = [LabNote.decode(item).number async for item in stream]
        await sender
        expect(numbers, list(range(2000)))


async def send_notes(stream, number):
    for n in range(number):
        await stream.send(LabNote(bytes=bytes(200), number=n).encode())
    await stream.end()


# Large messages

def note_of(size):
    """A note whose encoding has exactly so many bytes."""
    bodies = (LabNote(bytes=pattern(size - overhead)) for overhead in range(2, 7))
    return next(note for note in bodies if len(note.encode()) == size)


@scenario
async def large_messages(lab):
    async with await lab.connect() as mux:
        for size in (16_384, 16_385, 32_768, 65_536, 65_537, MIB, 4 * MIB):
            note = note_of(size)
            expect_that(await echo(mux, note) == note, f"another note of {size} bytes came back")
        too_large = LabNote(bytes=bytes(4 * MIB))
        await expect_failure(echo(mux, too_large), Status.RESOURCE_EXHAUSTED, Execution.NOT_EXECUTED)
        notes = [note_of(600_000 + n) for n in range(8)]
        expect_that(await asyncio.gather(*(echo(mux, note) for note in notes)) == notes, "notes were mixed")
    await the_smallest_bulk_credit(lab)
    await the_smallest_frames(lab)


async def the_smallest_bulk_credit(lab):
    async with await lab.connect(settings=client_settings(bulk_credit=1)) as mux:
        note = note_of(500_000)
        expect_that(await echo(mux, note) == note, "another note came back")


async def the_smallest_frames(lab):
    async with await lab.connect(settings=client_settings(max_frame=16_384)) as mux:
        note = note_of(200_000)
        expect_that(await echo(mux, note) == note, "another note came back")
        expect_that(await echo(mux, note_of(16_384), metadata=[("k", bytes(100))]) == note_of(16_384), "another note")


@scenario
async def large_messages_beside_small_calls(lab):
    async with await lab.connect() as mux:
        note = note_of(4 * MIB)
        large = [asyncio.ensure_future(echo(mux, note)) for _ in range(2)]
        small, slowest = 0, 0.0
        while not all(task.done() for task in large):
            begun = time.monotonic()
            expect(await add(mux, small, 1), small + 1)
            small, slowest = small + 1, max(slowest, time.monotonic() - begun)
            await asyncio.sleep(0.002)
        expect_that(await asyncio.gather(*large) == [note] * 2, "another note came back")
        expect_that(small >= 5, f"only {small} small calls were answered beside large ones")
        return f"{small} small calls, the slowest {slowest * 1000:.0f} ms"


@scenario
async def large_items(lab):
    async with await lab.connect() as mux:
        stream = await mux.start(path("Mirror"), BOTH)
        for size in (16_384, 16_385, 300_000, MIB, 4 * MIB):
            await stream.send(note_of(size).encode())
            expect_that(LabNote.decode(await anext(stream)) == note_of(size), f"another note of {size} bytes came back")
        await stream.end()
        await stream.result()
        down = await count(mux, 5, 500_000)
        expect([len(LabNote.decode(item).bytes) async for item in down], [500_000] * 5)
        too_large = await mux.start(path("Mirror"), BOTH)
        await expect_failure(too_large.send(bytes(4 * MIB + 1)), Status.RESOURCE_EXHAUSTED, Execution.MAY_HAVE_EXECUTED)
        await expect_healthy(mux)


@scenario
async def fragments_of_one_byte(lab):
    async with await lab.connect(splitting=Splitting(one_frame=0, fragment=1)) as mux:
        note = note_of(16)
        for _ in range(100):
            expect(await echo(mux, note, metadata=[("k", b"v")]), note)
        stream = await mux.start(path("Mirror"), BOTH)
        for _ in range(100):
            await stream.send(note.encode())
            expect(LabNote.decode(await anext(stream)), note)
        await stream.end()
        await stream.result()
        expect(await add(mux, 1, 2), 3)
    async with await lab.connect(splitting=Splitting(one_frame=0, fragment=114)) as mux:
        expect(await echo(mux, note_of(2048)), note_of(2048), "18 fragments of 18 that are allowed")


# Cancelling and failing

@scenario
async def cancel(lab):
    async with await lab.connect() as mux:
        call = await mux.start(path("Wait"), UNARY)
        call.cancel()
        await expect_failure(call.result(), Status.CANCELLED, Execution.MAY_HAVE_EXECUTED)
        await a_cancelled_task(mux)
        await a_stream_left_early(mux)
        await cancel_inside_a_reply(mux)
        await expect_healthy(mux)


async def a_cancelled_task(mux):
    task = asyncio.ensure_future(mux.call(path("Wait")))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    expect_that(task.cancelled(), "the task was not cancelled")


async def a_stream_left_early(mux):
    stream = await count(mux, 1_000_000, 1000)
    async for item in stream:
        if LabNote.decode(item).number == 10:
            break
    stream.cancel()
    await expect_failure(stream.result(), Status.CANCELLED, Execution.MAY_HAVE_EXECUTED)


async def cancel_inside_a_reply(mux):
    call = await mux.start(path("Echo"), UNARY, note_of(4 * MIB).encode())
    async with asyncio.timeout(PATIENCE):
        while not call.message:
            await asyncio.sleep(0)
    call.cancel()
    await expect_failure(call.result(), Status.CANCELLED, Execution.MAY_HAVE_EXECUTED)


@scenario
async def a_cancel_inside_a_request(lab):
    async with await lab.connect() as mux:
        call = await mux.start(path("Echo"), UNARY, note_of(4 * MIB).encode())
        await asyncio.sleep(0)
        call.cancel()
        await expect_failure(call.result(), Status.CANCELLED, Execution.MAY_HAVE_EXECUTED)
        await expect_healthy(mux)
    async with await lab.raw() as peer:
        peer.send(define() + broken_rules.first(1000) + broken_rules.CANCEL)
        error = decode_fail(await peer.wait_for(Kind.FAIL), 8192)
        expect((error.status, error.execution), (Status.CANCELLED, Execution.NOT_EXECUTED), "what the server says")


@scenario
async def cancels_of_all_calls(lab):
    async with await lab.connect() as mux:
        for _ in range(2):
            calls = [await mux.start(path("Wait"), UNARY) for _ in range(mux.peer.max_calls)]
            await expect_failure(mux.call(path("Echo"), timeout=0.05), Status.DEADLINE_EXCEEDED, Execution.NOT_EXECUTED)
            for call in calls:
                call.cancel()
            await expect_healthy(mux)
        expect(len(mux.slots.calls) - 1, mux.peer.max_calls, "slots")


@scenario
async def errors(lab):
    async with await lab.connect() as mux:
        for status in Status:
            error = await expect_failure(fail(mux, status, f"no {status.name}"), status, Execution.EXECUTED)
            expect((error.text, error.retry_after), (f"no {status.name}", 1500))
        error = await expect_failure(fail(mux, 99, "odd"), Status.INTERNAL, Execution.EXECUTED)
        expect_that("99" in error.text, "the number of an unknown status is not shown")
        error = await failure(fail(mux, Status.ABORTED, "ä" * 5000))
        expect(error.text, "ä" * 2048, "a text that is cut")
        await expect_failure(mux.call(path("Echo"), b"\xff" * 9), Status.INVALID_ARGUMENT, Execution.NOT_EXECUTED)
        await expect_healthy(mux)


async def fail(mux, status, text):
    return await mux.call(path("Fail"), encode_arguments(status, text))


@scenario
async def unknown_method(lab):
    async with await lab.connect() as mux:
        for method in (path("Nothing"), "interop.lab/Echo", "nothing", "a/b/c", "x" * 256, b"\xff\xfe"):
            await expect_failure(mux.call(method), Status.UNIMPLEMENTED, Execution.NOT_EXECUTED)
        await expect_failure(mux.call(path("Nothing"), bytes(2 * MIB)), Status.UNIMPLEMENTED, Execution.NOT_EXECUTED)
        other_shape = await mux.start(path("Echo"), DOWN)
        await expect_failure(other_shape.result(), Status.UNIMPLEMENTED, Execution.NOT_EXECUTED)
        stream = await mux.start(path("Nothing"), BOTH)
        await expect_failure(stream.result(), Status.UNIMPLEMENTED, Execution.NOT_EXECUTED)
        await mux.tell(path("Nothing"))
        await expect_healthy(mux)


@scenario
async def an_unknown_method_in_fragments(lab):
    """It is refused at its first fragment: without bulk credit the others cannot be sent."""
    async with await lab.connect() as mux:
        credit, mux.bulk_credit.left = mux.bulk_credit.left, 0
        await expect_failure(mux.call(path("Nothing"), bytes(100_000)), Status.UNIMPLEMENTED, Execution.NOT_EXECUTED)
        expect(mux.bulk_credit.left, 0, "bulk credit")
        mux.bulk_credit.grant(credit)
        expect(await echo(mux, note_of(100_000)), note_of(100_000))


# The connection

@scenario
async def pings(lab):
    async with await lab.connect() as mux:
        await mux.ping()
        call = await mux.start(path("Wait"), UNARY)
        await mux.ping()
        call.cancel()
        await expect_healthy(mux)
    async with await lab.raw() as peer:
        peer.send(ping(b"\xff\0abcdef"))
        frame = await peer.wait_for(Kind.PING)
        expect((frame.payload, frame.flags), (b"\xff\0abcdef", 4))


@scenario
async def extensions_are_skipped(lab):
    async with await lab.connect() as mux:
        stream = await mux.start(path("Mirror"), BOTH)
        for kind in range(0x18, 0x20):
            mux.send(kind, 0xFFFFFFFF, bytes(kind), 7)
            mux.send(kind)
            await stream.send(LabNote(number=kind).encode())
            expect(LabNote.decode(await anext(stream)).number, kind)
        mux.send(0x18, 0, bytes(65_536))
        await stream.end()
        await stream.result()
        await expect_healthy(mux)


@scenario
async def budgets_are_announced(lab):
    async with await lab.connect() as mux:
        peer = mux.peer
        announced = peer.control_frames, peer.small_fragments, peer.ping_interval, peer.premature_cancels
        expect(announced, (10_000, 10_000, 1000, 100_000), "the defaults of section 9")
    await credit_for_each_item(lab)


async def credit_for_each_item(lab):
    """An honest reader that returns credit for each item is not cut off, however many frames of credit that makes."""
    async with await lab.connect(settings=client_settings(stream_credit=64)) as mux:
        stream = await count(mux, 12_000, 10)
        expect(len([item async for item in stream]), 12_000)


@scenario
async def drain(lab):
    """The client drains: its open calls end as if it did not, and it opens no more."""
    mux = await lab.connect()
    stream = await mux.start(path("Mirror"), BOTH)
    call = await mux.start(path("Echo"), UNARY, note_of(100_000).encode())
    closing = asyncio.ensure_future(mux.close())
    async with asyncio.timeout(PATIENCE):
        await mux.acknowledged.wait()
    await expect_failure(mux.call(path("Echo")), Status.UNAVAILABLE, Execution.NOT_EXECUTED)
    await stream.send(LabNote("after GOAWAY").encode())
    expect(LabNote.decode(await anext(stream)).text, "after GOAWAY")
    expect_that(not closing.done(), "the connection did not wait for its calls")
    await stream.end()
    await stream.result()
    expect(LabNote.decode((await call.result()).body), note_of(100_000))
    async with asyncio.timeout(PATIENCE):
        await closing
    expect(mux.goaway, None, "the server sends no GOAWAY")


@by_hand
async def drained_by_the_server(lab):
    """Says when calls are open. The server then drains, and what is open ends as if it did not."""
    mux, raw = await lab.connect(), await lab.raw()
    stream = await mux.start(path("Mirror"), BOTH)
    waiting = await mux.start(path("Wait"), UNARY)
    await stream.send(LabNote("before").encode())
    expect(LabNote.decode(await anext(stream)).text, "before")
    raw.send(define(name=b"interop.Lab/Wait") + request())
    expect_that(await raw.pong(), "no answer to PING")
    print("open", flush=True)
    raw_end = asyncio.ensure_future(request_after_acknowledgement(raw))
    async with asyncio.timeout(PATIENCE):
        while not mux.peer_drains:
            await asyncio.sleep(0.01)
    await expect_failure(mux.call(path("Echo")), Status.UNAVAILABLE, Execution.NOT_EXECUTED)
    await stream.send(note_of(100_000).encode())
    expect_that(LabNote.decode(await anext(stream)) == note_of(100_000), "another note came back")
    await stream.end()
    await stream.result()
    waiting.cancel()
    async with asyncio.timeout(PATIENCE):
        await mux.ended.wait()
    expect(await raw_end, Code.PROTOCOL_ERROR, "a request after the acknowledgement")
    expect(mux.cause, "the peer ended its direction")
    return f"GOAWAY {Code(mux.goaway.code).name}"


async def request_after_acknowledgement(raw):
    async with raw:
        frame = await raw.wait_for(Kind.GOAWAY)
        expect(decode_goaway(frame.payload).code, Code.DRAINING)
        raw.send(encode_frame(Kind.GOAWAY, flags=4))
        raw.send(request(slot=2))
        return (await raw.goaway()).code


@by_hand
async def with_a_shared_key(lab):
    id, key = os.environ["MUX_KEY"].split(":")
    key = bytes.fromhex(key)
    async with await lab.connect(credential=SharedKey(id, key)) as mux:
        expect(await echo(mux, LabNote("let in")), LabNote("let in"))
    for credential in (None, SharedKey("nobody", key), SharedKey(id, os.urandom(32))):
        goaway = await refused(lab.connect(credential=credential))
        expect((goaway.code, goaway.text), (Code.AUTH_FAILED, "Authentication failed."))
    await the_proof_of_the_server(lab, id, key)
    return await all_hold(lab, broken_rules.KEY_CASES)


async def refused(connecting):
    try:
        mux = await connecting
    except HandshakeFailed as failed:
        return failed.goaway
    await mux.close()
    raise AssertionError("the connection was opened")


async def the_proof_of_the_server(lab, id, key):
    async with await RawPeer.connect(lab.host, lab.port) as peer:
        await peer.open()
        credential, proof = await log_in(peer, id, key)
        lifetime, _, found = decode_acceptance((await peer.wait_for(Kind.AUTH)).payload)
        expect(found, proof, "the proof of the server")
        peer.send(encode_frame(Kind.AUTH, payload=credential))
        expect(lifetime, 0)
        expect((await peer.goaway()).code, Code.PROTOCOL_ERROR, "a second credential where nothing expires")


@scenario
async def a_server_is_checked(lab):
    """This client itself ends a connection whose server breaks a rule."""
    key = SharedKey("till-7", bytes(range(32)))
    for name, frames, credential, code in wrong_servers(key):
        expect(await with_a_wrong_server(frames, credential), code, name)
    expect(await refused(lab.connect(credential=key)), None, "a server that does not ask for a credential")


def wrong_servers(key):
    preface, hello = broken_rules.PREFACE, broken_rules.hello
    challenge = encode_frame(Kind.AUTH, 0, bytes(32) + b"\x0ashared-key")
    asks = preface + hello(broken_rules.encode_setting(14, 1)) + challenge
    yield "a version that was not offered", preface + hello(versions=(1, 2)), None, Code.VERSION_MISMATCH
    yield "no question for a credential", preface + hello(), key, Code.AUTH_FAILED
    yield "a proof of zeros", asks + encode_frame(Kind.AUTH, 0, bytes(68), 4), key, Code.AUTH_FAILED
    yield "no proof", asks + encode_frame(Kind.AUTH, 0, bytes(36), 4), key, Code.AUTH_FAILED
    yield "a second challenge", asks + challenge, key, Code.PROTOCOL_ERROR
    opened = preface + hello()
    yield "a reply to no call", opened + encode_frame(Kind.RESPONSE, 0x100001), None, Code.PROTOCOL_ERROR
    yield "a call of a client that accepts none", opened + broken_rules.OPEN_ECHO, None, Code.EXCESSIVE_LOAD
    yield "credit of 0", opened + broken_rules.credit(Kind.CREDIT, 0), None, Code.FLOW_CONTROL_ERROR
    too_large = broken_rules.header(Kind.RESPONSE, 65_537, 1)
    yield "a frame that is too large", opened + too_large, None, Code.FRAME_TOO_LARGE


async def with_a_wrong_server(frames, credential):
    codes = asyncio.Queue()

    async def serve(reader, writer):
        writer.write(frames)
        codes.put_nowait(decode_goaway(last_frame(await reader.read(-1))).code)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        try:
            mux = await connect(*server.sockets[0].getsockname(), credential=credential)
            await mux.ended.wait()
        except HandshakeFailed:
            pass
        return await codes.get()


def last_frame(data):
    at = len(broken_rules.PREFACE)
    while at < len(data):
        begin, at = at, at + 8 + int.from_bytes(data[at:at + 3], "little")
    return data[begin + 8:at]


async def each_rule(lab):
    return await all_hold(lab, broken_rules.CASES)


SCENARIOS["broken_rules"] = each_rule  # the module has this name


async def all_hold(lab, cases):
    found = [text for case in cases if (text := await broken_rules.run(case, lab.host, lab.port))]
    expect_that(not found, f"{len(found)} of {len(cases)} cases: " + "; ".join(found))
    return f"{len(cases)} cases"


@scenario
async def a_client_without_fragments(lab):
    """It announces 16,384 as its largest message, so it needs neither fragments nor bulk credit to receive."""
    async with await lab.connect(settings=client_settings(max_message=16_384)) as mux:
        expect_that(await echo(mux, note_of(16_384)) == note_of(16_384), "another note came back")
        stream = await count(mux, 10, 16_000)
        expect(len([item async for item in stream]), 10)
        large_item = await count(mux, 10, 20_000)
        await expect_failure(large_item.result(), Status.RESOURCE_EXHAUSTED, Execution.EXECUTED)
        await expect_failure(echo(mux, note_of(20_000)), Status.RESOURCE_EXHAUSTED, Execution.EXECUTED)
        await expect_healthy(mux)


# Running

async def run(name, lab):
    begun = time.monotonic()
    try:
        async with asyncio.timeout(SCENARIO_TIME):
            note = await (SCENARIOS | BY_HAND)[name](lab)
    except Exception as error:
        print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
        return False
    print(f"pass {name} ({time.monotonic() - begun:.2f} s){': ' + note if note else ''}", flush=True)
    return True


async def run_all(names, lab):
    results = [await run(name, lab) for name in names]
    print(f"{results.count(True)} passed, {results.count(False)} failed", flush=True)
    return all(results)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", metavar="HOST:PORT")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    parser.add_argument("--list", action="store_true", help="print the names of the scenarios that need no certain server")
    return parser, parser.parse_args()


def main():
    parser, chosen = arguments()
    if chosen.list:
        print("\n".join(SCENARIOS))
        return 0
    unknown = set(chosen.scenarios) - set(SCENARIOS | BY_HAND)
    if not chosen.address or unknown:
        parser.error(f"no scenario {', '.join(unknown)}" if unknown else "HOST:PORT is missing")
    host, port = chosen.address.rsplit(":", 1)
    return 0 if asyncio.run(run_all(chosen.scenarios or list(SCENARIOS), Lab(host, int(port)))) else 1


if __name__ == "__main__":
    sys.exit(main())
