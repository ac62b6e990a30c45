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
public sealed class MuxServiceAttribute(string name) : Attribute
{
    /// <summary>The wire name of the service.</summary>
    public string Name { get; } = name;

    /// <summary>Where the user code of all methods of this service runs, unless a method says otherwise.</summary>
    /// <value><see cref="MuxDispatchMode.Default"/> by default.</value>
    public MuxDispatchMode Dispatch { get; set; }

    /// <summary>How long a call of all methods of this service may take if its caller does not say, unless a method says otherwise.</summary>
    /// <value>Milliseconds, 1 to 2^31-1; 0 by default, which means the channel's.</value>
    public int TimeoutMilliseconds { get; set; }

    /// <summary>How calls of all methods of this service share a connection with others if their callers do not say, unless a method says otherwise.</summary>
    /// <value><see cref="MuxCallPriority.Normal"/> by default.</value>
    public MuxCallPriority Priority { get; set; }

    /// <summary>The promise that a handler of all methods of this service that runs twice does what it does once.</summary>
    /// <value>False by default.</value>
    public bool Idempotent { get; set; }

    /// <summary>
    /// The longest request, item or reply of all methods of this service that a side takes, if that is less than its own limit, unless a method says otherwise.
    /// </summary>
    /// <value>Bytes, 1 to 2^31-1; 0 by default, which means that the sides' own limits hold.</value>
    public int MaxMessageBytes { get; set; }

    /// <summary>
    /// What turns the messages of all methods of this service into bytes and back, unless a method says otherwise: a type that implements
    /// <see cref="Serialization.IPayloadSerializer"/>.
    /// </summary>
    /// <value>Null by default, which means <see cref="Serialization.GeneratedCodec"/>: protobuf. By another one a method has at most one argument, and both
    /// sides must name serializers of one format; a type that is no serializer is a build error (MUX0058), and so is an argument or result that it does not
    /// send (MUX0060).</value>
    public Type? Serializer { get; set; }
}
