namespace Mux.Runtime;

/// <summary>The receiving direction of a connection: one read at a time, whose bytes are shown in pieces until all are consumed. Not thread-safe.</summary>
/// <remarks>
/// Call <see cref="Begin"/>. When it has completed, call <see cref="TryTake"/>, then <see cref="TryShow"/> and <see cref="TryConsume"/> until nothing new is
/// left, and start over. Call <see cref="Release"/> at the end.
/// </remarks>
internal abstract class ByteInput
{
    /// <summary>True if the last <see cref="TryTake"/> found the end of the stream after its bytes.</summary>
    public bool IsAtEnd { get; protected set; }

    /// <summary>True while a wait or a read is in progress, so that no buffer may be returned.</summary>
    public virtual bool IsPending => false;

    /// <summary>Starts to wait for bytes, unless <see cref="TryTake"/> already has. All bytes taken must have been shown.</summary>
    /// <returns>True if <see cref="TryTake"/> has something to do.</returns>
    public abstract bool Begin();

    /// <summary>Calls back once when a wait has completed.</summary>
    public abstract void OnCompleted(Action continuation);

    /// <summary>Takes the received bytes. Throws the stream's failure once all bytes before it were taken.</summary>
    /// <returns>False if there are none: wait again.</returns>
    public abstract bool TryTake();

    /// <summary>Shows the unconsumed bytes in one piece, or those of them that are in one piece.</summary>
    /// <returns>False if it would hold no new byte.</returns>
    public abstract bool TryShow(out ReadOnlySpan<byte> bytes);

    /// <summary>Drops consumed bytes from the front of the last piece shown.</summary>
    /// <returns>False if the handler claims to have consumed more than it was given, or leaves more than a link may keep.</returns>
    public abstract bool TryConsume(int count);

    /// <summary>Shows the unconsumed bytes again, even without a new one.</summary>
    public abstract void ShowAgain();

    /// <summary>True if bytes are known to wait outside this object. Thread-safe.</summary>
    public abstract bool HasWaiting { get; }

    /// <summary>True if a break of the connection that a write finds also ends a pending read.</summary>
    public abstract bool FindsBreak { get; }

    /// <summary>Makes a pending read complete soon, if that is possible without disposing the stream. Thread-safe.</summary>
    /// <returns>True if the read will complete.</returns>
    public abstract bool TryCancel();

    /// <summary>Returns the buffers, and ends the direction if it has its own end. No read may be pending.</summary>
    public abstract void Release();
}
