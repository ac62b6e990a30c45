using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>One end of the connection that an <see cref="OffsetTransport"/> watches.</summary>
internal sealed class OffsetLink(Link inner, SentBytes sent) : RelayLink(inner)
{
    public override int Send(ReadOnlySpan<byte> bytes)
    {
        if (sent.Fault == OffsetFault.None) return Pass(bytes);
        if (sent.IsHit) return AfterHit(bytes);
        int before = (int)Math.Min(bytes.Length, sent.Offset - sent.Count);
        int passed = before == 0 ? 0 : Pass(bytes[..before]);
        if (passed < before || before == bytes.Length) return passed;
        sent.IsHit = true;
        if (sent.Fault == OffsetFault.Corrupt) return passed + Corrupt(bytes[before..]);
        if (sent.Fault == OffsetFault.Cut) Close();
        return passed + AfterHit(bytes[before..]);
    }

    public override void ShutdownSend()
    {
        if (!sent.IsHit || sent.Fault == OffsetFault.Corrupt) base.ShutdownSend();
    }

    public override void OnClosed(LinkCloseCause cause, Exception? error)
    {
        if (sent is { IsHit: true, Fault: OffsetFault.Cut } && cause == LinkCloseCause.Closed) base.OnClosed(LinkCloseCause.Reset, new IOException("Cut by the test."));
        else base.OnClosed(cause, error);
    }

    private int AfterHit(ReadOnlySpan<byte> bytes) => sent.Fault switch
    {
        OffsetFault.Corrupt => Pass(bytes),
        OffsetFault.Block => 0,
        _ => bytes.Length,
    };

    private int Corrupt(ReadOnlySpan<byte> bytes)
    {
        var changed = bytes.ToArray();
        changed[0] ^= sent.Mask;
        int accepted = base.Send(changed);
        if (accepted == 0) sent.IsHit = false; // the byte comes again
        sent.Append(bytes[..accepted]);
        return accepted;
    }

    private int Pass(ReadOnlySpan<byte> bytes)
    {
        int accepted = base.Send(bytes);
        sent.Append(bytes[..accepted]);
        return accepted;
    }
}
