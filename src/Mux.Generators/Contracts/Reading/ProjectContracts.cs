using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Reads the contracts of a project. The compiler's own search for an attribute asks for the symbol of each interface after
/// each edit; this one looks at files, of which an edit changes one, and asks for symbols where <see cref="ContractCache"/>
/// has no answer.
/// </summary>
internal static class ProjectContracts
{
    // Of each file. An attribute may have another name here, so all interfaces with one may be contracts.
    private static readonly ConditionalWeakTable<SyntaxTree, List<InterfaceDeclarationSyntax>> s_marked = new();

    /// <summary>Reads all contracts, in the order of the files.</summary>
    public static IEnumerable<ContractModel> Read(ContractCode code, CancellationToken cancellationToken)
    {
        foreach (var file in code.Files)
        {
            foreach (var declaration in MarkedIn(file, cancellationToken))
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (ContractCache.Read(declaration, code, cancellationToken) is { } contract) yield return contract;
            }
        }
    }

    private static List<InterfaceDeclarationSyntax> MarkedIn(SyntaxTree file, CancellationToken cancellationToken)
    {
        if (s_marked.TryGetValue(file, out var known)) return known;
        var found = new List<InterfaceDeclarationSyntax>();
        if (file.GetRoot(cancellationToken) is CompilationUnitSyntax unit) AddTo(found, unit.Members);
        return s_marked.GetValue(file, _ => found);
    }

    private static void AddTo(List<InterfaceDeclarationSyntax> found, SyntaxList<MemberDeclarationSyntax> members)
    {
        foreach (var member in members)
        {
            if (member is InterfaceDeclarationSyntax { AttributeLists.Count: > 0 } marked) found.Add(marked);
            if (member is BaseNamespaceDeclarationSyntax space) AddTo(found, space.Members);
            else if (member is TypeDeclarationSyntax type) AddTo(found, type.Members);
        }
    }
}
