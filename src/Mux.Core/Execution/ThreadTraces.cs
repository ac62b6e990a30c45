namespace Mux.Execution;

/// <summary>
/// What a thread was like before user code ran on it, and how to make it so again: another caller's code must not find what this one's has set. The thread's
/// alone.
/// </summary>
internal readonly struct ThreadTraces
{
    private readonly Thread _thread;
    private readonly ExecutionContext _context; // the default one of a thread that has just begun
    private readonly string? _name;
    private readonly ThreadPriority _priority;
    private readonly bool _isBackground;

    private ThreadTraces(Thread thread)
    {
        _thread = thread;
        _context = ExecutionContext.Capture()!;
        _name = thread.Name;
        _priority = thread.Priority;
        _isBackground = thread.IsBackground;
    }

    /// <summary>The calling thread as it is now.</summary>
    public static ThreadTraces OfCurrent() => new(Thread.CurrentThread);

    /// <summary>Takes back async locals, culture, activity, synchronization context, name, priority, and whether the thread keeps the process alive.</summary>
    public void Remove()
    {
        if (ExecutionContext.Capture() != _context) ExecutionContext.Restore(_context);
        if (SynchronizationContext.Current is not null) SynchronizationContext.SetSynchronizationContext(null);
        RemoveFromThread();
    }

    /// <summary>Only what no <see cref="ExecutionContext"/> holds: name, priority, and whether the thread keeps the process alive.</summary>
    public void RemoveFromThread()
    {
        if (!ReferenceEquals(_thread.Name, _name)) _thread.Name = _name;
        if (_thread.Priority != _priority) _thread.Priority = _priority;
        if (_thread.IsBackground != _isBackground) _thread.IsBackground = _isBackground;
    }
}
