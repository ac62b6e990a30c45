using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Appends the frames that concern the connection itself. Guarded by the connection's lock.</summary>
internal sealed class ControlFrames(OutboundQueue outbound)
{
    private bool _prefaceSent;
    private bool _answerOwed;
    private ulong _owed;
    private long _lastAnswerEnd;
    private long _lastLeaseEnd;

    /// <summary>Appends preface and HELLO.</summary>
    public void AppendHello(PeerSettings local)
    {
        AppendPreface();
        var hello = new HelloFrame(ProtocolConstants.Version, ProtocolConstants.Version, local);
        outbound.CommitLocked(FrameWriter.Write(outbound.ReserveLocked(FrameWriter.MaxControlFrame), hello));
    }

    /// <summary>Appends GOAWAY, after the preface if that was not sent yet.</summary>
    public void AppendGoAway(GoAwayFrame frame)
    {
        AppendPreface();
        outbound.CommitLocked(FrameWriter.Write(outbound.ReserveLocked(FrameWriter.MaxControlFrame), frame));
    }

    public void AppendGoAwayAcknowledgement() =>
        outbound.CommitLocked(FrameWriter.GoAwayAcknowledgement(outbound.ReserveLocked(FrameHeader.Size)));

    public void AppendDefineAnswer(DefineAnswer answer) =>
        outbound.CommitLocked(FrameWriter.Write(outbound.ReserveLocked(FrameHeader.Size + DefineAnswer.Length), answer));

    /// <summary>Appends LEASE, unless the link has not accepted the last one yet: one at a time, however slowly the peer reads.</summary>
    public bool TryAppendLease(LeaseFrame lease)
    {
        if (outbound.AcceptedLocked < _lastLeaseEnd) return false;
        outbound.CommitLocked(FrameWriter.Write(outbound.ReserveLocked(FrameHeader.Size + LeaseFrame.Length), lease));
        _lastLeaseEnd = outbound.PositionLocked;
        return true;
    }

    public void AppendPing(ulong opaque) => AppendPing(opaque, answer: false);

    /// <summary>Owes an answer to a PING. Only the latest is kept: a flood of PINGs costs one answer at a time, however slowly the peer reads.</summary>
    public void OweAnswer(ulong opaque)
    {
        _owed = opaque;
        _answerOwed = true;
    }

    /// <summary>Appends the owed answer, unless the link has not accepted the last one yet.</summary>
    public void AppendOwedAnswer()
    {
        if (!_answerOwed || outbound.AcceptedLocked < _lastAnswerEnd) return;
        _answerOwed = false;
        AppendPing(_owed, answer: true);
        _lastAnswerEnd = outbound.PositionLocked;
    }

    private void AppendPing(ulong opaque, bool answer) =>
        outbound.CommitLocked(FrameWriter.Ping(outbound.ReserveLocked(FrameHeader.Size + PingFrame.Length), opaque, answer));

    private void AppendPreface()
    {
        if (_prefaceSent) return;
        _prefaceSent = true;
        Preface.Bytes.CopyTo(outbound.ReserveLocked(Preface.Size));
        outbound.CommitLocked(Preface.Size);
    }
}
