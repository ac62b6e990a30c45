using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds the level at which dates, spans, Guid and decimal are written: that of the member, else of its type, else of the module, else of the assembly.
/// </summary>
internal sealed class CompatibilityLevelReader(Findings findings)
{
    // It is asked for every member, and goes through the attributes of base classes, module and assembly.
    private readonly Dictionary<INamedTypeSymbol, CompatibilityLevel?> _declared = new(SymbolEqualityComparer.Default);

    /// <summary>The level of a member: its own attribute, which it inherits from the property that it overrides, else that of its type.</summary>
    /// <param name="member">A property or field.</param>
    /// <param name="type">The message that it is read for.</param>
    public CompatibilityLevel Of(ISymbol member, INamedTypeSymbol type)
    {
        var attribute = member.FindAttribute(WellKnownNames.CompatibilityLevel);
        for (var overridden = (member as IPropertySymbol)?.OverriddenProperty; attribute is null
            && overridden is not null; overridden = overridden.OverriddenProperty)
            attribute = overridden.FindAttribute(WellKnownNames.CompatibilityLevel);
        return LevelOf(attribute, member) ?? Of(type);
    }

    /// <summary>The level of a message or contract: its own attribute, which a class inherits from its base, else that of where it is declared.</summary>
    public CompatibilityLevel Of(INamedTypeSymbol type) => Declared(type) ?? CompatibilityLevel.Level200;

    /// <summary>The same; null if nothing declares one.</summary>
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

    // An attribute that specifies nothing stops the search among base classes, as protobuf-net has it, and not that around the type.
    private CompatibilityLevel? LevelOf(AttributeData? attribute, ISymbol symbol)
    {
        var level = (CompatibilityLevel)(attribute?.Number("level") ?? 0);
        if (level == CompatibilityLevel.NotSpecified) return null;
        if (level is not (CompatibilityLevel.Level200 or CompatibilityLevel.Level240 or CompatibilityLevel.Level300))
            findings.Report(MuxDiagnostics.CompatibilityLevel, symbol, symbol.ToDisplay(), ((int)level).ToString(CultureInfo.InvariantCulture));
        return level;
    }
}
