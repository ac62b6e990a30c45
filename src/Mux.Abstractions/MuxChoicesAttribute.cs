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
    /// <value><see cref="MuxDispatchMode.Default"/> by default, which is the service's option, else that of the channel or server.</value>
    public MuxDispatchMode Dispatch { get; set; }

    /// <summary>Gets or sets the time limit of a call whose caller sets none.</summary>
    /// <value>Milliseconds, 1 to 2^31-1; 0 by default, which is the service's limit, else the channel's.</value>
    public int TimeoutMilliseconds { get; set; }

    /// <summary>Gets or sets the connection share of a call whose options set no priority.</summary>
    /// <value>The service's by default, else <see cref="MuxCallPriority.Normal"/>.</value>
    public MuxCallPriority Priority { get; set; }

    /// <summary>Gets or sets a value that promises that a second run of the handler has no further effect: a call may then be repeated.</summary>
    /// <value>The service's by default, else false.</value>
    public bool Idempotent { get; set; }

    /// <summary>Gets or sets the maximum length of a request, item or reply. It applies if it is less than the limit of the receiving side.</summary>
    /// <value>Bytes, 1 to 2^31-1; 0 by default, which is the service's limit, else those of the two sides.</value>
    public int MaxMessageBytes { get; set; }

    /// <summary>
    /// Gets or sets the type that converts messages to bytes and back. It implements <see cref="Serialization.IPayloadSerializer"/>.
    /// </summary>
    /// <value>Null by default, which is the service's serializer, else <see cref="Serialization.GeneratedCodec"/> for protobuf. With any other serializer a
    /// method has at most one argument, and both sides must name serializers of one format. A type that is not a serializer is a build error (MUX0058), and so
    /// is an argument or result that the serializer does not support (MUX0060).</value>
    public Type? Serializer { get; set; }
}
