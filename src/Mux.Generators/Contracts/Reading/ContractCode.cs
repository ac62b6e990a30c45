using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// The code that contracts are read from: that of a project, and that of the types made of its .proto files, which the
/// compiler does not show to generators. Symbols are made only where they are asked for. Not thread-safe.
/// </summary>
/// <param name="own">The project.</param>
/// <param name="imported">Files of the types that are made of .proto files.</param>
internal sealed class ContractCode(Compilation own, ImmutableArray<SyntaxTree> imported)
{
    private HashSet<SyntaxTree>? _imported;
    private NameMeaning? _meaning;

    /// <summary>Gets the files of the project, which may declare contracts.</summary>
    public IEnumerable<SyntaxTree> Files => own.SyntaxTrees;

    /// <summary>Gets the project with the imported types: to ask it for symbols costs more than all else.</summary>
    public Compilation Whole => field ??= imported.IsEmpty ? own : own.AddSyntaxTrees(imported);

    public bool Contains(SyntaxTree file) =>
        own.ContainsSyntaxTree(file) || (!imported.IsEmpty && (_imported ??= [.. imported]).Contains(file));

    /// <summary>Gets what names mean in it.</summary>
    public NameMeaning Meaning(CancellationToken cancellationToken) => _meaning ??= new NameMeaning(own, imported, cancellationToken);
}
