using System.Runtime.CompilerServices;

namespace Mux.Runtime;

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
