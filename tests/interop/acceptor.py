"""The accepting side of the Mux wire protocol, version 1, as far as a small server needs it, on the standard library of Python 3.11. It makes no calls. The numbers in comments are sections of PROTOCOL.md."""
import asyncio
import struct
import time

PREFACE = b"MUX1\r\n\x1a\n"

HELLO, PING, GOAWAY, CREDIT, DEFINE, AUTH = 1, 2, 3, 4, 5, 7
REQUEST, REQUEST_ITEM, REQUEST_END, CANCEL, REQUEST_CREDIT = 8, 9, 10, 11, 12
RESPONSE, RESPONSE_ITEM, FAIL, RESPONSE_CREDIT = 16, 17, 18, 19
CONNECTION_KINDS = {HELLO, PING, GOAWAY, CREDIT, DEFINE, AUTH}

MORE, META, ANSWER = 1, 2, 4
FLAGS = {REQUEST: MORE | META, REQUEST_ITEM: MORE, RESPONSE: MORE | META, RESPONSE_ITEM: MORE | META, FAIL: META, PING: ANSWER, GOAWAY: ANSWER, DEFINE: ANSWER, AUTH: ANSWER}

UNARY, REQUEST_STREAM, RESPONSE_STREAM, DUPLEX, ONE_WAY = 0, 1, 2, 3, 4
OPTION_ONE_WAY, OPTION_STREAM, OPTION_DEADLINE, OPTION_TRACE = 1 << 2, 1 << 3, 1 << 6, 1 << 7

NOT_EXECUTED, EXECUTED = 0, 2
CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNIMPLEMENTED = 1, 2, 4, 8, 12

OK, PROTOCOL_ERROR, FRAME_TOO_LARGE, FLOW_CONTROL_ERROR, VERSION_MISMATCH, EXCESSIVE_LOAD, DRAINING = 0, 1, 2, 3, 4, 7, 13
DRAINS = {OK, 11, 12, 13}

# 1.3: number -> (lowest, highest, what an absent one means)
SETTINGS = {1: (16384, 65536, 65536), 2: (16384, 2**31 - 1, 4 << 20), 3: (0, 2**20 - 1, 16384), 4: (1, 2**31 - 1, 65536), 5: (1, 2**31 - 1, 1 << 20), 6: (0, 2**31 - 1, 0),
            7: (0, 2**31 - 1, 0), 8: (0, 65535, 8192), 12: (0, 65536, 4096), 13: (0, 1, 0), 14: (0, 1, 0), 16: (0, 2**31 - 1, 0), 17: (0, 2**31 - 1, 0), 18: (0, 2**31 - 1, 0), 19: (0, 2**31 - 1, 0),
            20: (0, 1, 0)}
WHOLE, FRAGMENT = 16384, 32768  # 6.1: longest body in one frame, and in a continuation


class Failure(Exception):
    """A call failed (5.1), at the peer or here."""

    def __init__(self, status, execution, text, retry_after=0, metadata=()):
        super().__init__(f"status {status}, execution {execution}: {text}")
        self.status, self.execution, self.text, self.retry_after, self.metadata = status, execution, text, retry_after, list(metadata)


class Violation(Exception):
    """The peer broke a rule."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Ended(Exception):
    """The peer ended the connection: GOAWAY with a code that is no drain, or the end of the stream."""

    def __init__(self, code, text):
        super().__init__(f"code {code}: {text}")
        self.code = code


def encode_metadata(entries):  # 4.3
    block = b"".join(bytes([len(key)]) + key.encode() + struct.pack("<H", len(value)) + value for key, value in entries)
    return struct.pack("<H", len(block)) + block


def decode_metadata(payload, at):
    if len(payload) < at + 2:
        raise Violation(PROTOCOL_ERROR, "a metadata block is cut short")
    end = at + 2 + struct.unpack_from("<H", payload, at)[0]
    at += 2
    if end > len(payload):
        raise Violation(PROTOCOL_ERROR, "a metadata block is longer than its payload")
    entries = []
    while at < end:
        key_end = at + 1 + payload[at]
        value_at = key_end + 2
        if key_end == at + 1 or value_at > end:
            raise Violation(PROTOCOL_ERROR, "a metadata entry goes beyond its block")
        value_end = value_at + struct.unpack_from("<H", payload, key_end)[0]
        if value_end > end:
            raise Violation(PROTOCOL_ERROR, "a metadata entry goes beyond its block")
        key = payload[at + 1:key_end].decode("latin-1")
        if not all(c.isascii() and (c.islower() or c.isdigit() or c in "._-") for c in key):
            raise Violation(PROTOCOL_ERROR, "a metadata key has another character")
        if not key.startswith("mux-"):
            entries.append((key, bytes(payload[value_at:value_end])))
        at = value_end
    return entries, end


class Stream:
    """The items of one call that arrive. Credit goes back for each item when the application takes it, the simplest that 6.2 allows."""

    def __init__(self, connection, ident, credit_kind):
        self.connection, self.ident, self.credit_kind = connection, ident, credit_kind
        self.items, self.news, self.over, self.error = [], asyncio.Event(), False, None
        self.credit = connection.local[4]  # as far as the peer may know
        self.cost = 0  # of the item that is not whole

    def charge(self, length, first):
        if first and self.credit <= 0:
            raise Violation(FLOW_CONTROL_ERROR, "an item without credit")
        cost = max(64, 8 + length)
        self.credit -= cost
        self.cost += cost

    def put(self, body):
        self.items.append((bytes(body), self.cost))
        self.cost = 0
        self.news.set()

    def end(self, error=None):
        if not self.over:
            self.over, self.error = True, error
            self.news.set()

    def __aiter__(self):
        return self

    async def __anext__(self):
        while not self.items:
            if self.over:
                if self.error:
                    raise self.error
                raise StopAsyncIteration
            self.news.clear()
            await self.news.wait()
        body, cost = self.items.pop(0)
        if not self.over:
            self.credit += cost
            self.connection.send(self.credit_kind, self.ident, struct.pack("<I", cost))
        return body


class Outgoing:
    """The stream of items that a call sends."""

    def __init__(self, connection, ident, kind):
        self.connection, self.ident, self.kind = connection, ident, kind
        self.credit, self.more, self.over = connection.peer[4], asyncio.Event(), False

    def add(self, count):
        self.credit += count
        if self.credit > 2**31 - 1:
            raise Violation(FLOW_CONTROL_ERROR, "too much stream credit")
        self.more.set()

    def stop(self):
        self.over = True
        self.more.set()

    async def send(self, body, piece=FRAGMENT):
        """One item, in fragments of that length if it is long. False: the call is over."""
        while self.credit <= 0 and not self.over:
            self.more.clear()
            await self.more.wait()
        if self.over:
            return False
        if len(body) <= min(WHOLE, piece):
            self._frame(body, 0)
            await self.connection.flush()
            return True
        piece = min(piece, self.connection.peer[1])
        self._frame(struct.pack("<I", len(body)), MORE)
        for at in range(0, len(body), piece):
            if self.over:
                return False
            part = body[at:at + piece]
            self._frame(part, MORE if at + len(part) < len(body) else 0)
            await self.connection.flush()
        return True

    def _frame(self, payload, flags):
        self.credit -= max(64, 8 + len(payload))
        self.connection.send(self.kind, self.ident, payload, flags)


class Served:
    """A call of the peer."""

    def __init__(self, connection, ident, shape, one_way, due, metadata):
        self.connection, self.ident, self.shape, self.one_way, self.due, self.metadata = connection, ident, shape, one_way, due, metadata
        self.cancelled, self.answered, self.task, self.reply_metadata = False, False, None, []
        self.requests = Stream(connection, ident, REQUEST_CREDIT) if shape & REQUEST_STREAM else None
        self.items = Outgoing(connection, ident, RESPONSE_ITEM) if shape & RESPONSE_STREAM else None
        self.ended = False  # by REQUEST_END


class Connection:
    """One connection, over which the peer calls. services: name -> (shape, handler(call, body))."""

    def __init__(self, reader, writer, services, settings=None):
        self.reader, self.writer, self.services = reader, writer, services
        self.local = {number: (settings or {}).get(number, absent) for number, (_, _, absent) in SETTINGS.items()}
        self.announced = settings or {}
        self.peer = None
        self.bulk, self.more_bulk = 0, asyncio.Event()
        self.methods, self.last, self.served, self.discards = [], {}, {}, {}
        self.partial = {}  # (kind, slot) -> [total, body, what came before, continuations]
        self.draining = self.acknowledged = self.peer_drains = self.peer_is_done = self.closing = False
        self.ended, self.end = None, asyncio.Event()
        self.tasks = set()

    # frames

    def send(self, kind, ident=0, payload=b"", flags=0):
        if not self.closing:
            self.writer.write(struct.pack("<Q", len(payload) | kind << 24 | flags << 29 | ident << 32) + payload)

    async def flush(self):
        await self.writer.drain()

    async def _read_frame(self, limit):
        header = struct.unpack("<Q", await self.reader.readexactly(8))[0]
        length, kind, flags, ident = header & 0xFFFFFF, header >> 24 & 31, header >> 29 & 7, header >> 32
        if kind not in CONNECTION_KINDS and kind < 0x18 and kind not in (8, 9, 10, 11, 12, 16, 17, 18, 19):  # 2.1, in its order
            raise Violation(PROTOCOL_ERROR, f"kind {kind}")
        if length > limit:
            raise Violation(FRAME_TOO_LARGE, f"{length} bytes")
        if kind < 0x18:
            if flags & ~FLAGS.get(kind, 0):
                raise Violation(PROTOCOL_ERROR, f"flags {flags} on kind {kind}")
            if (ident == 0) != (kind in CONNECTION_KINDS) or (kind not in CONNECTION_KINDS and ident & 0xFFFFF == 0):
                raise Violation(PROTOCOL_ERROR, f"id {ident} on kind {kind}")
        return kind, flags, ident, await self.reader.readexactly(length)

    # handshake, section 1

    def _hello(self):
        settings = b"".join(struct.pack("<HH", number, len(value)) + value for number, value in
                            ((number, value if isinstance(value, bytes) else struct.pack("<I", value)) for number, value in self.announced.items()))
        self.send(HELLO, 0, bytes([1, 1, 0, 0]) + settings)

    async def start(self):
        try:
            return await self._start()
        except Violation as violation:
            self.send(GOAWAY, 0, struct.pack("<HI", violation.code, 0) + str(violation).encode()[:1024])
            self.writer.close()
            raise

    async def _start(self):
        preface = await self.reader.readexactly(8)
        if preface != PREFACE:
            self.writer.close()
            raise Ended(None, "not this protocol")
        kind, _, _, payload = await self._read_frame(4096)
        if kind != HELLO:
            raise Violation(PROTOCOL_ERROR, "no HELLO")
        self.peer = self._read_hello(payload)
        self.writer.write(PREFACE)
        self._hello()
        self.bulk = self.peer[5]
        self.task = asyncio.create_task(self._run())
        return self

    def _read_hello(self, payload):
        if len(payload) < 4 or payload[0] > payload[1]:
            raise Violation(PROTOCOL_ERROR, "HELLO")
        if not payload[0] <= 1 <= payload[1]:
            raise Violation(VERSION_MISMATCH, f"versions {payload[0]} to {payload[1]}")
        settings, seen, at = {number: absent for number, (_, _, absent) in SETTINGS.items()}, set(), 4
        while at < len(payload):
            if at + 4 > len(payload):
                raise Violation(PROTOCOL_ERROR, "a setting is cut short")
            key, length = struct.unpack_from("<HH", payload, at)
            value = payload[at + 4:at + 4 + length]
            if len(value) < length or key in seen:
                raise Violation(PROTOCOL_ERROR, f"setting {key}")
            seen.add(key)
            at += 4 + length
            if key in SETTINGS:
                lowest, highest, _ = SETTINGS[key]
                if length != 4 or not lowest <= struct.unpack("<I", value)[0] <= highest:
                    raise Violation(PROTOCOL_ERROR, f"setting {key}")
                settings[key] = struct.unpack("<I", value)[0]
            elif key in (10, 11):
                settings[key] = value
        return settings

    # the turn

    async def _run(self):
        try:
            while True:
                await self._on_frame(*await self._read_frame(self.local[1]))  # 6.4: reading never waits for what is sent
        except Violation as violation:
            self.send(GOAWAY, 0, struct.pack("<HI", violation.code, 0) + str(violation).encode()[:1024])
            await self._close(Ended(violation.code, f"this side: {violation}"))
        except Ended as ended:
            await self._close(ended)
        except (asyncio.IncompleteReadError, ConnectionError) as lost:
            await self._close(Ended(None, "drained" if self.draining or self.peer_drains else f"lost: {lost!r}"))

    async def _close(self, ended):
        """The ordered end, 7.1."""
        if self.ended:
            return
        self.ended, self.closing = ended, True
        for call in list(self.served.values()):
            call.cancelled = True
            if call.task:
                call.task.cancel()
        self.more_bulk.set()
        try:
            await asyncio.wait_for(self.writer.drain(), 5)
            if self.writer.can_write_eof():
                self.writer.write_eof()
            if asyncio.current_task() is self.task:
                async with asyncio.timeout(1):
                    while await self.reader.read(65536):
                        pass
            else:  # a reply was the last thing that the drain waited for: the turn reads on, and ends with the peer
                await asyncio.wait([self.task], timeout=1)
        except (OSError, TimeoutError):
            pass
        self.writer.close()
        self.end.set()

    async def close(self):
        """Drains: GOAWAY, the calls' ends, the ordered end."""
        if not self.draining and not self.closing:
            self.draining = True
            self.send(GOAWAY, 0, struct.pack("<HI", DRAINING, 0))
            await self._finish_drain()
        await asyncio.wait_for(self.end.wait(), 15)

    async def _finish_drain(self):
        if self.draining and self.acknowledged and not self.served and not self.closing:
            await self._close(Ended(DRAINING, "drained"))
        elif self.peer_is_done and not self.served and not self.partial and not self.closing:
            await self._close(Ended(OK, "left to this side"))

    @staticmethod
    def _goaway(payload):
        if not 6 <= len(payload) <= 1030:
            raise Violation(PROTOCOL_ERROR, "GOAWAY")
        code, retry_after = struct.unpack_from("<HI", payload)
        return code, f"{payload[6:].decode(errors='replace')} (retry after {retry_after} ms)"

    def _on_ping(self, flags, payload):
        if len(payload) != 8:
            raise Violation(PROTOCOL_ERROR, "PING")
        if not flags & ANSWER:
            self.send(PING, 0, payload, ANSWER)

    @staticmethod
    def _credit(payload):
        if len(payload) != 4:
            raise Violation(PROTOCOL_ERROR, "credit of another length")
        count = struct.unpack("<I", payload)[0]
        if not 1 <= count <= 2**31 - 1:
            raise Violation(FLOW_CONTROL_ERROR, f"credit of {count}")
        return count

    async def _on_frame(self, kind, flags, ident, payload):
        if kind >= 0x18:
            return
        if kind == HELLO:
            raise Violation(PROTOCOL_ERROR, "HELLO twice")
        if kind == PING:
            self._on_ping(flags, payload)
        elif kind == GOAWAY and flags & ANSWER:
            if payload or not self.draining or self.acknowledged:
                raise Violation(PROTOCOL_ERROR, "an acknowledgement of nothing")
            self.acknowledged = True
            await self._finish_drain()
        elif kind == GOAWAY:
            code, text = self._goaway(payload)
            if code not in DRAINS:
                raise Ended(code, text)
            if not self.peer_drains:
                self.peer_drains, self.peer_is_done = True, code == OK
                self.send(GOAWAY, flags=ANSWER)
                await self._finish_drain()
        elif kind == CREDIT:
            self.bulk += self._credit(payload)
            if self.bulk > 2**31 - 1:
                raise Violation(FLOW_CONTROL_ERROR, "too much bulk credit")
            self.more_bulk.set()
        elif kind == DEFINE:
            self._on_define(flags, payload)
        elif kind == AUTH:
            raise Violation(PROTOCOL_ERROR, "AUTH that was not asked for")
        elif kind in (REQUEST, REQUEST_ITEM, REQUEST_END, CANCEL, RESPONSE_CREDIT):
            await self._on_call_of_peer(kind, flags, ident, payload)
        else:
            raise Violation(PROTOCOL_ERROR, f"kind {kind}: this side has made no call")

    # messages in fragments, 6.1

    def _begin(self, kind, ident, payload, at, before):
        if len(payload) < at + 4:
            raise Violation(PROTOCOL_ERROR, "a total length that is cut short")
        total = struct.unpack_from("<I", payload, at)[0]
        if not 1 <= total <= 2**31 - 1:
            raise Violation(PROTOCOL_ERROR, f"a total of {total}")
        self.partial[kind, ident] = [total, bytearray(), before, 0]
        return total

    def _continue(self, kind, flags, ident, payload):
        """The whole message and what came before it, or None if something is missing."""
        part = self.partial[kind, ident]
        total, body, before, count = part
        part[3] += 1
        if part[3] > total // 1024 + 16:
            raise Violation(EXCESSIVE_LOAD, "too many fragments")
        if flags & ~MORE or not payload or len(body) + len(payload) > total or (not flags & MORE) != (len(body) + len(payload) == total):
            raise Violation(PROTOCOL_ERROR, "a continuation that does not fit")
        if kind in (REQUEST, RESPONSE):
            self.send(CREDIT, 0, struct.pack("<I", len(payload)))
        body += payload
        if len(body) < total:
            return None
        del self.partial[kind, ident]
        return bytes(body), before

    async def _send_reply(self, call, body):
        """One frame, or fragments that each wait for bulk credit; a call that is cancelled meanwhile is answered with FAIL."""
        block = encode_metadata(call.reply_metadata) if call.reply_metadata else b""
        flags = META if call.reply_metadata else 0
        if len(body) <= WHOLE and len(block) + len(body) <= self.peer[1]:
            self.send(RESPONSE, call.ident, block + body, flags)
            return
        self.send(RESPONSE, call.ident, struct.pack("<I", len(body)) + block, flags | MORE)
        piece = min(FRAGMENT, self.peer[1])
        for at in range(0, len(body), piece):
            while self.bulk <= 0 and not call.cancelled:
                self.more_bulk.clear()
                await self.more_bulk.wait()
            if self.closing:
                return
            if call.cancelled:
                self._fail(call.ident, CANCELLED, EXECUTED, "cancelled")
                return
            part = body[at:at + piece]
            self.bulk -= len(part)
            self.send(RESPONSE, call.ident, part, MORE if at + len(part) < len(body) else 0)
            await self.flush()

    def _on_define(self, flags, payload):
        if flags & ANSWER:
            raise Violation(PROTOCOL_ERROR, "an answer to a DEFINE without a fingerprint")
        if len(payload) < 4 or payload[2] & 0xF0:
            raise Violation(PROTOCOL_ERROR, "DEFINE")
        ordinal, shape = struct.unpack_from("<HB", payload)
        name = payload[11 if shape & 8 else 3:]
        if not 1 <= len(name) <= 256 or ordinal != len(self.methods):
            raise Violation(PROTOCOL_ERROR, "DEFINE")
        if len(self.methods) == self.local[12]:
            raise Violation(EXCESSIVE_LOAD, "too many methods")
        service = self.services.get(name.decode(errors="replace"))
        self.methods.append((shape & 7, service[1] if service and service[0] == shape & 7 else None))

    async def _on_call_of_peer(self, kind, flags, ident, payload):
        if kind == REQUEST:
            await self._on_request(flags, ident, payload)
            return
        if kind == RESPONSE_CREDIT:
            count = self._credit(payload)
        elif kind == CANCEL and len(payload) != 1 or kind == REQUEST_END and payload:
            raise Violation(PROTOCOL_ERROR, f"kind {kind} of {len(payload)} bytes")
        slot = ident & 0xFFFFF
        if self.last.get(slot) != ident >> 20:
            raise Violation(PROTOCOL_ERROR, f"kind {kind} for a call that is not the last of its slot")
        call = self.served.get(slot)
        if call is None and (REQUEST, ident) in self.partial:  # arriving
            if kind != CANCEL:
                raise Violation(PROTOCOL_ERROR, f"kind {kind} inside a REQUEST")
            del self.partial[REQUEST, ident]
            self._fail(ident, CANCELLED, NOT_EXECUTED, "cancelled before it was whole")
        elif call is None:
            self.partial.pop((REQUEST_ITEM, ident), None)
            if kind == CANCEL:
                self.discards.pop(ident, None)
        elif kind == CANCEL:
            self.partial.pop((REQUEST_ITEM, ident), None)
            call.cancelled = True
            if call.task:
                call.task.cancel()
        elif kind == RESPONSE_CREDIT:
            if not call.items:
                raise Violation(PROTOCOL_ERROR, "credit for a call without a stream")
            call.items.add(count)
        else:
            self._on_stream(call, kind, flags, ident, payload)

    def _on_stream(self, call, kind, flags, ident, payload):
        if not call.requests:
            raise Violation(PROTOCOL_ERROR, "an item for a call without a stream")
        if call.cancelled:
            return
        if call.ended:
            raise Violation(PROTOCOL_ERROR, "a stream that has ended")
        inside = (REQUEST_ITEM, ident) in self.partial
        if kind == REQUEST_END:
            if inside:
                raise Violation(PROTOCOL_ERROR, "REQUEST_END inside an item")
            call.ended = True
            call.requests.end()
            return
        call.requests.charge(len(payload), not inside)
        if inside:
            whole = self._continue(REQUEST_ITEM, flags, ident, payload)
            if whole:
                call.requests.put(whole[0])
        elif flags & MORE:
            if len(payload) > 4:
                raise Violation(PROTOCOL_ERROR, "body in a first fragment")
            self._begin(REQUEST_ITEM, ident, payload, 0, None)
        else:
            call.requests.put(payload)

    async def _on_request(self, flags, ident, payload):
        slot, generation = ident & 0xFFFFF, ident >> 20
        if (REQUEST, ident) in self.partial:
            whole = self._continue(REQUEST, flags, ident, payload)
            if whole:
                await self._serve(ident, whole[1], whole[0])
            return
        if ident in self.discards:  # the rest of one that was refused; its credit goes back
            self.send(CREDIT, 0, struct.pack("<I", len(payload)))
            self.discards[ident] -= len(payload)
            if self.discards[ident] <= 0:
                del self.discards[ident]
            return
        if len(payload) < 4:
            raise Violation(PROTOCOL_ERROR, "the head of a REQUEST")
        ordinal, options = struct.unpack_from("<HH", payload)
        at = 4 + (4 if options & OPTION_DEADLINE else 0) + (25 if options & OPTION_TRACE else 0)
        if at > len(payload) or options & 0xF000 or options & 3 == 3 or ordinal >= len(self.methods) or options & OPTION_ONE_WAY and options & OPTION_STREAM:
            raise Violation(PROTOCOL_ERROR, "the head of a REQUEST")
        left = struct.unpack_from("<I", payload, 4)[0] if options & OPTION_DEADLINE else None
        due = None if left is None else time.monotonic() + left / 1e6
        total_at = at
        if flags & MORE:
            at += 4
        metadata = []
        if flags & META:
            metadata, at = decode_metadata(payload, at)
        if flags & MORE and at < len(payload):
            raise Violation(PROTOCOL_ERROR, "body in a first fragment")
        highest = len(self.last)
        if slot > self.local[3] or slot > highest + 1 or slot in self.served or generation != (self.last.get(slot, 0) + 1) % 4096 or any(k[1] & 0xFFFFF == slot and k[0] == REQUEST for k in self.partial):
            raise Violation(PROTOCOL_ERROR, f"REQUEST in slot {slot}, generation {generation}")
        self.last[slot] = generation
        self.discards.pop(slot | (generation - 1) % 4096 << 20, None)
        shape, handler = self.methods[ordinal]
        refusal = None
        if self.acknowledged:
            raise Violation(PROTOCOL_ERROR, "a REQUEST after the acknowledgement")
        if handler is None or bool(shape & REQUEST_STREAM) != bool(options & OPTION_STREAM):
            refusal = UNIMPLEMENTED, "no such method"
        elif left == 0:
            refusal = DEADLINE_EXCEEDED, "expired on its way"
        before = (shape, handler, bool(options & OPTION_ONE_WAY), due, metadata)
        if flags & MORE:
            total = self._begin(REQUEST, ident, payload, total_at, before)
            if refusal is None and total > self.local[2]:
                refusal = RESOURCE_EXHAUSTED, f"{total} bytes"
            if refusal:
                del self.partial[REQUEST, ident]
                self.discards[ident] = total
        if refusal:
            self._fail(ident, refusal[0], NOT_EXECUTED, refusal[1])
        elif not flags & MORE:
            await self._serve(ident, before, payload[at:])

    async def _serve(self, ident, before, body):
        shape, handler, one_way, due, metadata = before
        call = self.served[ident & 0xFFFFF] = Served(self, ident, shape, one_way, due, metadata)
        self.tasks.add(task := asyncio.create_task(self._handle(call, handler, body)))
        task.add_done_callback(self.tasks.discard)

    async def _handle(self, call, handler, body):
        async def within():
            async with asyncio.timeout(None if call.due is None else max(0, call.due - time.monotonic())):
                return await handler(call, body)

        try:
            if call.cancelled:
                raise asyncio.CancelledError
            call.task = asyncio.create_task(within())  # CANCEL ends this, and not what answers
            reply = await call.task
            if call.one_way or call.items:
                reply = b""
            if len(reply) > self.peer[2]:
                raise Failure(RESOURCE_EXHAUSTED, EXECUTED, f"a reply of {len(reply)} bytes")
            await self._send_reply(call, reply)
        except Failure as failure:
            self._fail(call.ident, failure.status, failure.execution, failure.text, failure.retry_after, failure.metadata)
        except asyncio.CancelledError:
            self._fail(call.ident, CANCELLED, EXECUTED, "cancelled")
        except TimeoutError:
            self._fail(call.ident, DEADLINE_EXCEEDED, EXECUTED, "the deadline passed in the handler")
        except Exception as error:  # a handler's
            self._fail(call.ident, UNKNOWN, EXECUTED, repr(error))
        self.served.pop(call.ident & 0xFFFFF, None)
        self.partial.pop((REQUEST_ITEM, call.ident), None)
        if call.items:
            call.items.stop()
        await self._finish_drain()

    def _fail(self, ident, status, execution, text, retry_after=0, metadata=()):
        text = text.encode()[:4096]
        self.send(FAIL, ident, struct.pack("<BBIH", status, execution, retry_after, len(text)) + text + (encode_metadata(metadata) if metadata else b""), META if metadata else 0)
