using Mux.Execution;
using Mux.Framing;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>Takes delivered bytes apart and hands each frame to the part of the connection that it concerns. Turn only.</summary>
internal sealed class InboundParser(Connection connection, bool accepting)
{
    /// <summary>
    /// Frames between two looks at the clock: 20 ns per look are 1.3 ns per frame, and what cheap handlers do in 16 frames is far below <see cref="FlushAfter"/>.
    /// </summary>
    private const int FramesPerClockRead = 16;

    /// <summary>Replies wait at most about this long (microseconds) for the rest of the batch: an earlier send lets the peer start sooner.</summary>
    private const long FlushAfter = 100;

    private readonly Handshake _handshake = new(accepting);
    private readonly PeerBudgets _budgets = connection.Budgets;
    private readonly int _maxPayload = connection.Options.Local.MaxFramePayload;
    private readonly EarlyFrames _early = new(connection, accepting);
    private bool _helloRead;
    private bool _handshakeDone;

    /// <summary>Whether a whole correct preface came; before that, an accepting side writes nothing.</summary>
    public bool PrefaceSeen => _handshake.PrefaceSeen;

    /// <summary>Handles all whole frames.</summary>
    /// <returns>How many bytes are dealt with; or <see cref="Link.HandedOver"/>, when another thread has gone on.</returns>
    public int Receive(Turn turn, ReadOnlySpan<byte> bytes, long now)
    {
        int consumed = 0;
        turn.Costs.Begin(now);
        _budgets.Begin(now);
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
                if (connection.Reassembly.Watch.Due <= now) connection.GiveUpStalledMessages(turn);
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
                bool isTiny = (header.Flags & FrameFlags.More) != 0 && header.Length < PeerBudgets.TinyFrame;
                long begun = isTiny ? connection.Reassembly.Begun : 0;
                violation = Route(header, rest.Slice(FrameHeader.Size, header.Length));
                if (turn.IsLost) return Leave(turn);
                if (isTiny && connection.Reassembly.Begun == begun) violation ??= _budgets.OnTiny(); // the first frame of a message has no body, and is always small
                violation ??= _budgets.Breach;
            }

            if (violation is not null) connection.FailProtocol(violation);
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
                _budgets.Begin(now);
                if (now - lastFlush >= FlushAfter)
                {
                    connection.FlushTurn();
                    turn.FlushOwn();
                    connection.EndJoinedBatches();
                    lastFlush = now = connection.Clock.Now;
                    turn.Costs.Begin(now); // what sending took is nobody's
                }
            }

            if (connection.State > ConnectionState.Open) return bytes.Length; // the peer, user code or a drain that is done may have ended it
        }
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
            case FrameKind.RequestItem: return connection.Requests.OnItem(header, payload);
            case FrameKind.RequestEnd: return connection.Requests.OnEnd(header, payload);
            case FrameKind.ResponseCredit: return _budgets.OnCredit() ?? connection.Requests.OnCredit(header, payload);
            case FrameKind.RequestCredit: return _budgets.OnCredit() ?? connection.Responses.OnCredit(header, payload);
            case FrameKind.Credit: return _budgets.OnCredit() ?? OnCredit(payload);
            case FrameKind.Fail: return connection.Responses.OnFail(header, payload);
            case FrameKind.Cancel: return _budgets.OnControl() ?? connection.Requests.OnCancel(header.Id, payload);
            case FrameKind.Define: return _budgets.OnControl() ?? ((header.Flags & FrameFlags.Answer) == 0 ? connection.Requests.OnDefine(payload) : connection.Initiator.OnDefineAnswer(payload));
            case FrameKind.Ping: return _budgets.OnControl() ?? OnPing(header.Flags, payload);
            case FrameKind.GoAway: return _budgets.OnControl() ?? OnGoAway(header.Flags, payload);
            case FrameKind.Auth: return _budgets.OnControl() ?? connection.OnAuth(header.Flags, payload);
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
            connection.OnPingAnswer(opaque); // a sign of life, as any byte is, and perhaps a measurement
            return null;
        }

        connection.OnPing(opaque);
        return _budgets.OnPing();
    }

    private ProtocolViolation? OnCredit(ReadOnlySpan<byte> payload) =>
        CreditFrame.TryRead(payload, FrameKind.Credit, out int bytes, out var violation) ? connection.OnBulkCredit(bytes) : violation;

    private ProtocolViolation? OnGoAway(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if ((flags & FrameFlags.Answer) != 0) return OnDrainAcknowledged(payload);
        if (!GoAwayFrame.TryRead(payload, out var goAway, out var violation)) return violation;
        if (goAway.Code is ConnectionCode.Ok or ConnectionCode.Draining or ConnectionCode.MaxAge or ConnectionCode.IdleTimeout) connection.OnPeerDrains();
        else connection.Close(ConnectionEnd.OfPeer(goAway, "ended"), goAway: null);
        return null;
    }

    private ProtocolViolation? OnDrainAcknowledged(ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty) return new(ConnectionCode.ProtocolError, $"Acknowledgement of GOAWAY carries {payload.Length} bytes; it must be empty.");
        return connection.OnDrainAcknowledged() ? null : new(ConnectionCode.ProtocolError, "Acknowledgement of a GOAWAY that was not sent.");
    }

    /// <summary>Reads on in the handshake.</summary>
    /// <returns>Whether it is done, and frames may follow.</returns>
    private bool ReadHandshake(ReadOnlySpan<byte> bytes, out int consumed)
    {
        consumed = 0;
        if (!_helloRead && !ReadHello(bytes, out consumed)) return false;
        _helloRead = true;
        if (connection.State == ConnectionState.Authenticating) consumed += _early.Read(bytes[consumed..]);
        return connection.State == ConnectionState.Open;
    }

    private bool ReadHello(ReadOnlySpan<byte> bytes, out int consumed)
    {
        switch (_handshake.Read(bytes, out consumed, out var violation))
        {
            case Handshake.Step.Done:
                connection.OnHandshakeDone(_handshake.Peer!);
                return true;
            case Handshake.Step.NotMux:
                connection.OnNotMux();
                return false;
            case Handshake.Step.Refused:
                connection.OnRefused(_handshake.Refusal);
                return false;
            case Handshake.Step.Violation:
                connection.FailProtocol(violation!);
                return false;
            default:
                return false;
        }
    }
}
