using System.Runtime.CompilerServices;

namespace Mux.Transports.Streams;

/// <summary>What <see cref="PendingOperation"/> is, for operations with a result.</summary>
internal struct PendingResult<T>
{
    private ConfiguredValueTaskAwaitable<T>.ConfiguredValueTaskAwaiter _awaiter;

    /// <summary>Whether <see cref="End"/> has an answer.</summary>
    public readonly bool IsCompleted => _awaiter.IsCompleted;

    public void Begin(ValueTask<T> operation) => _awaiter = operation.ConfigureAwait(false).GetAwaiter();

    /// <summary>Calls back once, on whatever thread completes the operation, perhaps before this returns.</summary>
    public readonly void OnCompleted(Action continuation) => _awaiter.UnsafeOnCompleted(continuation);

    /// <summary>What came of it. Throws what it failed with. Once, when it is completed.</summary>
    public T End()
    {
        var awaiter = _awaiter;
        _awaiter = default;
#pragma warning disable VSTHRD002 // It is completed.
        return awaiter.GetResult();
#pragma warning restore VSTHRD002
    }

    /// <summary>Nobody wants to know what came of it, should it be over.</summary>
    public void Discard()
    {
        if (!_awaiter.IsCompleted) return;
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
