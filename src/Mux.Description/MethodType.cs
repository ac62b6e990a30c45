using Mux.Contracts;

namespace Mux.Description;

/// <summary>A method of a description.</summary>
public sealed class MethodType
{
    internal MethodType(string name, MessageType request, MessageType response)
    {
        Name = name;
        Request = request;
        Response = response;
    }

    /// <summary>Gets the name on the wire.</summary>
    public string Name { get; }

    /// <summary>
    /// Gets the request, or an item of the request stream. <c>google.protobuf.Empty</c> is no value, <c>mux.RawBytes</c> a stream of bytes, and
    /// <c>mux.Opaque</c> a value in another <see cref="Format"/>.
    /// </summary>
    public MessageType Request { get; }

    /// <summary>Gets the reply, or an item of the response stream, as <see cref="Request"/> does.</summary>
    public MessageType Response { get; }

    /// <summary>Gets the message that precedes the request stream; null if there is none.</summary>
    public MessageType? Arguments { get; internal set; }

    /// <summary>Gets a value indicating whether the request is a stream.</summary>
    public bool IsRequestStream { get; internal init; }

    /// <summary>Gets a value indicating whether the reply is a stream.</summary>
    public bool IsResponseStream { get; internal init; }

    /// <summary>Gets a value indicating whether the server sends no reply.</summary>
    public bool IsOneWay { get; internal init; }

    /// <summary>Gets a value indicating whether a call may be sent twice.</summary>
    public bool IsIdempotent { get; internal init; }

    /// <summary>Gets the timeout that the contract declares; null for none.</summary>
    public TimeSpan? Timeout { get; internal init; }

    /// <summary>Gets the maximum size of a message that the contract declares; null for the limit of the server.</summary>
    public int? MaxMessageBytes { get; internal init; }

    /// <summary>Gets the priority of calls.</summary>
    public MuxCallPriority Priority { get; internal init; }

    /// <summary>Gets the format of requests and replies, such as <c>protobuf</c>.</summary>
    public string Format { get; internal init; } = "protobuf";

    /// <summary>Gets the messages that may accompany a failure, by number. The message of another format is null.</summary>
    public IReadOnlyDictionary<int, MessageType?> Details { get; internal set; } = new Dictionary<int, MessageType?>();

    /// <summary>Gets the authorization that the contract declares; null for none.</summary>
    public MethodAuthorization? Authorization { get; internal init; }

    /// <summary>Gets the services that the caller serves during the call.</summary>
    public IReadOnlyList<ServiceType> Callbacks { get; internal set; } = [];

    /// <summary>Gets the fingerprint of the request. Two sides with the same number mean the same bytes; 0 is unknown.</summary>
    public uint RequestFingerprint { get; internal init; }

    /// <summary>Gets the fingerprint of the reply, as <see cref="RequestFingerprint"/> is that of the request.</summary>
    public uint ResponseFingerprint { get; internal init; }

    /// <inheritdoc/>
    public override string ToString() => Name;
}
