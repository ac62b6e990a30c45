using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Members of one message with an omitted value, and their values before anything is read.</summary>
internal sealed class PresetMembers
{
    private readonly INamedTypeSymbol _type;
    private readonly MessageContract _contract;
    private readonly Compilation _compilation;
    private readonly Findings _findings;
    private readonly MemberReader _reader;

    public PresetMembers(INamedTypeSymbol type, MessageContract contract, Compilation compilation)
    {
        _type = type;
        _contract = contract;
        _compilation = compilation;
        _findings = new Findings(compilation.Assembly);
        var values = new ValueReader(compilation, _findings, static (_, _) => { }, sizes: null);
        _reader = new MemberReader(compilation, _findings, values);
    }

    /// <summary>Finds the members whose preset value differs from the omitted one.</summary>
    /// <param name="cancellationToken">Cancels the work.</param>
    public IEnumerable<(ISymbol Member, PresetValue Omitted, PresetValue Preset)> Find(
        CancellationToken cancellationToken)
    {
        if (!MaySet()) return [];
        var own = OmittedOf(_type, _contract).ToList();
        var inherited = new List<(ISymbol Member, PresetValue Omitted)>();
        for (var parent = HierarchyReader.BaseOf(_type); parent is not null; parent = HierarchyReader.BaseOf(parent))
            inherited.AddRange(OmittedOf(parent, MessageContract.Of(parent)!));
        if (own.Count == 0 && inherited.Count == 0) return [];

        var run = new PresetRun(_type, _compilation, cancellationToken);
        var passed = Create(run);
        var found = own.Where(entry => !passed.Contains(entry.Member.Name))
            .SelectMany(entry => Compare(run, entry.Member, entry.Omitted));

        // What a base class does by itself is told there.
        return found.Concat(inherited.SelectMany(entry => Compare(run, entry.Member, entry.Omitted))
            .Where(difference => IsWrittenHere(difference.Preset)));
    }

    // False if nothing that runs sets a value, and no attribute names another than zero: most messages. Their members
    // need not be read, nor their initializers bound.
    private bool MaySet()
    {
        if (_type.GetMembers().Any(static member => member is IMethodSymbol { MethodKind: MethodKind.Ordinary } method
            && CallbackReader.IsBeforeReading(method)))
            return true;
        for (var declaring = _type; declaring is not null; declaring = declaring.BaseType)
        {
            if (PassesArguments(declaring) || declaring.GetMembers().Any(MaySet)) return true;
        }

        return false;
    }

    // Objects that a member refers to are omitted only for an attribute.
    private static bool MaySet(ISymbol member) => member switch
    {
        { IsStatic: true } or { IsImplicitlyDeclared: true } => false,
        IMethodSymbol method => method.MethodKind == MethodKind.Constructor
            && PresetRun.SyntaxOf(method) is ConstructorDeclarationSyntax,
        IPropertySymbol property => MaySet(property, property.Type),
        IFieldSymbol field => MaySet(field, field.Type),
        _ => false,
    };

    private static bool MaySet(ISymbol member, ITypeSymbol type) =>
        (!type.IsReferenceType && PresetRun.InitializerOf(member) is not null) || member.HasAttribute(WellKnownNames.DefaultValue);

    private static bool PassesArguments(INamedTypeSymbol type) => type.DeclaringSyntaxReferences.Any(static declaration =>
        declaration.GetSyntax() is TypeDeclarationSyntax { BaseList.Types: { Count: > 0 } bases }
            && bases[0] is PrimaryConstructorBaseTypeSyntax);

    private static IEnumerable<(ISymbol Member, PresetValue Omitted, PresetValue Preset)> Compare(
        PresetRun run, ISymbol member, PresetValue omitted)
    {
        if (omitted.Key is null || run.StorageOf(member) is not { } storage) yield break;
        var preset = !run.TryGet(storage, out var value) ? PresetValue.Zero(omitted.Kind)
            : value is null ? omitted : PresetValue.Of(value, omitted);
        if (preset.Key != omitted.Key) yield return (member, omitted, preset);
    }

    private IEnumerable<(ISymbol Member, PresetValue Omitted)> OmittedOf(
        INamedTypeSymbol type, MessageContract contract)
    {
        foreach (var field in new FieldNumbering(_compilation, _findings).Read(type, contract))
        {
            if (_reader.Read(field, type) is not { Default: not null, IsRepeated: false } member) continue;
            var attribute = field.Symbol.FindAttribute(WellKnownNames.DefaultValue);
            if (attribute is null) yield return (field.Symbol, PresetValue.Zero(member.Value));
            else if (attribute.ConstructorArguments.Length == 1)
                yield return (field.Symbol,
                    PresetValue.Of(attribute.ConstructorArguments[0].Value, member.Value, member.Default!));
        }
    }

    // Creates an object as a reader does. Returns the names of what a constructor gets: zero if it was not received.
    private HashSet<string> Create(PresetRun run)
    {
        var passed = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        if (!_type.IsValueType && !_contract.SkipConstructor)
        {
            var plain = _type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty);
            if (plain is not null) run.Construct(plain);
            else
            {
                passed.UnionWith(_type.InstanceConstructors.SelectMany(static constructor => constructor.Parameters)
                    .Select(static parameter => parameter.Name));
                if (TakingMembers() is { } taking) run.Construct(taking);
                else run.Initialize();
            }
        }

        var before = _type.GetMembers().OfType<IMethodSymbol>()
            .Where(static method => CallbackReader.IsBeforeReading(method));
        foreach (var method in before) run.Call(method);
        return passed;
    }

    // The constructor with the most parameters, all of which are members.
    private IMethodSymbol? TakingMembers()
    {
        var names = new HashSet<string>(
            _type.GetMembers().Where(static member => member is IPropertySymbol or IFieldSymbol)
                .Select(static member => member.Name),
            StringComparer.OrdinalIgnoreCase);
        return _type.InstanceConstructors
            .Where(constructor => constructor.Parameters.All(parameter => names.Contains(parameter.Name)))
            .OrderByDescending(static constructor => constructor.Parameters.Length).FirstOrDefault();
    }

    private bool IsWrittenHere(PresetValue preset) =>
        preset.Syntax is { } syntax && _type.DeclaringSyntaxReferences.Any(
        declaration => declaration.SyntaxTree == syntax.SyntaxTree && declaration.Span.Contains(syntax.Span));
}
