using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>Sends to a <see cref="Stream"/>: writes a copy, because the stream uses the bytes until the write completes, then flushes.</summary>
/// <param name="stream">The stream to write to.</param>
/// <param name="isOneWay">True if nothing is received from the stream, so that its end is the end of one direction.</param>
/// <param name="shutdown">Ends the sending side of the underlying connection; null if that is not possible.</param>
internal sealed class StreamOutput(Stream stream, bool isOneWay, Action? shutdown) : ByteOutput
{
    private PendingOperation _operation; // writing, then flushing
    private byte[]? _copy; // of the write in progress
    private bool _isFlushing;

    public override bool CanShutdown => isOneWay || shutdown is not null;

    public override int Begin(ReadOnlySpan<byte> bytes)
    {
        int count = Math.Min(bytes.Length, LargestWrite);
        _copy = BufferPool.Rent(count);
        bytes[..count].CopyTo(_copy);
        _isFlushing = false;
        try
        {
            _operation.Begin(stream.WriteAsync(_copy.AsMemory(0, count)));
            return count;
        }
        catch
        {
            ReturnCopy();
            throw;
        }
    }

    public override void OnCompleted(Action continuation) => _operation.OnCompleted(continuation);

    public override bool TryEnd()
    {
        try
        {
            if (!_operation.IsCompleted) return false;
            _operation.End();
            if (!_isFlushing)
            {
                _isFlushing = true;
                _operation.Begin(new ValueTask(stream.FlushAsync()));
                if (!_operation.IsCompleted) return false;
                _operation.End();
            }

            ReturnCopy();
            return true;
        }
        catch
        {
            ReturnCopy();
            throw;
        }
    }

    public override void Shutdown()
    {
        // For TLS as well: the runtime guards reads and writes against each other, but not TLS's own shutdown, which uses native state that a read may be
        // using. A peer that keeps sending could corrupt the memory of the process. Nothing is lost: GOAWAY tells that a connection ends gracefully.
        if (shutdown is not null) shutdown();
        else Forget(stream.DisposeAsync().AsTask());
    }

    public override void Cancel()
    {
        // The end of the link disposes the stream, and with it the write.
    }

    public override void Release()
    {
        // The end of the link disposes the stream.
    }

    private void ReturnCopy()
    {
        BufferPool.Return(_copy!);
        _copy = null;
    }

    /// <summary>Ignores a failed disposal: a stream that cannot end gracefully is broken, and its reader will find out.</summary>
    private static void Forget(Task task) =>
        _ = task.ContinueWith(static ended => _ = ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
}

/// <summary>
/// One stream operation at a time, awaited without a task and without the ExecutionContext. Use as a field and do not copy. Owned by the owner of the
/// direction.
/// </summary>
internal struct PendingOperation
{
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;

    /// <summary>True if <see cref="End"/> may be called.</summary>
    public readonly bool IsCompleted => _awaiter.IsCompleted;

    public void Begin(ValueTask operation) => _awaiter = operation.ConfigureAwait(false).GetAwaiter();

    /// <summary>Calls back once on the thread that completes the operation, perhaps before this returns.</summary>
    public readonly void OnCompleted(Action continuation) => _awaiter.UnsafeOnCompleted(continuation);

    /// <summary>Ends the completed operation and throws its failure. Call once.</summary>
    public void End()
    {
        var awaiter = _awaiter;
        _awaiter = default;
#pragma warning disable VSTHRD002 // The operation has completed.
        awaiter.GetResult();
#pragma warning restore VSTHRD002
    }
}
