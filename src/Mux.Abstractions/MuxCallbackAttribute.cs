namespace Mux;

/// <summary>
/// Marks an interface that a contract method takes as a parameter: the caller passes an object, and the handler calls it while the call runs. The messages are
/// a stream of the call (docs/peers.md).
/// </summary>
/// <remarks>
/// <para>The interface has methods alone. They return <see cref="ValueTask"/> or <see cref="Task"/>, with or without a result, and may take a
/// <see cref="CancellationToken"/> as the last parameter. A <see cref="MuxMethodAttribute"/> on them may set a name and
/// <see cref="MuxMethodAttribute.OneWay"/>. A method that takes a callback has no other stream. Other members and combinations are build errors
/// (MUX0064, MUX0088).</para>
/// <para>The handler's object may be called from several threads, until the handler returns. Its calls fail with <see cref="MuxException"/>: with the status
/// that the callback threw; <see cref="MuxStatus.Unimplemented"/> if the caller's contract lacks the method; <see cref="MuxStatus.ResourceExhausted"/>, not
/// executed, if 64 callbacks of the call have no answer; <see cref="MuxStatus.FailedPrecondition"/>, not executed, if the call has ended;
/// <see cref="MuxStatus.Cancelled"/> if the handler returned first; <see cref="MuxStatus.Unavailable"/> if the caller has ended its answers;
/// <see cref="MuxStatus.InvalidArgument"/> or <see cref="MuxStatus.Internal"/>, not executed, if the arguments cannot be encoded;
/// <see cref="MuxStatus.Internal"/> if the answer cannot be decoded. They throw <see cref="OperationCanceledException"/> if the call, or the token of the
/// method, is cancelled.</para>
/// <para>The caller's object is called on threads of the .NET pool, with the execution context of the call, and no more after the call has returned. Null is
/// not allowed: the call then fails with <see cref="MuxStatus.InvalidArgument"/>, not executed.</para>
/// </remarks>
/// <example>
/// <code>
/// [MuxCallback]
/// public interface IProgress
/// {
///     [MuxMethod(OneWay = true)] ValueTask Report(int percent);
///     ValueTask&lt;bool&gt; Ask(string question, CancellationToken cancellationToken = default);
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Interface, Inherited = false)]
public sealed class MuxCallbackAttribute : Attribute
{
    /// <summary>
    /// Gets or sets the maximum number of methods of one object that run concurrently during one call. Those beyond it wait at the caller, in the order in
    /// which the handler called them.
    /// </summary>
    /// <value>1 to 64; 1 by default, which means one after the other. Other values are a build error (MUX0037).</value>
    public int Concurrent { get; set; } = 1;
}
