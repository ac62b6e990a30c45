namespace Mux.Description.Proto;

/// <summary>A service, with the options of mux/options.proto.</summary>
internal sealed class ProtoService : ProtoElement
{
    public List<ProtoMethod> Methods { get; } = [];

    /// <summary>Gets or sets the name on the wire if it differs from the full name; null if not.</summary>
    public string? WireName { get; set; }

    /// <summary>Gets or sets a value indicating whether the caller serves it, during calls of methods that name it.</summary>
    public bool IsCallback { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether <see cref="ProtoField.Bits"/> and <see cref="ProtoField.Absent"/> are known of the fields that its
    /// methods reach. They are not in descriptions of earlier versions.
    /// </summary>
    public bool HasExactFields { get; set; }
}
