namespace Mux.Description.Proto;

/// <summary>An enum.</summary>
internal sealed class ProtoEnum : ProtoElement
{
    public List<ProtoEnumValue> Values { get; } = [];

    public List<ProtoRange> Reserved { get; } = [];

    public List<string> ReservedNames { get; } = [];

    /// <summary>Gets or sets a value indicating whether values without a name are unknown fields, as in proto2.</summary>
    public bool IsClosed { get; set; }

    /// <summary>Gets or sets a value indicating whether several names may have one number.</summary>
    public bool AllowsAliases { get; set; }
}
