namespace Mux.Transports.Streams;

/// <summary>What <see cref="PendingOperation"/> is, for operations with a result.</summary>
internal struct PendingResult<T>
{
    private ValueTask<T> _operation;

    /// <summary>Whether <see cref="End"/> has an answer.</summary>
    public readonly bool IsCompleted => _operation.IsCompleted;

    /// <summary>Whether <see cref="End"/> gives a result and throws nothing.</summary>
    public readonly bool IsSuccess => _operation.IsCompletedSuccessfully;

    public void Begin(ValueTask<T> operation) => _operation = operation;

    /// <summary>Calls back once, on whatever thread completes the operation, perhaps before this returns.</summary>
    public readonly void OnCompleted(Action continuation) => _operation.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);

    /// <summary>What came of it. Throws what it failed with. Once, when it is completed.</summary>
    public T End()
    {
        var operation = _operation;
        _operation = default;
#pragma warning disable VSTHRD002 // It is completed.
        return operation.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
    }

    /// <summary>Nobody wants to know what came of it, should it be over.</summary>
    public void Discard()
    {
        if (!_operation.IsCompleted) return;
        try
        {
            _ = End();
        }
        catch (Exception)
        {
            // The link is over already, for a reason of its own.
        }
    }
}
