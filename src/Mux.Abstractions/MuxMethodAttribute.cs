namespace Mux;

/// <summary>Changes how one method of a <see cref="MuxServiceAttribute">service contract</see> travels or runs.</summary>
/// <remarks>Its handler may use the <see cref="CancellationToken"/> it was given until it has returned, that is until its task has completed, and not in work
/// that goes on after that: the token is then another call's.</remarks>
/// <param name="name">The wire name of the method, 1 to 127 characters; by default its C# name without <c>Async</c> at the end.
/// Two overloads need different names.</param>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class MuxMethodAttribute(string? name = null) : Attribute
{
    /// <summary>The wire name of the method, or null for its C# name without <c>Async</c>.</summary>
    public string? Name { get; } = name;

    /// <summary>
    /// The caller does not wait for the handler: the call completes as soon as the request stands in the outgoing queue, and nobody
    /// learns whether the handler ran or failed. Only for methods that return <see cref="ValueTask"/> or <see cref="Task"/>.
    /// </summary>
    /// <value>False by default.</value>
    public bool OneWay { get; set; }

    /// <summary>Where the user code of this method runs; overrides <see cref="MuxServiceAttribute.Dispatch"/>.</summary>
    /// <value><see cref="MuxDispatchMode.Default"/> by default, which takes the service's choice.</value>
    public MuxDispatchMode Dispatch { get; set; }

    /// <summary>How long a call of this method may take if its caller does not say; overrides the service's.</summary>
    /// <value>Milliseconds, 1 to 2^31-1; 0 by default, which means the service's.</value>
    public int TimeoutMilliseconds { get; set; }

    /// <summary>How calls of this method share a connection with others if their callers do not say; overrides the service's.</summary>
    /// <value>The service's by default.</value>
    public MuxCallPriority Priority { get; set; }

    /// <summary>The promise that a handler of this method that runs twice does what it does once; overrides the service's.</summary>
    /// <value>The service's by default.</value>
    public bool Idempotent { get; set; }

    /// <summary>The longest request, item or reply of this method that a side takes, if that is less than its own limit; overrides the service's.</summary>
    /// <value>Bytes, 1 to 2^31-1; 0 by default, which means that the sides' own limits hold.</value>
    public int MaxMessageBytes { get; set; }

    /// <summary>
    /// What turns the messages of this method into bytes and back; overrides the service's: a type that implements
    /// <see cref="Serialization.IPayloadSerializer"/>.
    /// </summary>
    /// <value>Null by default, which means the service's; <see cref="Serialization.GeneratedCodec"/> for protobuf where the service names another. By another
    /// one than that the method has at most one argument, and both sides must name serializers of one format; a type that is no serializer is a build error
    /// (MUX0058), and so is an argument or result that it does not send (MUX0060).</value>
    public Type? Serializer { get; set; }
}
