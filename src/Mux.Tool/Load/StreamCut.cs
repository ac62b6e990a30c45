namespace Mux.Tool.Load;

/// <summary>Ends response streams that are open at the end of a run, because they have no end of their own. Thread-safe but for <see cref="Renew"/>.</summary>
internal sealed class StreamCut : IDisposable
{
    private CancellationTokenSource _source = new();
    private long _streams;

    /// <summary>Gets the token for the streams that are opened now.</summary>
    public CancellationToken Token => _source.Token;

    /// <summary>True if it has ended the streams.</summary>
    public bool IsMade => _source.IsCancellationRequested;

    /// <summary>Number of streams that it ended.</summary>
    public long Streams => Volatile.Read(ref _streams);

    public void Make() => _source.Cancel();

    /// <summary>Counts a stream that it ended.</summary>
    public void Count() => Interlocked.Increment(ref _streams);

    /// <summary>Prepares it for streams that are opened later, when all others have ended.</summary>
    public void Renew()
    {
        if (!IsMade) return;
        _source.Dispose();
        _source = new CancellationTokenSource();
    }

    public void Dispose() => _source.Dispose();
}
