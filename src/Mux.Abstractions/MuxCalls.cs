using System.Collections;
using System.ComponentModel;

namespace Mux;

/// <summary>
/// Calls of one method that a handler gets together, because its contract says <see cref="MuxMethodAttribute.Batched"/>: those that came while the last batch
/// ran, oldest first. Calls that were cancelled until then, or whose deadlines have passed, are not among them.
/// </summary>
/// <remarks>
/// <para>The handler answers each call, and its callers get the answers when it has ended. A call without one fails with <see cref="MuxStatus.Unknown"/>; that
/// of a method without a result has succeeded. If the handler throws, all calls that it has not answered fail with its exception.</para>
/// <para>One batch of a method runs at a time. Safe for concurrent use until the handler has ended; do not keep the object.</para>
/// </remarks>
/// <typeparam name="TRequest">The argument of the method.</typeparam>
/// <typeparam name="TResponse">Its result; <see cref="MuxUnit"/> if it has none.</typeparam>
public sealed class MuxCalls<TRequest, TResponse> : IReadOnlyList<MuxBatchedCall<TRequest, TResponse>>
{
    private readonly IReadOnlyList<MuxBatchedCall<TRequest, TResponse>> _calls;

    /// <summary>For the runtime: creates a batch.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MuxCalls(IReadOnlyList<MuxBatchedCall<TRequest, TResponse>> calls) => _calls = calls;

    /// <summary>Gets the number of calls, at least 1.</summary>
    public int Count => _calls.Count;

    /// <summary>Gets a call.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="index"/> is not in the batch.</exception>
    public MuxBatchedCall<TRequest, TResponse> this[int index] => _calls[index];

    /// <inheritdoc/>
    public IEnumerator<MuxBatchedCall<TRequest, TResponse>> GetEnumerator() => _calls.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
