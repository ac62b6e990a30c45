using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Keeps the models of contracts between runs of the generator. The compiler runs the step that reads symbols for every
/// contract after every edit, and that step is nearly all of what a run costs. A model is used again if nothing has changed
/// that it was read from: the files with its types are the same objects, and names mean the same (<see cref="NameMeaning"/>).
/// A build finds nothing here, because all its files are new objects. Safe for concurrent use.
/// </summary>
internal static class ContractCache
{
    // By the file with the contract. An entry holds files and references, and no symbol, which would keep its compilation.
    private static readonly ConditionalWeakTable<SyntaxTree, ConcurrentDictionary<string, Entry>> s_entries = new();

    /// <summary>Gets what <see cref="ContractReader"/> reads.</summary>
    /// <param name="contract">The interface.</param>
    /// <param name="compilation">Its compilation.</param>
    /// <param name="isWithImports">True if generated types are part of it: every run reads some contracts with and without.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static ContractModel Read(INamedTypeSymbol contract, Compilation compilation, bool isWithImports, CancellationToken cancellationToken)
    {
        if (contract.DeclaringSyntaxReferences.FirstOrDefault() is not { } first) return ContractReader.Read(contract, compilation, cancellationToken);
        var entries = s_entries.GetOrCreateValue(first.SyntaxTree);
        var name = isWithImports ? contract.ToFullName() + "+" : contract.ToFullName();
        var meaning = NameMeaning.Of(compilation, cancellationToken);
        if (entries.TryGetValue(name, out var known) && known.Holds(compilation, meaning))
        {
            entries[name] = known.For(meaning);
            return known.Model;
        }

        var files = new ReadFiles(compilation.Assembly);
        var model = ContractReader.Read(contract, compilation, files, cancellationToken);

        // A mistake may end with an edit of any file: the type that it lacks may be named by a text that is made of parts.
        if (model.Service is not null) entries[name] = new Entry(model, meaning, files.ToArray());
        return model;
    }

    private sealed class Entry(ContractModel model, NameMeaning meaning, ImmutableArray<SyntaxTree> files)
    {
        public ContractModel Model => model;

        /// <summary>Gets it with what names mean now, to be compared with next time.</summary>
        public Entry For(NameMeaning current) => ReferenceEquals(meaning, current) ? this : new Entry(model, current, files);

        public bool Holds(Compilation compilation, NameMeaning current)
        {
            foreach (var file in files)
            {
                if (!compilation.ContainsSyntaxTree(file)) return false;
            }

            return current.IsAsIn(meaning, files);
        }
    }
}
