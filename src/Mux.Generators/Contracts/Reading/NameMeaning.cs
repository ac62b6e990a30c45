using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// What decides, apart from a file itself, what the names and constants in it mean: the references, what is chosen for the
/// whole project, and what all files declare for others. It is the same for two compilations of which one has an edit inside
/// members; after an edit of a declaration it is the same for all files that do not depend on its name.
/// </summary>
internal sealed class NameMeaning
{
    private static readonly ConditionalWeakTable<SyntaxTree, FileDeclarations> s_declarations = new();
    private static readonly ConditionalWeakTable<SyntaxTree, HashSet<string>> s_names = new();

    private readonly string? _assembly;
    private readonly (NullableContextOptions, MetadataImportOptions, bool) _options;
    private readonly ImmutableArray<MetadataReference> _references;
    private readonly ImmutableArray<FileDeclarations> _files;
    private readonly (ulong, ulong) _sum;
    private readonly ConditionalWeakTable<NameMeaning, ChangedNames> _changes = new();

    /// <param name="compilation">The compilation.</param>
    /// <param name="more">Files that are read as part of it.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public NameMeaning(Compilation compilation, IEnumerable<SyntaxTree> more, CancellationToken cancellationToken)
    {
        var options = compilation.Options;
        _assembly = compilation.AssemblyName;
        _options = (options.NullableContextOptions, options.MetadataImportOptions, options is CSharpCompilationOptions { AllowUnsafe: true });
        _references = compilation.ExternalReferences;
        var files = ImmutableArray.CreateBuilder<FileDeclarations>();
        foreach (var tree in compilation.SyntaxTrees.Concat(more))
        {
            if (!s_declarations.TryGetValue(tree, out var found))
            {
                found = new FileDeclarations(tree, cancellationToken);
                found = s_declarations.GetValue(tree, _ => found);
            }

            // Their order decides at most the order of parts of one type, whose files are compared themselves.
            _sum = unchecked((_sum.Item1 + found.Sum.Item1, _sum.Item2 + found.Sum.Item2));
            files.Add(found);
        }

        _files = files.ToImmutable();
    }

    /// <summary>True if names and constants in these files, and in what they depend on, mean the same as before.</summary>
    public bool IsAsIn(NameMeaning before, ImmutableArray<SyntaxTree> files)
    {
        if (ReferenceEquals(this, before)) return true;
        if (_options != before._options || !string.Equals(_assembly, before._assembly, StringComparison.Ordinal)) return false;
        if (_references != before._references && !_references.SequenceEqual(before._references)) return false;
        if (_sum == before._sum) return true;
        var changed = _changes.GetValue(before, old => new ChangedNames(old._files, _files));
        return !changed.IsAll && !files.Any(file => changed.Names.Overlaps(NamesIn(file)));
    }

    private static HashSet<string> NamesIn(SyntaxTree file) => s_names.GetValue(file, static tree =>
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var token in tree.GetRoot().DescendantTokens()) DeclarationSum.AddNames(token, names);
        return names;
    });
}

/// <summary>The names whose meaning has changed between two compilations.</summary>
internal sealed class ChangedNames
{
    private const string Attribute = "Attribute";

    public ChangedNames(ImmutableArray<FileDeclarations> before, ImmutableArray<FileDeclarations> after)
    {
        var (gone, come) = (new HashSet<FileDeclarations>(before), new HashSet<FileDeclarations>(after));
        gone.ExceptWith(after);
        come.ExceptWith(before);
        IsAll = SumOf(gone) != SumOf(come);
        var items = gone.SelectMany(static file => file.Items).Select(static item => (item, -1))
            .Concat(come.SelectMany(static file => file.Items).Select(static item => (item, 1)));
        foreach (var group in items.GroupBy(static one => one.item.Sum))
        {
            if (group.Sum(static one => one.Item2) == 0) continue;
            IsAll |= group.Any(static one => one.item.IsReserved);
            foreach (var (item, _) in group) Add(item);
        }

        // What depends on a changed name has changed too: a constant that is made of another, a struct in a struct.
        bool isMore = Names.Count > 0;
        while (isMore && !IsAll)
        {
            isMore = false;
            foreach (var item in before.Concat(come).SelectMany(static file => file.Items)) isMore |= AddDependent(item);
        }
    }

    /// <summary>True if any name may mean something else.</summary>
    public bool IsAll { get; private set; }

    public HashSet<string> Names { get; } = new(StringComparer.Ordinal);

    private static (ulong, ulong) SumOf(IEnumerable<FileDeclarations> files) =>
        files.Aggregate((0UL, 0UL), static (sum, file) => unchecked((sum.Item1 + file.Global.Item1, sum.Item2 + file.Global.Item2)));

    private bool AddDependent(DeclaredItem item)
    {
        int count = Names.Count;
        if (item.Mentions.Any(Names.Contains)) Add(item);
        return Names.Count > count;
    }

    // An attribute is named with and without the end of its name.
    private void Add(DeclaredItem item)
    {
        IsAll |= item.IsForAll;
        foreach (var name in item.Names)
        {
            Names.Add(name);
            if (name.EndsWith(Attribute, StringComparison.Ordinal)) Names.Add(name.Substring(0, name.Length - Attribute.Length));
        }
    }
}
