using Mux.Tool.Measuring;

namespace SideBySide.Load;

/// <summary>What the callers of a run share. Thread-safe.</summary>
internal sealed class LoadState
{
    private volatile bool _isOver;
    private Exception? _failure;
    private long _failed;

    public RecorderSet Recorders { get; } = new();

    /// <summary>Callers make no further call.</summary>
    public bool IsOver => _isOver;

    /// <summary>Calls that failed. Their callers make no further ones.</summary>
    public long Failed => Volatile.Read(ref _failed);

    /// <summary>Of the first of them; null if none did.</summary>
    public string? Failure => Volatile.Read(ref _failure)?.ToString();

    public void End() => _isOver = true;

    public void CountFailure(Exception failure)
    {
        Interlocked.CompareExchange(ref _failure, failure, null);
        Interlocked.Increment(ref _failed);
    }
}
