using System.Diagnostics;
using Mux.Execution;
using Mux.Framing;
using Mux.Sessions;
using Mux.Sessions.Admission;
using Mux.Sessions.Budgets;
using Mux.Sessions.Incoming;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>Takes delivered bytes apart and hands each frame to the part of the connection that it concerns. Turn only.</summary>
internal sealed class InboundParser(Connection connection, bool accepting)
{
    /// <summary>
    /// Frames between two looks at the clock: 20 ns per look are 1.3 ns per frame, and what cheap handlers do in 16 frames is far below
    /// <see cref="FlushAfter"/>.
    /// </summary>
    private const int FramesPerClockRead = 16;

    /// <summary>Replies wait at most about this long (microseconds) for the rest of the batch: an earlier send lets the peer start sooner.</summary>
    private const long FlushAfter = 100;

    private readonly Handshake _handshake = new(accepting);
    private readonly PeerBudgets _budgets = connection.Budgets;
    private readonly int _maxPayload = connection.Options.Local.MaxFramePayload;
    private readonly EarlyFrames _early = new(connection, connection.Opening, connection.Life);
    private readonly RequestSlots _slots = connection.Replies.Slots;
    private readonly Lifetime _life = connection.Life;
    private readonly UnfinishedFrame _unfinished = connection.Life.Unfinished;
    private volatile bool _isInTurn; // written by the turn
    private bool _hasReceived; // since the last end of a batch; of whoever delivers
    private bool _helloRead;
    private bool _handshakeDone;

    /// <summary>Whether a whole correct preface came; before that, an accepting side writes nothing.</summary>
    public bool PrefaceSeen => _handshake.PrefaceSeen;

    /// <summary>Whether bytes are being worked on. Any thread.</summary>
    public bool IsInTurn => _isInTurn;

    /// <summary>A delivery: works on it in a turn.</summary>
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
            if (consumed == Link.HandedOver) return consumed; // from here on nothing is this thread's any more
            _unfinished.OnDelivered(now, consumed, bytes.Length - consumed);
            if (Math.Min(_unfinished.Due, connection.Reassembly.Watch.Due) is var due && due < connection.NextDue) RequestTick(due);
            connection.Received.Bytes += consumed;
            return consumed;
        }
        catch (Exception error)
        {
            // Neither the peer's doing nor user code's, which is caught where it is called.
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

    /// <summary>The deliveries of a batch are worked on.</summary>
    public void OnBatchEnd()
    {
        if (_hasReceived) connection.Received.Batches++;
        _hasReceived = false;
    }

    /// <summary>
    /// What the thread would have done that is stuck in the delivery. If something is left of it, it is delivered again. On the thread that goes on.
    /// </summary>
    /// <param name="position">Up to where the delivery is dealt with.</param>
    public void OnTakenOver(int position)
    {
        connection.Deliveries.RunElsewhere();
        connection.Received.Bytes += position;
        _unfinished.OnDelivered(connection.Clock.Now, position, 0);
        _isInTurn = false;
    }

    /// <summary>The peer broke a rule: says so and ends. In the turn.</summary>
    public void FailProtocol(ProtocolViolation violation)
    {
        var end = ConnectionEnd.Of(violation);
        if (accepting && !PrefaceSeen) connection.Abort(end);
        else if (violation.Code == ConnectionCode.AuthFailed) PeerAdmission.Refuse(connection, violation.Text);
        else connection.Close(end, new GoAwayFrame(violation.Code, RetryAfterOf(violation.Code), violation.Text));
    }

    /// <summary>Handles all whole frames.</summary>
    /// <returns>How many bytes are dealt with; or <see cref="Link.HandedOver"/>, when another thread has gone on.</returns>
    private int Receive(Turn turn, ReadOnlySpan<byte> bytes, long now)
    {
        int consumed = 0;
        turn.Costs.Begin(now);
        BeginClock(now);
        if (!_handshakeDone)
        {
            if (!ReadHandshake(bytes, out consumed)) return connection.State > ConnectionState.Open ? bytes.Length : consumed;
            _handshakeDone = true;
        }

        long lastFlush = now;
        int untilClockRead = FramesPerClockRead;
        while (true)
        {
            var rest = bytes[consumed..];
            var result = FrameReader.Read(rest, _maxPayload, out var header, out var violation);
            if (result == FrameReadResult.Incomplete)
            {
                if (connection.Reassembly.Watch.Due <= now) GiveUpStalledMessages(turn);
                if (!turn.IsLost) connection.Deliveries.Run(turn);
                if (turn.IsLost) return Leave(turn);
                if (untilClockRead < FramesPerClockRead) turn.Costs.Close(connection.Clock.Now);
                return connection.State > ConnectionState.Open ? bytes.Length : consumed;
            }

            if (result == FrameReadResult.Frame)
            {
                consumed += FrameHeader.Size + header.Length;
                turn.Position = consumed; // before any user code: whoever goes on in this one's place goes on behind this frame
                connection.Received.Frames++;
                bool isTiny = (header.Flags & FrameFlags.More) != 0 && header.Length < PartialMessage.TinyFragment;
                long begun = isTiny ? connection.Reassembly.Begun : 0;
                violation = Route(header, rest.Slice(FrameHeader.Size, header.Length));
                if (turn.IsLost) return Leave(turn);
                // the first frame of a message has no body, and is always small
                if (isTiny && connection.Reassembly.Begun == begun) violation ??= _budgets.OnTiny();
                violation ??= _budgets.CountEmptyPieces();
            }

            if (violation is not null) FailProtocol(violation);
            if (--untilClockRead == 0 || turn.Costs.WantsDetail)
            {
                untilClockRead = FramesPerClockRead;
                if (!connection.Deliveries.IsEmpty)
                {
                    connection.Deliveries.Run(turn);
                    if (turn.IsLost) return Leave(turn);
                }

                now = connection.Clock.Now;
                turn.Costs.Close(now);
                BeginClock(now);
                if (now - lastFlush >= FlushAfter)
                {
                    connection.FlushTurn();
                    turn.FlushOwn();
                    connection.Sending.EndJoinedBatches();
                    lastFlush = now = connection.Clock.Now;
                    turn.Costs.Begin(now); // what sending took is nobody's
                }
            }

            if (connection.State > ConnectionState.Open) return bytes.Length; // the peer, user code or a drain that is done may have ended it
        }
    }

    /// <summary>When a peer that sent too much may come back, milliseconds: its budgets are full again.</summary>
    private static uint RetryAfterOf(ConnectionCode code) =>
        code is ConnectionCode.ExcessiveLoad or ConnectionCode.TooManyPings ? (uint)(TokenBucket.RefillTime / Clock.MicrosecondsPerMillisecond) : 0;

    /// <summary>The time from here on.</summary>
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

    /// <summary>Gives up messages that were begun and of which nothing more comes. The turn may be lost behind.</summary>
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

    /// <summary>Another thread has gone on with the turn.</summary>
    private int Leave(Turn turn)
    {
        turn.Costs.Close(connection.Clock.Now); // how long it kept the thread; a turn that is lost is this thread's alone
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
            case FrameKind.ResponseCredit: return _budgets.OnCredit() ?? connection.Requests.Streams.OnCredit(header, payload);
            case FrameKind.RequestCredit: return _budgets.OnCredit() ?? connection.Responses.OnCredit(header, payload);
            case FrameKind.Credit: return _budgets.OnCredit() ?? OnCredit(payload);
            case FrameKind.Fail: return connection.Responses.OnFail(header, payload);
            case FrameKind.Cancel: return _budgets.OnControl() ?? connection.Requests.OnCancel(header.Id, payload);
            case FrameKind.Define:
                return _budgets.OnControl()
                ?? ((header.Flags & FrameFlags.Answer) == 0 ? connection.Requests.OnDefine(payload) : connection.Initiator.OnDefineAnswer(payload));
            case FrameKind.Ping: return _budgets.OnControl() ?? OnPing(header.Flags, payload);
            case FrameKind.GoAway: return _budgets.OnControl() ?? OnGoAway(header.Flags, payload);
            case FrameKind.Auth: return _budgets.OnControl() ?? connection.Opening.OnAuth(header.Flags, payload);
            case FrameKind.Hello: return new(ConnectionCode.ProtocolError, "HELLO came twice.");
            default:
                connection.Received.SkippedFrames++; // the rules let only extensions through to here
                return _budgets.OnControl();
        }
    }

    private ProtocolViolation? OnPing(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (!PingFrame.TryRead(payload, out ulong opaque, out var violation)) return violation;
        if ((flags & FrameFlags.Answer) != 0)
        {
            _life.OnPingAnswer(opaque); // a sign of life, as any byte is, and perhaps a measurement
            return null;
        }

        _life.OnPing(opaque);
        return _budgets.OnPing();
    }

    private ProtocolViolation? OnCredit(ReadOnlySpan<byte> payload) =>
        CreditFrame.TryRead(payload, FrameKind.Credit, out int bytes, out var violation) ? _life.OnBulkCredit(bytes) : violation;

    private ProtocolViolation? OnGoAway(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if ((flags & FrameFlags.Answer) != 0) return OnDrainAcknowledged(payload);
        if (!GoAwayFrame.TryRead(payload, out var goAway, out var violation)) return violation;
        if (goAway.Code is ConnectionCode.Ok or ConnectionCode.Draining or ConnectionCode.MaxAge or ConnectionCode.IdleTimeout) connection
            .OnPeerDrains(goAway.RetryAfterMilliseconds);
        else connection.Close(ConnectionEnd.OfPeer(goAway, "ended"), goAway: null);
        return null;
    }

    private ProtocolViolation? OnDrainAcknowledged(ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty) return new(ConnectionCode.ProtocolError, $"Acknowledgement of GOAWAY carries {payload.Length} bytes; it must be empty.");
        return _life.OnDrainAcknowledged() ? null : new(ConnectionCode.ProtocolError, "Acknowledgement of a GOAWAY that was not sent.");
    }

    /// <summary>Reads on in the handshake.</summary>
    /// <returns>Whether it is done, and frames may follow.</returns>
    private bool ReadHandshake(ReadOnlySpan<byte> bytes, out int consumed)
    {
        consumed = 0;
        if (!_helloRead && !ReadHello(bytes, out consumed)) return false;
        _helloRead = true;
        if (connection.State == ConnectionState.Authenticating)
        {
            consumed += _early.Read(bytes[consumed..], out var violation);
            if (violation is not null) FailProtocol(violation);
        }

        return connection.State == ConnectionState.Open;
    }

    private bool ReadHello(ReadOnlySpan<byte> bytes, out int consumed)
    {
        switch (_handshake.Read(bytes, out consumed, out var violation))
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
