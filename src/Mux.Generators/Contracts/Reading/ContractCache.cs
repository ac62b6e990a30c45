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
    // By the file with the contract. An entry holds files, and no symbol: that would keep a whole compilation.
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
        if (entries.TryGetValue(name, out var known) && known.Holds(compilation, meaning)) return known.Model;

        var files = new ReadFiles();
        files.Add(contract);
        var model = ContractReader.Read(contract, compilation, files, cancellationToken);
        entries[name] = new Entry(model, meaning, files.ToArray());
        return model;
    }

    private sealed class Entry(ContractModel model, NameMeaning meaning, ImmutableArray<SyntaxTree> files)
    {
        public ContractModel Model => model;

        public bool Holds(Compilation compilation, NameMeaning current)
        {
            if (!meaning.Equals(current)) return false;
            foreach (var file in files)
            {
                if (!compilation.ContainsSyntaxTree(file)) return false;
            }

            return true;
        }
    }
}

/// <summary>
/// The files of the types that one contract mentions, and of those that these mention, as far as a reader of contracts may
/// look: more than it does look at. Not thread-safe.
/// </summary>
internal sealed class ReadFiles
{
    private readonly HashSet<ISymbol> _known = new(SymbolEqualityComparer.Default);
    private readonly HashSet<SyntaxTree> _files = [];
    private readonly Queue<INamedTypeSymbol> _unread = new();

    /// <summary>Adds the files of a type.</summary>
    public void Add(ITypeSymbol? type)
    {
        Visit(type);
        while (_unread.Count > 0) VisitParts(_unread.Dequeue());
    }

    public ImmutableArray<SyntaxTree> ToArray() => [.. _files];

    private void Visit(ITypeSymbol? type)
    {
        switch (type)
        {
            case IArrayTypeSymbol array:
                Visit(array.ElementType);
                break;
            case IPointerTypeSymbol pointer:
                Visit(pointer.PointedAtType);
                break;
            case ITypeParameterSymbol parameter:
                if (_known.Add(parameter)) VisitAll(parameter.ConstraintTypes);
                break;
            case INamedTypeSymbol named:
                VisitAll(named.TypeArguments);
                var definition = named.OriginalDefinition;
                if (_known.Add(definition) && !definition.DeclaringSyntaxReferences.IsEmpty) _unread.Enqueue(definition);
                break;
        }
    }

    private void VisitAll(ImmutableArray<ITypeSymbol> types)
    {
        foreach (var type in types) Visit(type);
    }

    private void VisitParts(INamedTypeSymbol type)
    {
        foreach (var reference in type.DeclaringSyntaxReferences) _files.Add(reference.SyntaxTree);
        Visit(type.BaseType);
        Visit(type.ContainingType);
        foreach (var one in type.Interfaces) Visit(one);
        foreach (var parameter in type.TypeParameters) Visit(parameter);
        VisitAttributes(type);
        foreach (var member in type.GetMembers()) VisitMember(member);
    }

    private void VisitMember(ISymbol member)
    {
        VisitAttributes(member);
        switch (member)
        {
            case IFieldSymbol field:
                Visit(field.Type);
                break;
            case IPropertySymbol property:
                Visit(property.Type);
                break;
            case IEventSymbol one:
                Visit(one.Type);
                break;
            case IMethodSymbol method:
                Visit(method.ReturnType);
                VisitAttributes(method.GetReturnTypeAttributes());
                foreach (var parameter in method.TypeParameters) Visit(parameter);
                foreach (var parameter in method.Parameters)
                {
                    Visit(parameter.Type);
                    VisitAttributes(parameter);
                }

                break;
        }
    }

    private void VisitAttributes(ISymbol symbol) => VisitAttributes(symbol.GetAttributes());

    private void VisitAttributes(ImmutableArray<AttributeData> attributes)
    {
        foreach (var attribute in attributes)
        {
            Visit(attribute.AttributeClass);
            foreach (var argument in attribute.ConstructorArguments) VisitConstant(argument);
            foreach (var argument in attribute.NamedArguments) VisitConstant(argument.Value);
        }
    }

    private void VisitConstant(TypedConstant constant)
    {
        if (constant.Kind == TypedConstantKind.Type)
        {
            Visit(constant.Value as ITypeSymbol);
        }
        else if (constant.Kind == TypedConstantKind.Array)
        {
            foreach (var value in constant.Values.IsDefault ? [] : constant.Values) VisitConstant(value);
        }
    }
}
