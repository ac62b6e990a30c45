using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds the level at which dates, spans, Guid and decimal are written: the level of the member, its type, the module or the assembly, in this order. A place
/// has a level by Mux's attribute or by that of protobuf-net.
/// </summary>
internal sealed class CompatibilityLevelReader(Findings findings)
{
    private const string Suffix = "CompatibilityLevelAttribute";
    private const string Own = "level";
    public const string SingleValues = "SingleValues";

    // Cached: the level is needed for every member, and the search visits base classes, module and assembly.
    private readonly Dictionary<INamedTypeSymbol, CompatibilityLevel?> _declared = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<INamedTypeSymbol, CompatibilityLevel?> _single = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the level of a member: its own attribute (inherited from an overridden property), or the level of its type.</summary>
    /// <param name="member">A property or field.</param>
    /// <param name="type">The message that contains it.</param>
    public CompatibilityLevel Of(ISymbol member, INamedTypeSymbol type) => DeclaredAt(member) ?? Of(type);

    /// <summary>
    /// Gets the level of a message or contract: its own attribute (inherited from a base class), or the level of the place where it is declared.
    /// </summary>
    public CompatibilityLevel Of(INamedTypeSymbol type) => Declared(type) ?? CompatibilityLevel.Level200;

    /// <summary>Gets the level that a member itself declares, or the property that it overrides; null if there is none.</summary>
    public CompatibilityLevel? DeclaredAt(ISymbol member)
    {
        var level = LevelAt(member, member, Own);
        var overridden = (member as IPropertySymbol)?.OverriddenProperty;
        for (; level is null && overridden is not null; overridden = overridden.OverriddenProperty)
            level = LevelAt(overridden, member, Own);
        return Specified(level);
    }

    /// <summary>Gets the declared level of a message or contract; null if there is none.</summary>
    public CompatibilityLevel? Declared(INamedTypeSymbol type)
    {
        if (!_declared.TryGetValue(type, out var level)) _declared.Add(type, level = Find(type, Own));
        return level;
    }

    /// <summary>
    /// Gets the level of values that methods of a contract send alone: the one declared for them, or the level of the
    /// contract.
    /// </summary>
    public CompatibilityLevel OfSingleValues(INamedTypeSymbol contract) =>
        DeclaredForSingleValues(contract) ?? CompatibilityLevel.Level200;

    /// <summary>
    /// Gets the declared level of values that methods of a contract send alone; null if there is none.
    /// </summary>
    public CompatibilityLevel? DeclaredForSingleValues(INamedTypeSymbol contract)
    {
        if (!_single.TryGetValue(contract, out var level))
            _single.Add(contract, level = Find(contract, SingleValues) ?? Declared(contract));
        return level;
    }

    private CompatibilityLevel? Find(INamedTypeSymbol type, string argument)
    {
        CompatibilityLevel? level = null;
        for (var declaring = type; level is null && declaring is not null; declaring = declaring.BaseType)
            level = LevelAt(declaring, type, argument);
        return Specified(level) ?? Specified(LevelAt(type.ContainingModule, type, argument))
            ?? Specified(LevelAt(type.ContainingAssembly, type, argument));
    }

    // An attribute without a level stops the search among base classes, as in protobuf-net, but not the search in the types around.
    private static CompatibilityLevel? Specified(CompatibilityLevel? level) => level == CompatibilityLevel.NotSpecified ? null : level;

    // Null without an attribute. Reads the attributes once, and their names first: every member is asked, and hardly any has a level.
    private CompatibilityLevel? LevelAt(ISymbol? place, ISymbol told, string argument)
    {
        CompatibilityLevel? found = null;
        foreach (var attribute in place?.GetAttributes() ?? [])
        {
            if (attribute.AttributeClass is not { } kind || !kind.Name.EndsWith(Suffix, StringComparison.Ordinal)) continue;
            if (!kind.HasFullName(WellKnownNames.CompatibilityLevel) && !kind.HasFullName(WellKnownNames.MuxCompatibilityLevel)) continue;
            var level = LevelOf(attribute, told, argument);
            if (found is { } other && Specified(other) is not null && Specified(level) is not null && other != level) TellContradiction(told, other, level);
            if (Specified(found) is null) found = level;
        }

        return found;
    }

    private CompatibilityLevel LevelOf(AttributeData attribute, ISymbol told, string argument)
    {
        var level = (CompatibilityLevel)(attribute.Number(argument) ?? 0);
        bool isKnown = level is CompatibilityLevel.NotSpecified or CompatibilityLevel.Level200 or CompatibilityLevel.Level240 or CompatibilityLevel.Level300;
        if (!isKnown) findings.Report(MuxDiagnostics.CompatibilityLevel, told, told.ToDisplay(), $"{TextOf(level)}; levels are 200, 240 and 300");
        return level;
    }

    private void TellContradiction(ISymbol told, CompatibilityLevel one, CompatibilityLevel other)
    {
        var levels = $"{TextOf(one)} by one attribute and {TextOf(other)} by another; Mux's and protobuf-net's mean the same, so remove one of the two";
        findings.Report(MuxDiagnostics.CompatibilityLevel, told, told.ToDisplay(), levels);
    }

    private static string TextOf(CompatibilityLevel level) => ((int)level).ToString(CultureInfo.InvariantCulture);
}
