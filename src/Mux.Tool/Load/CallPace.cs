namespace Mux.Tool.Load;

/// <summary>When a token makes its calls, and what becomes of them. It runs in one place at a time, as its token does.</summary>
internal abstract class CallPace(LoadState state)
{
    private CancellationTokenSource? _cancellation; // of the call, if it is one of those that are cancelled
    private long _made;
    private volatile bool _isOpen;

    /// <summary>Of the call to be made: 1 and up, unique in the run, so that it tells whose reply a reply is.</summary>
    public long Number { get; protected set; }

    /// <summary>For the call to be made.</summary>
    public CancellationToken CancellationToken => _cancellation?.Token ?? CancellationToken.None;

    /// <summary>Whether the token's call has neither been answered nor failed.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>Calls made so far.</summary>
    public long Made => Volatile.Read(ref _made);

    protected LoadState State => state;

    /// <summary>Completes when the token is to make a call, with <see langword="true"/>, or to end.</summary>
    public abstract ValueTask<bool> NextAsync();

    /// <summary>A reply came.</summary>
    public abstract void End(bool isRight);

    /// <summary>The call failed, or its token was faster than the reply.</summary>
    public virtual async ValueTask FailAsync(Exception error)
    {
        state.AddFailure(error, isCancelled: _cancellation is { IsCancellationRequested: true });
        Close();
        await Task.Yield(); // a call that fails at once would otherwise keep its thread to itself
    }

    /// <summary>The call is made now.</summary>
    protected void Open()
    {
        _made++;
        _cancellation = state.Canceller?.Choose();
        _isOpen = true;
    }

    /// <summary>The call has its outcome.</summary>
    protected void Close() => _isOpen = false;

    /// <summary>A reply took so long.</summary>
    /// <param name="ticks">Of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    protected void Observe(long ticks)
    {
        if (_cancellation is null) state.Canceller?.Observe(ticks); // of the others only the fast ones are answered
    }
}
