using Microsoft.CodeAnalysis;
using Mux.Description.Proto;
using Mux.Generators.Diagnostics;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;

namespace Mux.Generators.Importing;

/// <summary>Types that referenced projects made of the same files, and types that stand in the way.</summary>
/// <param name="references">A compilation of the references alone.</param>
/// <param name="names">C# names.</param>
/// <param name="faults">Gets names that a type cannot have.</param>
internal sealed class ReferencedTypes(Compilation references, CSharpNames names, List<ImportFault> faults)
{
    /// <summary>True if a referenced project made the type, so that it is not made again.</summary>
    public bool Contains(ProtoElement type, ProtoFile file, ImportInput? input)
    {
        var name = names.MetadataNameOf(type.FullName);
        var found = references.GetTypesByMetadataName(name).Where(static other => other.DeclaredAccessibility == Accessibility.Public).ToList();
        if (found.Count == 0) return false;
        var same = found.FindAll(other => IsMadeOf(other, type, file));
        if (same.Count == 1) return true;
        var problem = same.Count > 1
            ? $"the assemblies '{same[0].ContainingAssembly.Name}' and '{same[1].ContainingAssembly.Name}' both have the type '{name}'; let one project import "
                + "its file, and the others reference this project"
            : $"the type '{name}' is in the assembly '{found[0].ContainingAssembly.Name}' already; set another Namespace";
        faults.Add(new ImportFault(ImportDiagnostics.Name, input?.Path, type.Position.Line, type.Position.Column, new([file.Name, problem])));
        return same.Count > 1;
    }

    private static bool IsMadeOf(INamedTypeSymbol found, ProtoElement type, ProtoFile file)
    {
        var name = file.Package.Length == 0 ? type.FullName : type.FullName.Substring(file.Package.Length + 1);
        return found.FindAttribute(WellKnownNames.MuxProto) is { } mark
            && mark.Argument("package") is string package && package == file.Package && mark.Argument("name") is string other && other == name;
    }
}
