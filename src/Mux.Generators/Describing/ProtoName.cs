namespace Mux.Generators.Describing;

/// <summary>Name of a message, enum or service in protobuf.</summary>
/// <param name="Package">The package; empty for types without a namespace.</param>
/// <param name="Name">Name in the package.</param>
internal sealed record ProtoName(string Package, string Name)
{
    /// <summary>The name with its package.</summary>
    public string Full => Package.Length == 0 ? Name : $"{Package}.{Name}";

    /// <summary>The name as fields and methods refer to it.</summary>
    public string Reference => "." + Full;
}
