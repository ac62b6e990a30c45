using Microsoft.CodeAnalysis;
using Mux.Description.Proto;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Importing;

/// <summary>Types that referenced projects made of the same files, and other types that have their names.</summary>
/// <param name="references">A compilation of the references alone.</param>
internal sealed class ReferencedTypes(Compilation references)
{
    /// <summary>True if a name is that of another type, which two types of one name would hide.</summary>
    public bool IsOther(string name, ProtoElement type, ProtoFile file) => Find(name).Any(found => !IsMadeOf(found, type, file));

    /// <summary>True if a referenced project made the type, so that it is not made again.</summary>
    /// <param name="name">Its C# name.</param>
    /// <param name="type">The type.</param>
    /// <param name="file">Its file.</param>
    /// <param name="input">The item of the file; null for a file that is built in.</param>
    /// <param name="faults">Gets a type that two projects made, which the compiler cannot tell apart.</param>
    public bool Contains(string name, ProtoElement type, ProtoFile file, ImportInput? input, List<ImportFault> faults)
    {
        var same = Find(name).Where(found => IsMadeOf(found, type, file)).ToList();
        if (same.Count < 2) return same.Count == 1;
        var problem = $"the assemblies '{same[0].ContainingAssembly.Name}' and '{same[1].ContainingAssembly.Name}' both have the type '{name}'; "
            + "let one project import its file, and the others reference this project";
        faults.Add(new ImportFault(ImportDiagnostics.Name, input?.Path, type.Position.Line, type.Position.Column, new([file.Name, problem])));
        return true;
    }

    private IEnumerable<INamedTypeSymbol> Find(string name) =>
        references.GetTypesByMetadataName(name).Where(static found => found.DeclaredAccessibility == Accessibility.Public);

    private static bool IsMadeOf(INamedTypeSymbol found, ProtoElement type, ProtoFile file) => found.FindAttribute(WellKnownNames.MuxProto) is { } mark
        && mark.Argument("package") is string package && package == file.Package && mark.Argument("name") is string name && name == file.NameInPackage(type);
}
