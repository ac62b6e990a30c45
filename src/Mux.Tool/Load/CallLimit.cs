namespace Mux.Tool.Load;

/// <summary>A number of calls that the tokens of a run may still make. Thread-safe.</summary>
internal sealed class CallLimit(long calls)
{
    private long _left = calls;

    /// <summary>Counts a call that is about to be made.</summary>
    /// <returns>False if none is left.</returns>
    public bool TryTake() => Interlocked.Decrement(ref _left) >= 0;
}
