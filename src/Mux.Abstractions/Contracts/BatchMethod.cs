using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>How an implementation gets the calls of a method in batches.</summary>
/// <param name="maxCalls">Most calls of a batch, 1 to 1,024.</param>
/// <param name="isServedBy">Returns whether an implementation takes batches. Others get each call alone.</param>
/// <param name="invoke">Calls the implementation.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class BatchMethod<TRequest, TResponse>(int maxCalls, Func<object, bool> isServedBy, Func<object, MuxCalls<TRequest, TResponse>, ValueTask> invoke)
{
    /// <summary>Gets the most calls of a batch.</summary>
    public int MaxCalls { get; } = maxCalls;

    /// <summary>Gets the delegate that returns whether an implementation takes batches.</summary>
    public Func<object, bool> IsServedBy { get; } = isServedBy;

    /// <summary>Gets the delegate that calls an implementation.</summary>
    public Func<object, MuxCalls<TRequest, TResponse>, ValueTask> Invoke { get; } = invoke;
}
