namespace Mux.Runtime;

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
