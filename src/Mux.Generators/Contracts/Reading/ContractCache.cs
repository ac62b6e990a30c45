using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Keeps the models of contracts between runs of the generator: to ask the compiler for symbols, which are new after every
/// edit, is nearly all of what a run costs. A model is used again if nothing has changed that it was read from: the files with
/// its types are the same objects, and names mean the same (<see cref="NameMeaning"/>). A build finds nothing here, because
/// all its files are new objects. Safe for concurrent use.
/// </summary>
internal static class ContractCache
{
    // By the file with the contract. An entry holds files and references, and no symbol, which would keep its compilation.
    private static readonly ConditionalWeakTable<SyntaxTree, ConcurrentDictionary<SyntaxNode, Entry>> s_entries = new();

    /// <summary>Gets what <see cref="ContractReader"/> reads; null if the interface is no contract.</summary>
    /// <param name="declaration">The declaration with the attribute.</param>
    /// <param name="code">The code that it is part of.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static ContractModel? Read(InterfaceDeclarationSyntax declaration, ContractCode code, CancellationToken cancellationToken)
    {
        var entries = s_entries.GetOrCreateValue(declaration.SyntaxTree);
        var meaning = code.Meaning(cancellationToken);
        if (entries.TryGetValue(declaration, out var known) && known.Holds(code, meaning)) return known.Model;

        var compilation = code.Whole;
        var contract = compilation.GetSemanticModel(declaration.SyntaxTree).GetDeclaredSymbol(declaration, cancellationToken);
        if (contract is null || !IsMarked(contract, declaration))
        {
            entries[declaration] = new Entry(null, meaning, [declaration.SyntaxTree]);
            return null;
        }

        var files = new ReadFiles(compilation.Assembly);
        var model = ContractReader.Read(contract, compilation, files, cancellationToken);

        // A mistake may end with an edit of any file: the type that it lacks may be named by a text that is made of parts.
        if (model.Service is not null) entries[declaration] = new Entry(model, meaning, files.ToArray());
        return model;
    }

    // Each part of an interface is looked at, and one has the attribute.
    private static bool IsMarked(INamedTypeSymbol contract, InterfaceDeclarationSyntax declaration) =>
        contract.FindAttribute(WellKnownNames.MuxService)?.ApplicationSyntaxReference is { } place
            && place.SyntaxTree == declaration.SyntaxTree && declaration.Span.Contains(place.Span);

    private sealed class Entry(ContractModel? model, NameMeaning meaning, ImmutableArray<SyntaxTree> files)
    {
        private volatile NameMeaning _meaning = meaning;

        public ContractModel? Model => model;

        public bool Holds(ContractCode code, NameMeaning current)
        {
            foreach (var file in files)
            {
                if (!code.Contains(file)) return false;
            }

            if (!current.IsAsIn(_meaning, files)) return false;
            _meaning = current; // to be compared with next time, and so that the older one is let go
            return true;
        }
    }
}
