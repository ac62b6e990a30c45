using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>A C# type, or a member of it, as a value that keeps no symbol alive.</summary>
/// <param name="Type">The name with its namespace. A nested type is separated by a dot, too.</param>
/// <param name="Member">Name of the member; null for the type itself.</param>
internal sealed record ContractPlace(string Type, string? Member)
{
    /// <summary>Finds it in the sources of a compilation; null if it is not there.</summary>
    public Location? Find(Compilation compilation) =>
        Find(compilation.Assembly.GetTypeByMetadataName)?.Locations.FirstOrDefault(static location => location.IsInSource);

    /// <summary>Finds a constant in a compilation or in what it refers to; null if it is not there.</summary>
    public IFieldSymbol? FindConstant(Compilation compilation) => Find(compilation.GetTypeByMetadataName) as IFieldSymbol;

    private ISymbol? Find(Func<string, INamedTypeSymbol?> types)
    {
        if (TypeFinder.Find(types, Type) is not { } type) return null;
        return Member is null ? type : MembersOf(type).FirstOrDefault(member => member.Name == Member);

        static IEnumerable<ISymbol> MembersOf(INamedTypeSymbol type) =>
            type.GetMembers().Concat(type.AllInterfaces.SelectMany(static other => other.GetMembers()));
    }
}
