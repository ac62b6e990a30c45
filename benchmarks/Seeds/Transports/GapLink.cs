using System.Diagnostics;
using Mux.Tool.Measuring;
using Mux.Transports;

namespace Seeds.Transports;

/// <summary>Times what passes between the reading of replies and the next send.</summary>
internal sealed class GapLink(Link inner, LatencyRecorder recorder) : DecoratedLink(inner)
{
    private long _read; // when the last delivery began; 0 once a send has followed

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        // One thread at a time, as the recorder wants it.
        if (Interlocked.Exchange(ref _read, 0) is not 0 and var read) recorder.Record(Stopwatch.GetTimestamp() - read);
        return base.Send(bytes);
    }

    public override int OnReceived(ReadOnlySpan<byte> bytes)
    {
        Volatile.Write(ref _read, Stopwatch.GetTimestamp());
        return base.OnReceived(bytes);
    }
}
