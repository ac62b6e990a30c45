namespace Mux.Description.Proto;

/// <summary>A method.</summary>
internal sealed class ProtoMethod : ProtoElement
{
    /// <summary>Gets or sets the full name of the request, without a dot before it. Until names are resolved, as the text has it.</summary>
    public string RequestName { get; set; } = string.Empty;

    /// <summary>Gets or sets the full name of the reply, as <see cref="RequestName"/> is that of the request.</summary>
    public string ResponseName { get; set; } = string.Empty;

    /// <summary>Gets or sets the request, or an item of it; null until names are resolved.</summary>
    public ProtoMessage? Request { get; set; }

    /// <summary>Gets or sets the reply, or an item of it; null until names are resolved.</summary>
    public ProtoMessage? Response { get; set; }

    public bool IsRequestStream { get; set; }

    public bool IsResponseStream { get; set; }

    /// <summary>Gets or sets <c>idempotency_level</c>: 0 unknown, 1 without side effects, 2 idempotent.</summary>
    public int IdempotencyLevel { get; set; }

    /// <summary>Gets or sets what mux/options.proto says of it.</summary>
    public ProtoMethodOptions Options { get; set; } = new();
}
