namespace Mux.Generators.Describing;

/// <summary>Name of a message, enum or service in protobuf.</summary>
/// <param name="Package">The package; empty for types without a namespace.</param>
/// <param name="Name">Name in the package.</param>
internal sealed record ProtoName(string Package, string Name)
{
    /// <summary>Gets a value indicating whether a .proto file declares the type, so that nothing of it is described from C#.</summary>
    public bool IsImported { get; init; }

    /// <summary>Gets the class that describes an imported type, or the one around it; null for types of protobuf's own files.</summary>
    public string? Describer { get; init; }

    /// <summary>The name with its package.</summary>
    public string Full => Package.Length == 0 ? Name : $"{Package}.{Name}";

    /// <summary>The name as fields and methods refer to it.</summary>
    public string Reference => "." + Full;
}
