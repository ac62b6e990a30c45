using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Members of one message with an omitted value, and their values before anything is read. Thread-safe.</summary>
internal sealed class PresetMembers
{
    private readonly Dictionary<ISymbol, PresetValue> _omitted = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<ISymbol, PresetValue> _initializers = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<ISymbol, PresetValue> _assignments = new(SymbolEqualityComparer.Default);
    private readonly bool _runsInitializers;
    private readonly bool _runsConstructor;

    public PresetMembers(INamedTypeSymbol type, MessageContract contract, Compilation compilation)
    {
        _runsInitializers = !type.IsValueType && !contract.SkipConstructor;
        _runsConstructor = _runsInitializers && type.InstanceConstructors.Any(static constructor => constructor.Parameters.IsEmpty);

        // Constructor parameters are passed explicitly, as zero if they were not received.
        var taken = _runsConstructor ? [] : type.InstanceConstructors.SelectMany(static constructor => constructor.Parameters)
            .Select(static parameter => parameter.Name);
        var passed = new HashSet<string>(_runsInitializers ? taken : [], StringComparer.OrdinalIgnoreCase);

        var findings = new Findings(compilation.Assembly);
        var reader = new MemberReader(compilation, findings, new ValueReader(compilation, findings, static _ => { }, sizes: null));
        foreach (var field in new FieldNumbering(compilation, findings).Read(type, contract))
        {
            var symbol = field.Symbol;
            // the value of a computed property before reading is unknown
            bool isComputed = symbol is IPropertySymbol property && property.BackingField() is null;
            if (isComputed || passed.Contains(symbol.Name) || reader.Read(field, type) is not { Default: not null, IsRepeated: false } member) continue;
            var attribute = symbol.FindAttribute(WellKnownNames.DefaultValue);
            if (attribute is null) _omitted.Add(symbol, PresetValue.Zero(member.Value));
            else if (attribute.ConstructorArguments.Length == 1)
                _omitted.Add(symbol, PresetValue.Of(attribute.ConstructorArguments[0].Value, member.Value, member.Default!));
        }
    }

    public bool IsEmpty => _omitted.Count == 0;

    public void AddInitializer(ISymbol member, IOperation value)
    {
        if (_runsInitializers && _omitted.TryGetValue(member, out var omitted)) _initializers[member] = PresetValue.Of(value, omitted);
    }

    public void AddAssignment(ISymbol member, IOperation value)
    {
        if (_runsConstructor && _omitted.TryGetValue(member, out var omitted)) _assignments[member] = PresetValue.Of(value, omitted);
    }

    /// <summary>Finds the members whose preset value differs from the omitted one.</summary>
    public IEnumerable<(ISymbol Member, PresetValue Omitted, PresetValue Preset)> Find()
    {
        foreach (var (member, omitted) in _omitted.Select(static entry => (entry.Key, entry.Value)))
        {
            if (!_assignments.TryGetValue(member, out var preset) && !_initializers.TryGetValue(member, out preset)) preset = PresetValue.Zero(omitted.Kind);
            if (omitted.Key is not null && preset.Key != omitted.Key) yield return (member, omitted, preset);
        }
    }
}
