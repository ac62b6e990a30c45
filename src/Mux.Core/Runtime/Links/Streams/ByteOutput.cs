namespace Mux.Runtime;

/// <summary>The sending direction of a connection: one write at a time. Not thread-safe.</summary>
internal abstract class ByteOutput
{
    /// <summary>Maximum size of a write: large enough to spread its cost over many messages, small enough to hold one for every slow peer.</summary>
    protected const int LargestWrite = 65_536;

    /// <summary>True if this direction can end while the other one continues.</summary>
    public abstract bool CanShutdown { get; }

    /// <summary>Starts to write a copy of the bytes. Throws the stream's failure.</summary>
    /// <returns>Number of bytes accepted from the front.</returns>
    public abstract int Begin(ReadOnlySpan<byte> bytes);

    /// <summary>Calls back once when <see cref="TryEnd"/> has something to do.</summary>
    public abstract void OnCompleted(Action continuation);

    /// <summary>Completes the write if possible without waiting. Throws its failure; the write has ended then.</summary>
    /// <returns>False if the write is still pending.</returns>
    public abstract bool TryEnd();

    /// <summary>Ends the direction gracefully. No write may be in progress.</summary>
    public abstract void Shutdown();

    /// <summary>Makes a pending write complete soon, if that is possible without disposing the stream. Thread-safe.</summary>
    public abstract void Cancel();

    /// <summary>Ends the direction if it has its own end. No write may be in progress or follow.</summary>
    public abstract void Release();
}
