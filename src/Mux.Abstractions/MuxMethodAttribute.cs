namespace Mux;

/// <summary>Sets options of one method of a <see cref="MuxServiceAttribute">service contract</see>.</summary>
/// <remarks>A handler may use its <see cref="CancellationToken"/> until its task has completed. Mux then reuses the token for another call. Work that continues
/// after the handler needs its own token.</remarks>
/// <param name="name">The wire name of the method, 1 to 127 characters; by default its C# name without a trailing <c>Async</c>. Overloads need different
/// names.</param>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class MuxMethodAttribute(string? name = null) : MuxChoicesAttribute
{
    /// <summary>Gets the wire name of the method, or null for its C# name without <c>Async</c>.</summary>
    public string? Name { get; } = name;

    /// <summary>
    /// Gets or sets a value indicating whether a call is one-way: the caller does not wait for the handler. The call completes as soon as the request is in the
    /// outgoing queue, and the caller does not learn whether the handler ran or failed. Only for methods that return <see cref="ValueTask"/> or
    /// <see cref="Task"/>.
    /// </summary>
    /// <value>False by default.</value>
    public bool OneWay { get; set; }

    /// <summary>
    /// Gets or sets the most calls that a handler gets together. An implementation then has the generated interface of the contract's name with <c>Batch</c>,
    /// such as <c>IStockBatch</c> for <c>IStock</c>, whose method takes <see cref="MuxCalls{TRequest, TResponse}"/>: the calls that came while the last batch
    /// ran. An implementation of the contract itself gets each call alone. Callers see no difference. Only for methods with one argument and one reply
    /// (MUX0067). See docs/order.md.
    /// </summary>
    /// <value>1 to 1,024 calls; 0 by default, which means that each call is handled alone.</value>
    public int Batched { get; set; }
}
