using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds the level at which dates, spans, Guid and decimal are written: the level of the member, its type, the module or the assembly, in this order.
/// </summary>
internal sealed class CompatibilityLevelReader(Findings findings)
{
    // Cached: the level is needed for every member, and the search visits base classes, module and assembly.
    private readonly Dictionary<INamedTypeSymbol, CompatibilityLevel?> _declared = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the level of a member: its own attribute (inherited from an overridden property), or the level of its type.</summary>
    /// <param name="member">A property or field.</param>
    /// <param name="type">The message that contains it.</param>
    public CompatibilityLevel Of(ISymbol member, INamedTypeSymbol type)
    {
        var attribute = member.FindAttribute(WellKnownNames.CompatibilityLevel);
        for (var overridden = (member as IPropertySymbol)?.OverriddenProperty; attribute is null
            && overridden is not null; overridden = overridden.OverriddenProperty)
            attribute = overridden.FindAttribute(WellKnownNames.CompatibilityLevel);
        return LevelOf(attribute, member) ?? Of(type);
    }

    /// <summary>
    /// Gets the level of a message or contract: its own attribute (inherited from a base class), or the level of the place where it is declared.
    /// </summary>
    public CompatibilityLevel Of(INamedTypeSymbol type) => Declared(type) ?? CompatibilityLevel.Level200;

    /// <summary>Gets the declared level; null if there is none.</summary>
    public CompatibilityLevel? Declared(INamedTypeSymbol type)
    {
        if (!_declared.TryGetValue(type, out var level)) _declared.Add(type, level = Find(type));
        return level;
    }

    private CompatibilityLevel? Find(INamedTypeSymbol type)
    {
        AttributeData? attribute = null;
        for (var declaring = type; attribute is null && declaring is not null; declaring = declaring.BaseType)
            attribute = declaring.FindAttribute(WellKnownNames.CompatibilityLevel);
        return LevelOf(attribute, type)
            ?? LevelOf(type.ContainingModule?.FindAttribute(WellKnownNames.CompatibilityLevel), type)
            ?? LevelOf(type.ContainingAssembly?.FindAttribute(WellKnownNames.CompatibilityLevel), type);
    }

    // An attribute without a level stops the search among base classes, as in protobuf-net, but not the search in the types around.
    private CompatibilityLevel? LevelOf(AttributeData? attribute, ISymbol symbol)
    {
        var level = (CompatibilityLevel)(attribute?.Number("level") ?? 0);
        if (level == CompatibilityLevel.NotSpecified) return null;
        if (level is not (CompatibilityLevel.Level200 or CompatibilityLevel.Level240 or CompatibilityLevel.Level300))
            findings.Report(MuxDiagnostics.CompatibilityLevel, symbol, symbol.ToDisplay(), ((int)level).ToString(CultureInfo.InvariantCulture));
        return level;
    }
}
