namespace Mux;

/// <summary>
/// Marks an interface as a service contract. The generator in this package emits its client proxy, its server dispatcher and the codecs of all its messages;
/// nothing uses reflection at run time.
/// </summary>
/// <remarks>
/// <para>A method returns <see cref="ValueTask"/>, <see cref="ValueTask{TResult}"/>, <see cref="Task"/>, <see cref="Task{TResult}"/> or a stream
/// (<see cref="IAsyncEnumerable{T}"/>, <c>ChannelReader</c>, <see cref="Stream"/>, <c>PipeReader</c>). Its parameters are, in this order: any number of
/// arguments, at most one of them a stream; optionally a <see cref="MuxCallOptions"/>; optionally a <see cref="CancellationToken"/>. Any other signature is a
/// build error with a MUX id.</para>
/// <para>A handler may use its token until its task has completed. Mux then reuses the token for another call.</para>
/// </remarks>
/// <param name="name">The wire name of the service, such as <c>hr.Directory</c>: 1 to 127 characters of letters, digits, '.', '_' and '-'. Both sides must use
/// the same wire name; the C# name and namespace of the interface may change freely.</param>
[AttributeUsage(AttributeTargets.Interface, Inherited = false)]
public sealed class MuxServiceAttribute(string name) : MuxChoicesAttribute
{
    /// <summary>Gets the wire name of the service.</summary>
    public string Name { get; } = name;
}
