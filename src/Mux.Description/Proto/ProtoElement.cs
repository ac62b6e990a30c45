namespace Mux.Description.Proto;

/// <summary>Something with a name in a file.</summary>
internal abstract class ProtoElement
{
    /// <summary>Gets or sets the name as declared, such as <c>Employee</c>.</summary>
    public string Name { get; set; } = string.Empty;

    /// <summary>
    /// Gets or sets the name with the package and the messages around it, without a dot before it. A value of an enum is a sibling of its enum.
    /// </summary>
    public string FullName { get; set; } = string.Empty;

    /// <summary>Gets or sets where the name stands.</summary>
    public ProtoPosition Position { get; set; }

    /// <summary>Gets or sets the lines of the comment before it, without marks; null for none.</summary>
    public string? Comment { get; set; }

    /// <summary>Gets or sets a value indicating whether it should not be used any more.</summary>
    public bool IsDeprecated { get; set; }

    /// <inheritdoc/>
    public override string ToString() => FullName;
}
