namespace Mux.Description.Proto;

/// <summary>The message <c>mux.MethodOptions</c> of mux/options.proto.</summary>
internal sealed class ProtoMethodOptions
{
    /// <summary>Gets or sets the name on the wire if it differs from the name; null if not.</summary>
    public string? WireName { get; set; }

    public bool IsOneWay { get; set; }

    /// <summary>Gets or sets the timeout; 0 for none.</summary>
    public int TimeoutMilliseconds { get; set; }

    /// <summary>Gets or sets the largest message; 0 for the limit of the server.</summary>
    public int MaxMessageBytes { get; set; }

    /// <summary>Gets or sets the priority: 0 normal, 1 high, 2 low.</summary>
    public int Priority { get; set; }

    /// <summary>Gets or sets the format of requests and replies; null for protobuf.</summary>
    public string? Format { get; set; }

    /// <summary>Gets or sets the full name of the message that precedes the request stream; null for none.</summary>
    public string? Arguments { get; set; }

    public List<ProtoErrorDetail> Details { get; } = [];

    public ProtoAuthorization? Authorization { get; set; }

    /// <summary>Gets the full names of the services that the caller serves during the call.</summary>
    public List<string> Callbacks { get; } = [];

    public uint RequestFingerprint { get; set; }

    public uint ResponseFingerprint { get; set; }
}
