namespace Mux.Description.Proto;

/// <summary>A message.</summary>
internal sealed class ProtoMessage : ProtoElement
{
    /// <summary>Gets the fields in declaration order, those of oneofs included.</summary>
    public List<ProtoField> Fields { get; } = [];

    /// <summary>Gets the oneofs in declaration order. Those that proto3 makes for <c>optional</c> fields are not among them.</summary>
    public List<ProtoOneof> Oneofs { get; } = [];

    /// <summary>Gets the nested messages, entries of maps and messages of groups included.</summary>
    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    public List<ProtoRange> Reserved { get; } = [];

    public List<string> ReservedNames { get; } = [];

    /// <summary>Gets the numbers that others may use for extensions.</summary>
    public List<ProtoRange> Extensions { get; } = [];

    /// <summary>Gets or sets a value indicating whether it is the entry of a map, with the fields <c>key</c> and <c>value</c>.</summary>
    public bool IsMapEntry { get; set; }
}
