"""Serves the contract interop.Lab (Mux.Interop.Tests/ILab.cs) at a free port, which it writes. Takes commands on its standard input (drain; ended, which waits for the end of all connections; stop) and ends with it."""
import asyncio
import sys

import acceptor
from messages import LabNote, decode_number, encode_arguments, read_fields

told = []


async def echo(call, body):
    call.reply_metadata = [("lab-" + key, data) for key, data in call.metadata]
    return body


async def add(call, body):
    arguments = dict(read_fields(body))
    return encode_arguments(arguments.get(1, 0) + arguments.get(2, 0))


async def tell(call, body):
    told.append(body)
    return b""


async def count_told(call, body):
    return encode_arguments(len(told))


async def count(call, body):
    arguments = dict(read_fields(body))
    for number in range(1, arguments.get(1, 0) + 1):
        if not await call.items.send(LabNote(bytes=bytes(arguments.get(2, 0)), number=number).encode()):
            break
    return b""


async def total(call, body):
    result = 0
    async for item in call.requests:
        result += decode_number(item)
    return encode_arguments(result)


async def mirror(call, body):
    async for item in call.requests:
        await call.items.send(item)
    return b""


async def wait(call, body):
    await asyncio.sleep(60)
    return b""


async def fail(call, body):
    arguments = dict(read_fields(body))
    raise acceptor.Failure(arguments.get(1, 0), acceptor.EXECUTED, arguments.get(2, b"").decode(), 1500, [("why", b"asked")])


SERVICES = {f"interop.Lab/{name}": method for name, method in {
    "Echo": (acceptor.UNARY, echo), "Add": (acceptor.UNARY, add), "Tell": (acceptor.ONE_WAY, tell), "CountTold": (acceptor.UNARY, count_told), "Count": (acceptor.RESPONSE_STREAM, count),
    "Total": (acceptor.REQUEST_STREAM, total), "Mirror": (acceptor.DUPLEX, mirror), "Wait": (acceptor.UNARY, wait), "Fail": (acceptor.UNARY, fail)}.items()}


async def main():
    connections, ends = set(), []

    async def accept(reader, writer):
        connection = acceptor.Connection(reader, writer, SERVICES, settings={3: 100, 10: b"python"})
        try:
            await connection.start()
            connections.add(connection)
            await connection.end.wait()
            ends.append(str(connection.ended))
        except (acceptor.Violation, acceptor.Ended, ConnectionError, asyncio.IncompleteReadError) as error:
            ends.append(repr(error))
        finally:
            connections.discard(connection)

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    print("127.0.0.1:%d" % listener.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while (command := (await loop.run_in_executor(None, sys.stdin.readline)).strip()) not in ("", "stop"):
        if command == "drain":
            await asyncio.gather(*(connection.close() for connection in list(connections)))
        if command == "ended":
            async with asyncio.timeout(30):
                while connections:
                    await asyncio.sleep(0.01)
        print(f"{command}: {len(connections)} connections; " + "; ".join(ends), flush=True)
    listener.close()

asyncio.run(main())
