namespace Mux;

/// <summary>
/// The options that a contract can set for one method (<see cref="MuxMethodAttribute"/>) or for all methods of a service (<see cref="MuxServiceAttribute"/>). A
/// method's option overrides its service's; without either, the options of the channel or server apply.
/// </summary>
public abstract class MuxChoicesAttribute : Attribute
{
    private protected MuxChoicesAttribute()
    {
    }

    /// <summary>Gets or sets where your code runs: handlers on the server, the code after calls on the client.</summary>
    /// <value><see cref="MuxDispatchMode.Default"/> by default, which means the mode of the service, else of the channel or server.</value>
    public MuxDispatchMode Dispatch { get; set; }

    /// <summary>Gets or sets the time limit of calls that set no timeout in their options.</summary>
    /// <value>Milliseconds, 1 to 2^31-1; 0 by default, which means the limit of the service, else of the channel.</value>
    public int TimeoutMilliseconds { get; set; }

    /// <summary>Gets or sets the priority of calls that set no priority in their options.</summary>
    /// <value>By default the priority of the service, else <see cref="MuxCallPriority.Normal"/>.</value>
    public MuxCallPriority Priority { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether running the handler twice has the same effect as running it once. A channel whose <c>Resilience.Attempts</c> is
    /// above 1 then also sends calls again that may have been executed, and only such calls are hedged (docs/resilience.md). The handler sees the value in its
    /// <see cref="MuxCallContext"/>.
    /// </summary>
    /// <value>By default the value of the service, else false.</value>
    public bool Idempotent { get; set; }

    /// <summary>Gets or sets the maximum length of a request, item or reply. The lower of this value and the limit of the receiving side applies.</summary>
    /// <value>Bytes, 1 to 2^31-1; 0 by default, which means the limit of the service, else the limits of both sides.</value>
    public int MaxMessageBytes { get; set; }

    /// <summary>
    /// Gets or sets the type that converts messages to bytes and back. It implements <see cref="Serialization.IPayloadSerializer"/>.
    /// </summary>
    /// <value>Null by default, which is the service's serializer, else <see cref="Serialization.GeneratedCodec"/> for protobuf. With any other serializer a
    /// method has at most one argument, and both sides must name serializers of one format. A type that is not a serializer is a build error (MUX0058). An
    /// argument or result that the serializer does not support is a build error too (MUX0060).</value>
    public Type? Serializer { get; set; }
}
