using Microsoft.CodeAnalysis;

namespace Mux.Generators.Symbols;

/// <summary>What the framework and the Mux.Abstractions of a project can do. Both are there for older frameworks too, with less in them.</summary>
internal static class TargetRuntime
{
    /// <summary>True if generated code has what it calls. The Mux.Abstractions of netstandard2.0 has attributes and exceptions alone.</summary>
    public static bool HasContracts(this Compilation compilation) => compilation.GetTypeByMetadataName(WellKnownNames.ServiceContract) is not null;

    /// <summary>
    /// True if the project can show its contracts in the form of protobuf, or messages as JSON. Mux.Reflection brings
    /// the same assembly.
    /// </summary>
    public static bool HasDescriptions(this Compilation compilation) =>
        compilation.ReferencedAssemblyNames.Any(static reference => reference.Name == "Mux.Description");

    /// <summary>True if the runtime finds members of generic types that are not accessible, as it does from .NET 9 on.</summary>
    public static bool FindsMembersOfGenerics(this Compilation compilation) =>
        compilation.GetSpecialType(SpecialType.System_Object).ContainingAssembly.Identity.Version.Major >= 9;
}
