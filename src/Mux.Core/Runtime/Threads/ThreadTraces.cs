namespace Mux.Runtime;

/// <summary>
/// Records the state of a thread before user code runs on it, to restore it: the next caller's code must not see what this one's code has set. Thread-local.
/// </summary>
internal readonly struct ThreadTraces
{
    private readonly Thread _thread;
    private readonly ExecutionContext _context; // the default context of a thread that has just started
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

    /// <summary>Records the calling thread.</summary>
    public static ThreadTraces OfCurrent() => new(Thread.CurrentThread);

    /// <summary>Restores async locals, culture, activity, synchronization context, name, priority, and whether the thread keeps the process alive.</summary>
    public void Remove()
    {
        if (ExecutionContext.Capture() != _context) ExecutionContext.Restore(_context);
        if (SynchronizationContext.Current is not null) SynchronizationContext.SetSynchronizationContext(null);
        RemoveFromThread();
    }

    /// <summary>Restores only what no <see cref="ExecutionContext"/> holds: name, priority, and whether the thread keeps the process alive.</summary>
    public void RemoveFromThread()
    {
        if (!ReferenceEquals(_thread.Name, _name)) _thread.Name = _name;
        if (_thread.Priority != _priority) _thread.Priority = _priority;
        if (_thread.IsBackground != _isBackground) _thread.IsBackground = _isBackground;
    }
}
