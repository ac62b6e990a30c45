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

/// <summary>Like <see cref="PendingOperation"/>, for operations with a result.</summary>
internal struct PendingResult<T>
{
    private ValueTask<T> _operation;

    /// <summary>True if <see cref="End"/> may be called.</summary>
    public readonly bool IsCompleted => _operation.IsCompleted;

    /// <summary>True if <see cref="End"/> returns a result and throws nothing.</summary>
    public readonly bool IsSuccess => _operation.IsCompletedSuccessfully;

    public void Begin(ValueTask<T> operation) => _operation = operation;

    /// <summary>Calls back once on the thread that completes the operation, perhaps before this returns.</summary>
    public readonly void OnCompleted(Action continuation) => _operation.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);

    /// <summary>Returns the result of the completed operation or throws its failure. Call once.</summary>
    public T End()
    {
        var operation = _operation;
        _operation = default;
#pragma warning disable VSTHRD002 // The operation has completed.
        return operation.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
    }

    /// <summary>Observes and drops the result if the operation has completed.</summary>
    public void Discard()
    {
        if (!_operation.IsCompleted) return;
        try
        {
            _ = End();
        }
        catch (Exception)
        {
            // The link has already ended for its own reason.
        }
    }
}
