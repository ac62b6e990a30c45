using Microsoft.CodeAnalysis;
using Mux.Description.Proto.Joining;
using Mux.Generators.Symbols;

namespace Mux.Generators.Describing;

/// <summary>Finds the name in protobuf of a type that was made of a .proto file.</summary>
internal static class ImportedName
{
    /// <summary>
    /// Gets the name; null for other types. A type of another assembly is described from C#, because the descriptions there are internal: a nested one is then
    /// next to the one around it.
    /// </summary>
    public static ProtoName? Of(INamedTypeSymbol type)
    {
        if (type.FindAttribute(WellKnownNames.MuxProto) is not { } mark) return null;
        if (mark.Argument("package") is not string package || mark.Argument("name") is not string name) return null;
        var full = new ProtoName(package, name);
        if (SharedFiles.FileOf(full.Full) is not null) return full with { IsImported = true };
        return type.DeclaringSyntaxReferences.IsEmpty ? full with { Name = name.Replace('.', '_') }
            : full with { IsImported = true, Describer = DescriberOf(type) };
    }

    /// <summary>Gets the name of the class that describes a type, and those that are nested in it.</summary>
    public static string DescriberOf(INamedTypeSymbol type)
    {
        while (type.ContainingType is { } around) type = around;
        return type.ToIdentifier() + "_Description";
    }
}
