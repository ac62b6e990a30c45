using System.Runtime.CompilerServices;

namespace Mux.Transports.Streams;

/// <summary>
/// One operation of a stream at a time, waited for without a task and without the ExecutionContext. A field, never copied; of whoever owns the direction.
/// </summary>
internal struct PendingOperation
{
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;

    /// <summary>Whether <see cref="End"/> may be called.</summary>
    public readonly bool IsCompleted => _awaiter.IsCompleted;

    public void Begin(ValueTask operation) => _awaiter = operation.ConfigureAwait(false).GetAwaiter();

    /// <summary>Calls back once, on whatever thread completes the operation, perhaps before this returns.</summary>
    public readonly void OnCompleted(Action continuation) => _awaiter.UnsafeOnCompleted(continuation);

    /// <summary>Throws what it failed with. Once, when it is completed.</summary>
    public void End()
    {
        var awaiter = _awaiter;
        _awaiter = default;
#pragma warning disable VSTHRD002 // It is completed.
        awaiter.GetResult();
#pragma warning restore VSTHRD002
    }
}
