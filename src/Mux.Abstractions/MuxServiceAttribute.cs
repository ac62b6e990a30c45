namespace Mux;

/// <summary>
/// Marks an interface as a service contract. The generator that comes with this package emits its client proxy, its server
/// dispatcher and the codecs of all messages it names; nothing is looked up by reflection at run time.
/// </summary>
/// <remarks>
/// Methods return <see cref="ValueTask"/>, <see cref="ValueTask{TResult}"/>, <see cref="Task"/>, <see cref="Task{TResult}"/> or a stream
/// (<see cref="IAsyncEnumerable{T}"/>, <c>ChannelReader</c>, <see cref="Stream"/>, <c>PipeReader</c>) and take any number of arguments, one of them a stream,
/// then <see cref="MuxCallOptions"/>, a <see cref="CancellationToken"/> last, which a handler may use until it has returned: its source is reused afterwards,
/// and the token is then another call's. Whatever is not taken is a build error with a MUX id.
/// </remarks>
/// <param name="name">The wire name of the service, such as <c>hr.Directory</c>: 1 to 127 characters of letters, digits, '.', '_' and '-'.
/// It is what both sides must agree on; the C# name and namespace of the interface may change freely.</param>
[AttributeUsage(AttributeTargets.Interface, Inherited = false)]
public sealed class MuxServiceAttribute(string name) : MuxChoicesAttribute
{
    /// <summary>The wire name of the service.</summary>
    public string Name { get; } = name;
}
