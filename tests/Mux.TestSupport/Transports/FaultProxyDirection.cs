namespace Mux.TestSupport.Transports;

/// <summary>What a <see cref="FaultProxy"/> does to bytes that go one way. Settings act on the bytes that come next, of all connections.</summary>
public sealed class FaultProxyDirection
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _stalled;

    internal FaultProxyDirection(string name)
    {
        Forwarded = new Counter($"bytes forwarded {name}");
        Ends = new Counter($"ends of streams {name}");
    }

    /// <summary>The most bytes forwarded at once; 1 is byte by byte.</summary>
    public int LargestSlice { get; set; } = 65_536;

    /// <summary>After this many bytes in this direction a connection is reset at both ends.</summary>
    public long ResetAtByte { get; set; } = long.MaxValue;

    /// <summary>Bytes that went on to the other side, of all connections.</summary>
    public Counter Forwarded { get; }

    /// <summary>Streams that their sender ended or broke, whether that was passed on or not.</summary>
    public Counter Ends { get; }

    /// <summary>Forwards nothing until <see cref="Resume"/>.</summary>
    public void Stall()
    {
        lock (_gate) _stalled ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public void Resume()
    {
        lock (_gate)
        {
            _stalled?.SetResult();
            _stalled = null;
        }
    }

    internal Task WhenMoving()
    {
        lock (_gate) return _stalled?.Task ?? Task.CompletedTask;
    }
}
