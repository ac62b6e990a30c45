namespace Evidence.Turns;

/// <summary>Closed loops that make and check one call after the other. All of them run on the thread that pumps.</summary>
internal abstract class CallLoops
{
    /// <summary>Calls answered so far.</summary>
    public long Answered { get; protected set; }

    protected bool IsOver { get; private set; }

    public void Start(int count)
    {
        for (int i = 0; i < count; i++) _ = RunAsync((double)i / count);
    }

    public void Stop() => IsOver = true;

    /// <summary>Runs one loop.</summary>
    /// <param name="share">Share of the loops that were started before.</param>
    protected abstract Task RunAsync(double share);
}
