using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// What one file declares for others: namespaces, headers of types with the usings that give them a meaning, constants,
/// enums, structs (whose fields are part of the size of what holds them), and attributes of the assembly. Bodies, comments
/// and other members are left out: they matter only to what reads the file itself.
/// </summary>
internal sealed class FileDeclarations
{
    private readonly ImmutableArray<DeclaredItem>.Builder _items = ImmutableArray.CreateBuilder<DeclaredItem>();

    public FileDeclarations(SyntaxTree tree, CancellationToken cancellationToken)
    {
        var all = new DeclarationSum();
        if (tree.GetRoot(cancellationToken) is CompilationUnitSyntax unit)
        {
            all.AddAll(unit.AttributeLists);
            all.AddAll(unit.Externs);
            var usings = new DeclarationSum();
            foreach (var one in unit.Usings)
            {
                bool isGlobal = one.GlobalKeyword != default;
                (isGlobal ? all : usings).Add(one);
                if (isGlobal) AddAlias(one);
            }

            AddAttributes(unit.AttributeLists, usings.Copy(hasTexts: false));
            AddMembers(unit.Members, usings, isReserved: false);
        }

        Global = all.Value;
        Items = _items.ToImmutable();
        Sum = Items.Aggregate(Global, static (sum, item) => unchecked((sum.Item1 * 31 + item.Sum.Item1, sum.Item2 * 31 + item.Sum.Item2)));
    }

    /// <summary>Gets what holds for the whole project, as two numbers.</summary>
    public (ulong, ulong) Global { get; }

    public ImmutableArray<DeclaredItem> Items { get; }

    /// <summary>Gets all of it as two numbers.</summary>
    public (ulong, ulong) Sum { get; }

    // The name of an alias is all that other files mention of what it leads to. Other usings add names that are
    // declared somewhere: also "using static", which does not add what a type inherits.
    private void AddAlias(UsingDirectiveSyntax one)
    {
        if (one.Alias is not { Name.Identifier.ValueText: var name }) return;
        var sum = new DeclarationSum();
        sum.Add(one.NamespaceOrType);
        _items.Add(sum.ToItem([name]));
    }

    // They hold for all types, such as the level of an assembly. Their texts name assemblies, and no types.
    private void AddAttributes(SyntaxList<AttributeListSyntax> attributes, DeclarationSum sum)
    {
        if (attributes.Count == 0) return;
        sum.AddAll(attributes);
        _items.Add(sum.ToItem([]) with { IsForAll = true });
    }

    // What the items mean depends on what is around them.
    private void AddMembers(SyntaxList<MemberDeclarationSyntax> members, DeclarationSum around, bool isReserved)
    {
        foreach (var member in members) AddMember(member, around.Copy(), isReserved);
    }

    private void AddMember(MemberDeclarationSyntax member, DeclarationSum sum, bool isReserved)
    {
        switch (member)
        {
            case BaseNamespaceDeclarationSyntax space:
                isReserved |= space.Name.ToString().Split('.')[0] is "System" or "Mux" or "ProtoBuf" or "Google";
                var names = new DeclarationSum();
                names.Add(space.Name);
                sum.Add(space.Name);
                AddItem(sum, names.Mentions, isReserved);
                sum.AddAll(space.Externs);
                sum.AddAll(space.Usings);
                AddMembers(space.Members, sum, isReserved);
                break;
            case EnumDeclarationSyntax or DelegateDeclarationSyntax or StructDeclarationSyntax:
            case RecordDeclarationSyntax { RawKind: (int)SyntaxKind.RecordStructDeclaration }:
            case FieldDeclarationSyntax field when field.Modifiers.Any(SyntaxKind.ConstKeyword):
                sum.Add(member);
                AddItem(sum, [.. NamesOf(member).Select(static name => name.ValueText)], isReserved);
                if (member is TypeDeclarationSyntax { Members: var inside }) AddMembers(inside, sum, isReserved);
                break;
            case TypeDeclarationSyntax type:
                sum.AddAll(type.AttributeLists);
                foreach (var modifier in type.Modifiers) sum.Add(modifier);
                sum.Add(type.Keyword);
                sum.Add(type.Identifier);
                sum.Add(type.TypeParameterList);
                sum.Add(type.ParameterList);
                sum.Add(type.BaseList);
                sum.AddAll(type.ConstraintClauses);
                AddItem(sum, [type.Identifier.ValueText], isReserved);
                AddMembers(type.Members, sum, isReserved);
                break;
        }
    }

    private void AddItem(DeclarationSum sum, ImmutableArray<string> names, bool isReserved) =>
        _items.Add(sum.ToItem(names) with { IsReserved = isReserved });

    private static IEnumerable<SyntaxToken> NamesOf(MemberDeclarationSyntax member) => member switch
    {
        EnumDeclarationSyntax list => list.Members.Select(static value => value.Identifier).Prepend(list.Identifier),
        DelegateDeclarationSyntax type => [type.Identifier],
        FieldDeclarationSyntax field => field.Declaration.Variables.Select(static one => one.Identifier),
        _ => [((BaseTypeDeclarationSyntax)member).Identifier],
    };
}

/// <summary>One thing that a file declares.</summary>
/// <param name="Names">Names that it may give a meaning to.</param>
/// <param name="Mentions">Names on which its own meaning depends.</param>
/// <param name="Sum">All of its text as two numbers.</param>
internal sealed record DeclaredItem(ImmutableArray<string> Names, ImmutableArray<string> Mentions, (ulong, ulong) Sum)
{
    /// <summary>Gets a value indicating whether the generator itself looks for names in its namespace.</summary>
    public bool IsReserved { get; init; }

    /// <summary>Gets a value indicating whether all files depend on it, whatever they mention.</summary>
    public bool IsForAll { get; init; }
}

/// <summary>Adds up pieces of code.</summary>
/// <param name="hasTexts">True if texts in it may be names of types.</param>
internal sealed class DeclarationSum(bool hasTexts = true)
{
    private static readonly char[] s_separators = ['.', '+', ',', '`', ' ', '\r', '\n'];
    private readonly HashSet<string> _mentions = new(StringComparer.Ordinal);
    private ulong _first = 14_695_981_039_346_656_037; // FNV-1a
    private ulong _second = 0x9E37_79B9_7F4A_7C15;

    public (ulong, ulong) Value => (_first, _second);

    public ImmutableArray<string> Mentions => [.. _mentions];

    public DeclarationSum Copy(bool hasTexts = true)
    {
        var copy = new DeclarationSum(hasTexts) { _first = _first, _second = _second };
        copy._mentions.UnionWith(_mentions);
        return copy;
    }

    public DeclaredItem ToItem(ImmutableArray<string> names) => new(names, Mentions, Value);

    public void AddAll(IEnumerable<SyntaxNode> nodes)
    {
        foreach (var node in nodes) Add(node);
    }

    public void Add(SyntaxNode? node)
    {
        foreach (var token in node?.DescendantTokens() ?? []) Add(token);
    }

    public void Add(SyntaxToken token)
    {
        AddNames(token, _mentions, hasTexts);
        foreach (char one in token.Text) AddOne(one);
        AddOne('\0');
    }

    /// <summary>Adds the names that a token mentions: also those in a text, which may be the name of a type.</summary>
    public static void AddNames(SyntaxToken token, HashSet<string> names, bool hasTexts = true)
    {
        if (token.IsKind(SyntaxKind.IdentifierToken)) names.Add(token.ValueText);
        else if (hasTexts && (token.Value is string || token.IsKind(SyntaxKind.InterpolatedStringTextToken)))
            names.UnionWith(token.ValueText.Split(s_separators, StringSplitOptions.RemoveEmptyEntries));
    }

    private void AddOne(char one)
    {
        unchecked
        {
            _first = (_first ^ one) * 1_099_511_628_211;
            _second = ((_second << 5 | _second >> 59) ^ one) * 0xC2B2_AE3D_27D4_EB4F;
        }
    }
}
