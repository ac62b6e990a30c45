using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// What decides, apart from a file itself, what the names and constants in it mean: the references, what is chosen for the
/// whole project, and what all files declare for others. Equal for two compilations of which one has an edit inside
/// members, so that what was read of the other files is still right.
/// </summary>
internal sealed class NameMeaning : IEquatable<NameMeaning>
{
    private static readonly ConditionalWeakTable<Compilation, NameMeaning> s_known = new();
    private static readonly ConditionalWeakTable<SyntaxTree, FileDeclarations> s_declarations = new();

    private readonly string? _assembly;
    private readonly (NullableContextOptions, MetadataImportOptions, bool) _options;
    private readonly ImmutableArray<MetadataReference> _references;
    private readonly (ulong, ulong) _declarations;

    private NameMeaning(Compilation compilation, CancellationToken cancellationToken)
    {
        var options = compilation.Options;
        _assembly = compilation.AssemblyName;
        _options = (options.NullableContextOptions, options.MetadataImportOptions, options is CSharpCompilationOptions { AllowUnsafe: true });
        _references = compilation.ExternalReferences;
        foreach (var tree in compilation.SyntaxTrees)
        {
            if (!s_declarations.TryGetValue(tree, out var found))
            {
                found = new FileDeclarations(tree, cancellationToken);
                found = s_declarations.GetValue(tree, _ => found);
            }

            // Their order decides at most the order of parts of one type, whose files are compared themselves.
            _declarations = unchecked((_declarations.Item1 + found.Sum.First, _declarations.Item2 + found.Sum.Second));
        }
    }

    public static NameMeaning Of(Compilation compilation, CancellationToken cancellationToken)
    {
        if (s_known.TryGetValue(compilation, out var known)) return known;
        var made = new NameMeaning(compilation, cancellationToken);
        return s_known.GetValue(compilation, _ => made);
    }

    public bool Equals(NameMeaning? other) => ReferenceEquals(this, other)
        || (other is not null && _declarations == other._declarations && _options == other._options
            && string.Equals(_assembly, other._assembly, StringComparison.Ordinal)
            && (_references == other._references || _references.SequenceEqual(other._references)));

    public override bool Equals(object? obj) => Equals(obj as NameMeaning);

    public override int GetHashCode() => _declarations.GetHashCode();
}

/// <summary>
/// What one file declares for others, as two numbers: namespaces, headers of types with the usings that give them a meaning,
/// constants, enums, structs (whose fields are part of the size of what holds them), and attributes of the assembly. Bodies,
/// comments and other members are left out: they matter only to what reads the file itself.
/// </summary>
internal sealed class FileDeclarations
{
    private ulong _first = 14_695_981_039_346_656_037; // FNV-1a
    private ulong _second = 0x9E37_79B9_7F4A_7C15;

    public FileDeclarations(SyntaxTree tree, CancellationToken cancellationToken)
    {
        if (tree.GetRoot(cancellationToken) is not CompilationUnitSyntax unit) return;
        AddAll(unit.AttributeLists);
        AddAll(unit.Externs);
        AddAll(unit.Usings);
        AddMembers(unit.Members);
        Sum = (_first, _second);
    }

    public (ulong First, ulong Second) Sum { get; }

    private void AddMembers(SyntaxList<MemberDeclarationSyntax> members)
    {
        foreach (var member in members) AddMember(member);
        Add("}");
    }

    private void AddMember(MemberDeclarationSyntax member)
    {
        switch (member)
        {
            case BaseNamespaceDeclarationSyntax space:
                Add(space.Name);
                AddAll(space.Usings);
                AddMembers(space.Members);
                break;
            case EnumDeclarationSyntax or DelegateDeclarationSyntax or StructDeclarationSyntax:
            case RecordDeclarationSyntax { RawKind: (int)SyntaxKind.RecordStructDeclaration }:
            case FieldDeclarationSyntax field when field.Modifiers.Any(SyntaxKind.ConstKeyword):
                Add(member);
                break;
            case TypeDeclarationSyntax type:
                AddAll(type.AttributeLists);
                foreach (var modifier in type.Modifiers) Add(modifier.Text);
                Add(type.Keyword.Text);
                Add(type.Identifier.Text);
                Add(type.TypeParameterList);
                Add(type.ParameterList);
                Add(type.BaseList);
                AddAll(type.ConstraintClauses);
                AddMembers(type.Members);
                break;
        }
    }

    private void AddAll(IEnumerable<SyntaxNode> nodes)
    {
        foreach (var node in nodes) Add(node);
    }

    private void Add(SyntaxNode? node)
    {
        foreach (var token in node?.DescendantTokens() ?? []) Add(token.Text);
    }

    private void Add(string text)
    {
        foreach (char one in text) AddOne(one);
        AddOne('\0');
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
