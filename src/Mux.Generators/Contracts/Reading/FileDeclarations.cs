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
            all.AddAll(unit.Usings.Where(static one => one.GlobalKeyword != default));
            var usings = new DeclarationSum();
            usings.AddAll(unit.Usings.Where(static one => one.GlobalKeyword == default));
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
                _items.Add(sum.ToItem(names.Mentions, isReserved));
                sum.AddAll(space.Usings);
                AddMembers(space.Members, sum, isReserved);
                break;
            case EnumDeclarationSyntax or DelegateDeclarationSyntax or StructDeclarationSyntax:
            case RecordDeclarationSyntax { RawKind: (int)SyntaxKind.RecordStructDeclaration }:
            case FieldDeclarationSyntax field when field.Modifiers.Any(SyntaxKind.ConstKeyword):
                var inside = new DeclarationSum();
                inside.Add(member);
                sum.Add(member);
                _items.Add(sum.ToItem(inside.Mentions, isReserved)); // it may declare any name that is in it
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
                _items.Add(sum.ToItem([type.Identifier.ValueText], isReserved));
                AddMembers(type.Members, sum, isReserved);
                break;
        }
    }
}

/// <summary>One thing that a file declares.</summary>
/// <param name="Names">Names that it may give a meaning to.</param>
/// <param name="Mentions">Names on which its own meaning depends.</param>
/// <param name="Sum">All of its text as two numbers.</param>
/// <param name="IsReserved">True in a namespace of those that the generator itself looks for names in.</param>
internal sealed record DeclaredItem(ImmutableArray<string> Names, ImmutableArray<string> Mentions, (ulong, ulong) Sum, bool IsReserved);

/// <summary>Adds up pieces of code.</summary>
internal sealed class DeclarationSum
{
    private readonly HashSet<string> _mentions = new(StringComparer.Ordinal);
    private ulong _first = 14_695_981_039_346_656_037; // FNV-1a
    private ulong _second = 0x9E37_79B9_7F4A_7C15;

    public (ulong, ulong) Value => (_first, _second);

    public ImmutableArray<string> Mentions => [.. _mentions];

    public DeclarationSum Copy()
    {
        var copy = new DeclarationSum { _first = _first, _second = _second };
        copy._mentions.UnionWith(_mentions);
        return copy;
    }

    public DeclaredItem ToItem(ImmutableArray<string> names, bool isReserved) => new(names, Mentions, Value, isReserved);

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
        AddNames(token, _mentions);
        foreach (char one in token.Text) AddOne(one);
        AddOne('\0');
    }

    /// <summary>Adds the names that a token mentions: also those in a text, which may be one of a type.</summary>
    public static void AddNames(SyntaxToken token, HashSet<string> names)
    {
        if (token.IsKind(SyntaxKind.IdentifierToken)) names.Add(token.ValueText);
        else if (token.IsKind(SyntaxKind.StringLiteralToken)) names.UnionWith(token.ValueText.Split('.', '+', ',', ' '));
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
