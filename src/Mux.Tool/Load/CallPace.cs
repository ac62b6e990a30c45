namespace Mux.Tool.Load;

/// <summary>When a token makes its calls, and what becomes of them. It runs in one place at a time, as its token does.</summary>
internal abstract class CallPace(LoadState state)
{
    private volatile bool _isOpen;

    /// <summary>Of the call to be made: 1 and up, unique in the run, so that it tells whose reply a reply is.</summary>
    public long Number { get; protected set; }

    /// <summary>Whether the token's call has neither been answered nor failed.</summary>
    public bool IsOpen
    {
        get => _isOpen;
        protected set => _isOpen = value;
    }

    protected LoadState State => state;

    /// <summary>Completes when the token is to make a call, with <see langword="true"/>, or to end.</summary>
    public abstract ValueTask<bool> NextAsync();

    /// <summary>A reply came.</summary>
    public abstract void End(bool isRight);

    /// <summary>The call failed.</summary>
    public virtual async ValueTask FailAsync(MuxException error)
    {
        state.AddFailure(error);
        IsOpen = false;
        await Task.Yield(); // a call that fails at once would otherwise keep its thread to itself
    }
}
