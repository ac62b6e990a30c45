"""Calls the contract interop.Lab (Mux.Interop.Tests/ILab.cs) of a server, scenario by scenario. Usage: client.py HOST:PORT [SCENARIO ...], or client.py --list."""
import asyncio
import os
import sys
import time

import mux
from messages import field, note, read_note, value

ECHO, ADD, TELL, TOLD, COUNT, TOTAL, MIRROR, WAIT, FAIL = (f"interop.Lab/{name}" for name in ("Echo", "Add", "Tell", "CountTold", "Count", "Total", "Mirror", "Wait", "Fail"))


def check(what, expected, actual):
    if expected != actual:
        raise AssertionError(f"{what}: expected {expected!r:.200}, got {actual!r:.200}")


async def fails(call, status, execution=None):
    try:
        await call
    except mux.Failure as failure:
        check("status", status, failure.status)
        if execution is not None:
            check("execution", execution, failure.execution)
        return failure
    raise AssertionError(f"no failure with status {status}")


async def unary(peer):
    check("sum", 7, value(await peer.call(ADD, field(1, 3) + field(2, 4))))
    check("note", ("hällo", b"\0\1", 5), read_note(await peer.call(ECHO, note("hällo", b"\0\1", 5))))
    check("an empty message", b"", await peer.call(ECHO))


async def many_at_a_time(peer):
    calls = [asyncio.create_task(peer.call(ADD, field(1, i) + field(2, 1))) for i in range(1000)]
    for i, call in enumerate(calls):
        check("sum", i + 1, value(await call))


async def generations_wrap(peer):
    for i in range(4200):  # one slot: 4,095 is followed by 0
        check("sum", i, value(await peer.call(ADD, field(1, i) + field(2, 0))))
    check("slots", 1, peer.used)


async def deadlines(peer):
    check("in time", b"", await peer.call(ECHO, deadline=10))
    begun = time.monotonic()
    await fails(peer.call(WAIT, deadline=0.2), mux.DEADLINE_EXCEEDED, mux.MAY_HAVE_EXECUTED)
    check("a deadline of 0.2 s", True, time.monotonic() - begun < 10)
    await fails(peer.call(ECHO, deadline=0), mux.DEADLINE_EXCEEDED)
    await slots_are_free(peer)


async def a_deadline_that_the_server_counts(peer):
    call = await peer.open(WAIT, body=b"", deadline=0.2)
    call.timer.cancel()  # this side does not count: the server cancels its handler, and answers
    await fails(call.response(), mux.DEADLINE_EXCEEDED, mux.EXECUTED)


async def metadata(peer):
    call = await peer.open(ECHO, body=note("m"), metadata=[("color", b"red"), ("color", b"\xff\0"), ("mux-hidden", b"1")])
    await call.response()
    check("metadata of the reply", [("lab-color", b"red"), ("lab-color", b"\xff\0")], call.metadata)
    large = await peer.open(ECHO, body=note(data=bytes(100_000)), metadata=[("color", b"blue")])
    await large.response()
    check("metadata of a large reply", [("lab-color", b"blue")], large.metadata)


async def one_way(peer):
    before = value(await peer.call(TOLD))
    for i in range(10):
        await peer.open(TELL, mux.ONE_WAY, field(1, "x"))
    while value(await peer.call(TOLD)) < before + 10:
        pass
    await slots_are_free(peer)


async def stream_down(peer):
    """Credit for each item, as fast as it can: the server must not take that for a flood."""
    call, number = await peer.open(COUNT, mux.RESPONSE_STREAM, field(1, 20_000) + field(2, 0)), 0
    async for item in call.items:
        number += 1
        check("number", number, read_note(item)[2])
    check("items", 20_000, number)
    check("end", b"", await call.response())


async def stream_up(peer):
    call = await peer.open(TOTAL, mux.REQUEST_STREAM)
    for i in range(1, 5001):
        await call.requests.send(field(1, i))
    call.end_requests()
    check("total", 5000 * 5001 // 2, value(await call.response()))


async def stream_both_ways(peer):
    call = await peer.open(MIRROR, mux.DUPLEX)

    async def send():
        for i in range(1, 2001):
            await call.requests.send(note(number=i))
        call.end_requests()

    sending, number = asyncio.create_task(send()), 0
    async for item in call.items:
        number += 1
        check("number", number, read_note(item)[2])
    await sending
    check("items", 2000, number)


async def large_messages(peer):
    for length in (16_384 - 4, 16_385, 32_768, 65_536, 1_000_003, 3_500_000):
        body = note(data=bytes(range(256)) * (length // 256) + bytes(length % 256))
        check(f"{length} bytes", True, await peer.call(ECHO, body) == body)


async def large_messages_beside_small_calls(peer):
    large = [asyncio.create_task(peer.call(ECHO, note(data=bytes(1_500_000)))) for _ in range(8)]
    for i in range(200):
        check("sum", i, value(await peer.call(ADD, field(1, i) + field(2, 0))))
    for call in large:
        check("length", 1_500_000, len(read_note(await call)[1]))


async def large_items(peer):
    call = await peer.open(MIRROR, mux.DUPLEX)
    for length in (16_384, 20_000, 65_536, 300_000, 1_000_000):
        body = note(data=bytes(length), number=length)
        await call.requests.send(body)
        check(f"an item of {length} bytes", True, await anext(call.items) == body)
    call.end_requests()
    check("items", [], [item async for item in call.items])


async def fragments_of_one_byte(peer):
    for _ in range(200):
        body = note("0123456789")
        check("reply", body, await (await peer.open(ECHO, body=body, cut=1)).response())


async def a_client_without_fragments(address):
    """It announces 16,384 as its largest message, and needs neither fragments nor bulk credit."""
    peer = await connect(address, settings={2: 16_384})
    body = note(data=bytes(16_300))
    check("a reply of one frame", body, await peer.call(ECHO, body))
    check("fragments", 0, len(peer.partial))
    call = await peer.open(COUNT, mux.RESPONSE_STREAM, field(1, 1) + field(2, 100_000))
    await fails(call.response(), mux.RESOURCE_EXHAUSTED)
    await peer.close()


async def cancel(peer):
    call = await peer.open(WAIT)
    call.cancel()
    await fails(call.response(), mux.CANCELLED, mux.MAY_HAVE_EXECUTED)
    stream = await peer.open(COUNT, mux.RESPONSE_STREAM, field(1, 1_000_000) + field(2, 100))
    await anext(stream.items)
    stream.cancel()
    upload = await peer.open(TOTAL, mux.REQUEST_STREAM)
    await upload.requests.send(field(1, 1))
    upload.cancel()
    await slots_are_free(peer)


async def cancels_of_all_calls(peer):
    for _ in range(1000):
        (await peer.open(WAIT)).cancel()
        if len(peer.calls) > 50:
            await slots_are_free(peer)
    await slots_are_free(peer)


async def a_cancel_inside_a_request(peer):
    head = 0
    await peer.call(ECHO)  # defines it as ordinal 0
    slot = peer.freed.pop()
    peer.generation[slot] += 1
    ident = slot | peer.generation[slot] << 20
    call = peer.calls[slot] = mux.Call(peer, slot, ident, mux.UNARY)
    peer.send(mux.REQUEST, ident, bytes([head, 0, 0, 0]) + (1000).to_bytes(4, "little"), mux.MORE)
    peer.send(mux.CANCEL, ident, b"\0")
    await fails(call.response(), mux.CANCELLED, mux.NOT_EXECUTED)


async def errors(peer):
    failure = await fails(peer.call(FAIL, field(1, 5) + field(2, "no such thing")), 5, mux.EXECUTED)
    check("text", "no such thing", failure.text)
    check("retry-after", 1500, failure.retry_after)
    failure = await fails(peer.call("interop.Lab/Nothing"), mux.UNIMPLEMENTED, mux.NOT_EXECUTED)
    await fails(peer.call("interop.Lab/Nothing", bytes(100_000)), mux.UNIMPLEMENTED, mux.NOT_EXECUTED)
    await fails((await peer.open(ECHO, mux.RESPONSE_STREAM)).response(), mux.UNIMPLEMENTED, mux.NOT_EXECUTED)
    await fails(peer.call(ECHO, b"\xff\xff\xff"), mux.INVALID_ARGUMENT, mux.NOT_EXECUTED)
    check("the connection lives", 3, value(await peer.call(ADD, field(1, 1) + field(2, 2))))


async def an_unknown_method_in_fragments(peer):
    """It is refused at its first fragment: the others need not be sent."""
    peer.bulk = 0  # and cannot be
    call = asyncio.create_task(peer.open("interop.Lab/Nothing", body=bytes(100_000)))
    while not peer.calls:
        await asyncio.sleep(0)
    await fails(peer.calls[1].response(), mux.UNIMPLEMENTED, mux.NOT_EXECUTED)
    call.cancel()


async def pings(peer):
    for _ in range(20):
        check("an answer", True, await peer.ping() < 10)


async def extensions_are_skipped(peer):
    peer.send(0x18, 12345, b"whatever", 7)
    peer.send(0x1F)
    await unary(peer)


async def budgets_are_announced(peer):
    check("settings 16 to 19", [True] * 4, [peer.peer[number] > 0 for number in (16, 17, 18, 19)])


async def drain(peer):
    call = await peer.open(ECHO, body=note("last"))
    await peer.close()
    check("the call that was open", ("last", b"", 0), read_note(await call.response()))
    check("end", mux.DRAINING, peer.ended.code)
    await fails(peer.call(ECHO), mux.UNAVAILABLE, mux.NOT_EXECUTED)


async def drained_by_the_server(peer):
    """Says when a call is open; the server then drains, and the call ends as if it did not."""
    stream = await peer.open(MIRROR, mux.DUPLEX)
    await stream.requests.send(note("first"))
    await anext(stream.items)
    print("open", flush=True)
    while not peer.peer_drains:
        await asyncio.sleep(0.01)
    await fails(peer.call(ECHO), mux.UNAVAILABLE, mux.NOT_EXECUTED)
    await stream.requests.send(note("second"))
    check("an item after GOAWAY", "second", read_note(await anext(stream.items))[0])
    stream.end_requests()
    check("end", b"", await stream.response())
    await asyncio.wait_for(peer.end.wait(), 30)


async def broken_rules(address):
    for name, code, frame in (("an undefined kind", 1, lambda p: p.send(0x0D, 1)), ("an item of no call", 1, lambda p: p.send(mux.REQUEST_ITEM, 1 | 1 << 20)), ("a credit of 0", 3, lambda p: p.send(mux.CREDIT, 0, bytes(4))),
                              ("a long frame", 2, lambda p: p.send(mux.REQUEST, 1 | 1 << 20, bytes(65_537))), ("a skipped slot", 1, lambda p: p.send(mux.REQUEST, 2 | 1 << 20, bytes(4))),
                              ("CANCEL of 2 bytes", 1, lambda p: p.send(mux.CANCEL, 1 | 1 << 20, bytes(2)))):
        peer = await connect(address)
        frame(peer)
        await asyncio.wait_for(peer.end.wait(), 30)
        check(name, code, peer.ended.code)


async def with_a_shared_key(address):
    """MUX_KEY is NAME:HEX."""
    name, key = os.environ["MUX_KEY"].split(":")
    peer = await connect(address, credential=mux.SharedKey(name, bytes.fromhex(key)))
    await unary(peer)
    await peer.close()
    for credential in (None, mux.SharedKey(name, os.urandom(32)), mux.SharedKey("nobody", bytes.fromhex(key))):
        try:
            await connect(address, credential=credential)
        except mux.Ended as ended:
            check("the end of a peer that has no key", mux.AUTH_FAILED, ended.code)
        else:
            raise AssertionError("a peer without the key was accepted")
    impostor = mux.SharedKey(name, bytes.fromhex(key))
    impostor.token = lambda challenge: (mux.SharedKey(name, bytes.fromhex(key)).token(challenge)[0], mux.SharedKey(name, os.urandom(32)).token(challenge)[1])
    try:
        await connect(address, credential=impostor)
    except mux.Violation as violation:
        check("the end of a server with another key", mux.AUTH_FAILED, violation.code)
    else:
        raise AssertionError("a server that has another key was accepted")


async def slots_are_free(peer):
    """All terminal frames come, also of calls that were given up."""
    async with asyncio.timeout(30):
        while peer.calls:
            await asyncio.sleep(0.002)


async def connect(address, **options):
    host, port = address.rsplit(":", 1)
    return await mux.connect(host, int(port), **options)


# Those that take an address make their own connections.
WITH_ADDRESS = [a_client_without_fragments, broken_rules]
WITH_PEER = [unary, many_at_a_time, generations_wrap, deadlines, a_deadline_that_the_server_counts, metadata, one_way, stream_down, stream_up, stream_both_ways, large_messages, large_messages_beside_small_calls,
             large_items, fragments_of_one_byte, cancel, cancels_of_all_calls, a_cancel_inside_a_request, errors, an_unknown_method_in_fragments, pings, extensions_are_skipped, budgets_are_announced, drain]
BY_HAND = [drained_by_the_server, with_a_shared_key]  # need a server that drains, or asks for a key
SCENARIOS = {scenario.__name__: scenario for scenario in WITH_PEER + WITH_ADDRESS}


async def run(name, address):
    scenario = SCENARIOS.get(name) or next(scenario for scenario in BY_HAND if scenario.__name__ == name)
    if scenario in WITH_ADDRESS or scenario is with_a_shared_key:
        await scenario(address)
        return
    peer = await connect(address)
    await scenario(peer)
    if not peer.ended:
        check("calls that are open", {}, peer.calls)
        await peer.close()
    if peer.ended.code not in (None, mux.DRAINING):
        raise AssertionError(f"the connection ended: {peer.ended}")


async def main(address, names):
    failed = 0
    for name in names or SCENARIOS:
        begun = time.monotonic()
        try:
            await asyncio.wait_for(run(name, address), 120)
            print(f"passed {name} ({time.monotonic() - begun:.2f} s)", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED {name}: {error!r}", flush=True)
    print(f"{len(names or SCENARIOS) - failed} passed, {failed} failed", flush=True)
    return failed


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(SCENARIOS))
    else:
        sys.exit(min(1, asyncio.run(main(sys.argv[1], sys.argv[2:]))))
