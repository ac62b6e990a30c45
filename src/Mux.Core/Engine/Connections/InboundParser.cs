using System.Diagnostics;
using System.Numerics;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>Splits delivered bytes into frames, and routes each to the part of the connection that it concerns. Turn only.</summary>
internal sealed class InboundParser(Connection connection, bool accepting)
{
    /// <summary>
    /// Frames between two clock reads: 20 ns per read are 1.3 ns per frame, and 16 frames with cheap handlers take far less than <see cref="FlushAfter"/>.
    /// </summary>
    private const int FramesPerClockRead = 16;

    /// <summary>Microseconds that replies wait at most for the rest of the batch: an earlier send lets the peer start sooner.</summary>
    private const long FlushAfter = 100;

    /// <summary>
    /// Frames of a delivery after which its first part is flushed, at the next clock reading, if the thread has nothing else to do and between a half and a
    /// third of the bytes is left. The peer has likely sent all it had and waits: with a part of the calls each, both sides work at the same time, and seldom
    /// sleep. A send costs a tenth of so many calls. Calls that only other connections send on, as in a gateway, stay together: the peer waits for what comes
    /// back by those, and two halves would cost each side of a gateway twice the system calls.
    /// </summary>
    private const int LeastHalf = 2 * FramesPerClockRead;

    /// <summary>Bytes of a delivery up to which the peer is likely to wait: some 150 small replies. A peer with more calls open has more to do.</summary>
    private const int MostToHalve = 8_192;

    private Handshake? _handshake = new(accepting); // null once it is done
    private readonly PeerBudgets _budgets = connection.Budgets;
    private readonly int _maxPayload = connection.Options.Local.MaxFramePayload;
    private EarlyFrames? _early; // created by a handshake that authenticates
    private readonly RequestSlots _slots = connection.Replies.Slots;
    private readonly Lifetime _life = connection.Life;
    private readonly UnfinishedFrame _unfinished = connection.Life.Unfinished;
    private volatile bool _isInTurn; // written by the turn
    private bool _hasReceived; // since the last end of a batch; of the delivering thread
    private bool _helloRead;

    /// <summary>True if a whole correct preface arrived. Before that, an accepting side sends nothing.</summary>
    public bool PrefaceSeen => _handshake is not { } handshake || handshake.PrefaceSeen;

    /// <summary>Counts what the link keeps of the input. Owned by the turn.</summary>
    public KeptInput Kept { get; } = new();

    /// <summary>True if bytes are being handled. Any thread.</summary>
    public bool IsInTurn => _isInTurn;

    /// <summary>Handles a delivery in a turn.</summary>
    /// <returns>As <see cref="ILinkHandler.OnReceived"/>.</returns>
    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (connection.State > ConnectionState.Open) return DropBehindEnd(bytes.Length);
        var turn = Turn.Enter(connection);
        _isInTurn = _hasReceived = true;
        try
        {
            long now = connection.Clock.Now;
            connection.KeepAlive.OnReceived(now);
            int consumed = Receive(turn, bytes, now);
            if (consumed == Link.HandedOver) return consumed; // from here on this thread owns nothing of the turn
            _unfinished.OnDelivered(now, consumed, bytes.Length - consumed);
            Kept.OnDelivered(bytes.Length - consumed);
            if (Math.Min(_unfinished.Due, connection.Reassembly.Watch.Due) is var due && due < connection.NextDue) RequestTick(due);
            connection.Received.Bytes += consumed;
            return consumed;
        }
        catch (Exception error)
        {
            // Caused neither by the peer nor by user code, which is caught where it is called.
            Debug.Fail(error.ToString());
            bool isOwner = turn.TryRecover();
            connection.Close(new ConnectionEnd(CloseReason.Internal, "An internal error.", error),
                new GoAwayFrame(ConnectionCode.Internal, 0, "Internal error."));
            return isOwner ? bytes.Length : Link.HandedOver;
        }
        finally
        {
            if (!turn.IsLost) _isInTurn = false;
            turn.Leave();
        }
    }

    /// <summary>Ends a batch of deliveries.</summary>
    public void OnBatchEnd()
    {
        if (_hasReceived) connection.Received.Batches++;
        _hasReceived = false;
    }

    /// <summary>
    /// Does what the thread that is stuck in the delivery would have done. The rest of the delivery, if any, is delivered again. On the thread that continues.
    /// </summary>
    /// <param name="position">Bytes of the delivery that are handled.</param>
    public void OnTakenOver(int position)
    {
        connection.Deliveries.RunElsewhere();
        connection.Received.Bytes += position;
        _unfinished.OnDelivered(connection.Clock.Now, position, 0);
        _isInTurn = false;
    }

    /// <summary>Ends the connection because the peer broke a rule, and tells it. In the turn.</summary>
    public void FailProtocol(ProtocolViolation violation)
    {
        var end = ConnectionEnd.Of(violation);
        if (accepting && !PrefaceSeen) connection.Abort(end);
        else if (violation.Code == ConnectionCode.AuthFailed) PeerAdmission.Refuse(connection, violation.Text);
        else connection.Close(end, new GoAwayFrame(violation.Code, RetryAfterOf(violation.Code), violation.Text));
    }

    /// <summary>Handles all whole frames.</summary>
    /// <returns>The number of bytes handled; or <see cref="Link.HandedOver"/> if another thread has continued.</returns>
    private int Receive(Turn turn, ReadOnlySpan<byte> bytes, long now)
    {
        int consumed = 0;
        turn.Costs.Begin(now);
        BeginClock(now);
        if (_handshake is not null)
        {
            if (!ReadHandshake(bytes, out consumed)) return connection.State > ConnectionState.Open ? bytes.Length : consumed;
            (_handshake, _early) = (null, null);
        }

        long lastFlush = now;
        int untilClockRead = FramesPerClockRead, closedAt = 0; // closedAt: where the window of costs began
        long halfFrom = turn.IsAlone && bytes.Length <= MostToHalve ? connection.Received.Frames + LeastHalf : long.MaxValue;
        while (true)
        {
            var rest = bytes[consumed..];
            var result = FrameReader.Read(rest, _maxPayload, out var header, out var violation);
            if (result == FrameReadResult.Incomplete)
            {
                if (connection.Reassembly.Watch.Due <= now) GiveUpStalledMessages(turn);
                if (!turn.IsLost) connection.Deliveries.Run(turn);
                if (turn.IsLost) return Leave(turn, consumed - closedAt);
                if (untilClockRead < FramesPerClockRead) turn.Costs.Close(connection.Clock.Now, consumed - closedAt);
                return connection.State > ConnectionState.Open ? bytes.Length : consumed;
            }

            if (result == FrameReadResult.Frame)
            {
                consumed += FrameHeader.Size + header.Length;
                turn.Position = consumed; // set before any user code: a thread that takes over continues after this frame
                connection.Received.Frames++;
                bool isTiny = (header.Flags & FrameFlags.More) != 0 && header.Length < PartialMessage.TinyFragment;
                var (begun, worthless) = isTiny ? (connection.Reassembly.Begun, _budgets.Worthless) : default;
                violation = Route(header, rest.Slice(FrameHeader.Size, header.Length));
                if (turn.IsLost) return Leave(turn, consumed - closedAt);
                // The first frame of a message has no body and is always small.
                if (isTiny && connection.Reassembly.Begun == begun) violation ??= _budgets.OnTiny(isDiscarded: _budgets.Worthless != worthless);
                violation ??= _budgets.CountEmptyPieces();
            }

            if (violation is not null) FailProtocol(violation);
            if (--untilClockRead == 0 || turn.Costs.WantsDetail)
            {
                untilClockRead = FramesPerClockRead;
                if (!connection.Deliveries.IsEmpty)
                {
                    connection.Deliveries.Run(turn);
                    if (turn.IsLost) return Leave(turn, consumed - closedAt);
                }

                now = connection.Clock.Now;
                turn.Costs.Close(now, consumed - closedAt);
                closedAt = consumed;
                BeginClock(now);
                bool isHalf = connection.Received.Frames >= halfFrom && consumed >= bytes.Length / 2 && bytes.Length - consumed >= bytes.Length / 3
                    && (connection.TurnOutput.IsPending || connection.Outbound.Unsent > 0);
                if (isHalf || now - lastFlush >= FlushAfter)
                {
                    halfFrom = long.MaxValue;
                    connection.FlushTurn();
                    turn.FlushOwn();
                    connection.Sending.EndJoinedBatches();
                    lastFlush = now = connection.Clock.Now;
                    turn.Costs.Begin(now); // the time for sending is charged to no user code
                }
            }

            if (connection.State > ConnectionState.Open) return bytes.Length; // the peer, user code or a completed drain may have ended it
        }
    }

    /// <summary>Gets the milliseconds after which a peer that sent too much may return: its budgets are full again.</summary>
    private static uint RetryAfterOf(ConnectionCode code) =>
        code is ConnectionCode.ExcessiveLoad or ConnectionCode.TooManyPings ? (uint)(TokenBucket.RefillTime / Clock.MicrosecondsPerMillisecond) : 0;

    /// <summary>Sets the time from here on.</summary>
    private void BeginClock(long now)
    {
        _budgets.Begin(now);
        _slots.Stamp = SlotAge.StampOf(now);
    }

    private int DropBehindEnd(int bytes)
    {
        if (_life.IsFloodedBehindEnd(bytes)) connection.Abort(_life.End!);
        return bytes;
    }

    private void RequestTick(long due)
    {
        lock (connection.Gate) connection.RequestTickLocked(due);
    }

    /// <summary>Drops messages that were begun and get no more fragments. The turn may be lost in it.</summary>
    private void GiveUpStalledMessages(Turn turn)
    {
        bool isCongested;
        lock (connection.Gate) isCongested = connection.Outbound.IsBlockedLocked;
        if (!connection.Reassembly.Watch.MayJudge(isCongested)) return;
        long oldest = Clock.Never;
        if (connection.Requests.RefuseStalled(turn, ref oldest) is { } violation) FailProtocol(violation);
        if (!turn.IsLost) connection.Responses.GiveUpStalled(turn, ref oldest);
        if (!turn.IsLost) connection.Reassembly.Watch.OnLooked(oldest);
    }

    /// <summary>Leaves a turn that another thread has continued.</summary>
    private int Leave(Turn turn, int bytes)
    {
        turn.Costs.Close(connection.Clock.Now, bytes); // how long it occupied the thread; a lost turn belongs to this thread alone
        return Link.HandedOver;
    }

    private ProtocolViolation? Route(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        switch (header.Kind)
        {
            case FrameKind.Response: return connection.Responses.OnResponse(header, payload);
            case FrameKind.Request: return connection.Requests.OnRequest(header, payload);
            case FrameKind.ResponseItem: return connection.Responses.OnItem(header, payload);
            case FrameKind.RequestItem: return connection.Requests.Streams.OnItem(header, payload);
            case FrameKind.RequestEnd: return connection.Requests.Streams.OnEnd(header, payload);
            case FrameKind.ResponseCredit or FrameKind.ItemCredit: return _budgets.OnCredit() ?? connection.Requests.Streams.OnCredit(header, payload);
            case FrameKind.ItemWindow: return connection.Responses.OnItemWindow(header, payload);
            case FrameKind.RequestCredit: return _budgets.OnCredit() ?? connection.Responses.OnCredit(header, payload);
            case FrameKind.Credit: return _budgets.OnCredit() ?? OnCredit(payload);
            case FrameKind.Fail: return connection.Responses.OnFail(header, payload);
            case FrameKind.Cancel: return _budgets.OnControl() ?? connection.Requests.OnCancel(header.Id, payload);
            case FrameKind.Define:
                return _budgets.OnControl()
                    ?? ((header.Flags & FrameFlags.Answer) == 0 ? connection.Requests.OnDefine(payload) : connection.Initiator.OnDefineAnswer(payload));
            case FrameKind.Ping: return _budgets.OnControl() ?? OnPing(header.Flags, payload);
            case FrameKind.GoAway: return _budgets.OnControl() ?? OnGoAway(header.Flags, payload);
            case FrameKind.Lease: return _budgets.OnControl() ?? OnLease(payload);
            case FrameKind.Auth: return _budgets.OnControl() ?? connection.Opening.OnAuth(header.Flags, payload);
            case FrameKind.Hello: return new(ConnectionCode.ProtocolError, "HELLO came twice.");
            default:
                connection.Received.SkippedFrames++; // the frame rules let only extensions through
                return _budgets.OnControl();
        }
    }

    private ProtocolViolation? OnPing(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (!PingFrame.TryRead(payload, out ulong opaque, out var violation)) return violation;
        if ((flags & FrameFlags.Answer) != 0)
        {
            _life.OnPingAnswer(opaque); // a sign of life like any byte, and perhaps a measurement
            return null;
        }

        _life.OnPing(opaque);
        return _budgets.OnPing();
    }

    private ProtocolViolation? OnCredit(ReadOnlySpan<byte> payload) =>
        CreditFrame.TryRead(payload, FrameKind.Credit, out int bytes, out var violation) ? _life.OnBulkCredit(bytes) : violation;

    private ProtocolViolation? OnLease(ReadOnlySpan<byte> payload)
    {
        if (!LeaseFrame.TryRead(payload, out var lease, out var violation)) return violation;
        if (!connection.Options.Local.ReadsLeases) return new(ConnectionCode.ProtocolError, "LEASE that was not asked for: this side did not send setting 15.");
        connection.Initiator.Pace.OnLease(lease);
        connection.Owner.OnLease(connection, lease);
        return null;
    }

    private ProtocolViolation? OnGoAway(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if ((flags & FrameFlags.Answer) != 0) return OnDrainAcknowledged(payload);
        if (!GoAwayFrame.TryRead(payload, out var goAway, out var violation)) return violation;
        if (goAway.Code is ConnectionCode.Ok or ConnectionCode.Draining or ConnectionCode.MaxAge or ConnectionCode.IdleTimeout)
        {
            connection.OnPeerDrains(goAway);
        }
        else
        {
            connection.Close(ConnectionEnd.OfPeer(goAway, "ended"), goAway: null);
        }

        return null;
    }

    private ProtocolViolation? OnDrainAcknowledged(ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty) return new(ConnectionCode.ProtocolError, $"Acknowledgement of GOAWAY carries {payload.Length} bytes; it must be empty.");
        return _life.OnDrainAcknowledged() ? null : new(ConnectionCode.ProtocolError, "Acknowledgement of a GOAWAY that was not sent.");
    }

    /// <summary>Continues to read the handshake.</summary>
    /// <returns>True if it is done, and frames may follow.</returns>
    private bool ReadHandshake(ReadOnlySpan<byte> bytes, out int consumed)
    {
        consumed = 0;
        if (!_helloRead && !ReadHello(bytes, out consumed)) return false;
        _helloRead = true;
        if (connection.State == ConnectionState.Authenticating)
        {
            consumed += (_early ??= new(connection, connection.Opening, connection.Life)).Read(bytes[consumed..], out var violation);
            if (violation is not null) FailProtocol(violation);
        }

        return connection.State == ConnectionState.Open;
    }

    private bool ReadHello(ReadOnlySpan<byte> bytes, out int consumed)
    {
        switch (_handshake!.Read(bytes, out consumed, out var violation))
        {
            case Handshake.Step.Done:
                connection.Opening.OnHello(_handshake.Peer!);
                return true;
            case Handshake.Step.NotMux:
                connection.Abort(ConnectionEnd.NotMux(connection.PeerPlace, _handshake.Foreign, accepting));
                return false;
            case Handshake.Step.Refused:
                connection.Opening.OnRefused(_handshake.Refusal);
                return false;
            case Handshake.Step.Violation:
                FailProtocol(violation!);
                return false;
            default:
                return false;
        }
    }
}

/// <summary>
/// Counts the array in which the link keeps a frame that has not arrived completely: up to 128 KiB, for as long as <c>UnfinishedFrame</c> allows. Written by
/// the turn, and by the end of the link after it.
/// </summary>
internal sealed class KeptInput
{
    /// <summary>Fewer bytes are not worth counting: most deliveries of a busy link end inside a small frame.</summary>
    private const int CountedFrom = 1024;

    /// <summary>Links move up to this many bytes to the shortest array that fits, and keep more of them in the array of a receive.</summary>
    private const int LargestMoved = 16 * 1024, ReceiveArray = 128 * 1024;

    private long _charged;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>Gets the length of the longest array in which a link keeps this many bytes.</summary>
    public static int ArrayOf(int bytes) => bytes <= LargestMoved ? (int)BitOperations.RoundUpToPowerOf2((uint)bytes) : ReceiveArray;

    /// <summary>Handles the end of a delivery.</summary>
    /// <param name="left">Bytes that the link keeps.</param>
    public void OnDelivered(int left)
    {
        long charge = left <= CountedFrom ? 0 : ArrayOf(left);
        if (charge == _charged || Memory is not { } memory) return;
        long before = Interlocked.Exchange(ref _charged, charge);
        if (charge > before) memory.Take(charge - before);
        else memory.Release(before - charge);
    }
}
