namespace Mux.Tool.Load;

/// <summary>Decides when a token makes its calls, and counts their outcomes. Like its token, it runs on one thread at a time.</summary>
internal abstract class CallPace(LoadState state)
{
    private CancellationTokenSource? _cancellation; // of the current call, if it is chosen for cancellation
    private long _made;
    private volatile bool _isOpen;

    /// <summary>Number of the next call: 1 and up, unique in the run, so that replies can be matched to calls.</summary>
    public long Number { get; protected set; }

    /// <summary>Token for the next call.</summary>
    public CancellationToken CancellationToken => _cancellation?.Token ?? CancellationToken.None;

    /// <summary>True if the token's call has no outcome yet.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>Number of calls made so far.</summary>
    public long Made => Volatile.Read(ref _made);

    protected LoadState State => state;

    /// <summary>Completes with <see langword="true"/> when the token should make a call, or with <see langword="false"/> when it should end.</summary>
    public abstract ValueTask<bool> NextAsync();

    /// <summary>Records a reply.</summary>
    public abstract void End(bool isRight);

    /// <summary>Records a failed or cancelled call.</summary>
    public virtual async ValueTask FailAsync(Exception error)
    {
        state.AddFailure(error, isCancelled: _cancellation is { IsCancellationRequested: true });
        Close();
        await Task.Yield(); // otherwise a call that fails at once would monopolize its thread
    }

    /// <summary>Notes that the call is made now.</summary>
    protected void Open()
    {
        _made++;
        _cancellation = state.Canceller?.Choose();
        _isOpen = true;
    }

    /// <summary>Notes the outcome of the call.</summary>
    protected void Close() => _isOpen = false;

    /// <summary>Records the duration of a call with a reply.</summary>
    /// <param name="ticks">Ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    protected void Observe(long ticks)
    {
        if (_cancellation is null) state.Canceller?.Observe(ticks); // of chosen calls only the fast ones are answered
    }
}
