using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds conditions for writing a member by name, also in base classes, as protobuf-net does.</summary>
internal sealed class ConditionReader(Compilation compilation, Findings findings)
{
    private const string Suffix = "Specified";
    private const string Prefix = "ShouldSerialize";

    // Cached for the last type, because the members of a type are read in a row.
    private INamedTypeSymbol? _type;
    private bool _hasConditions;

    /// <summary>Reads the condition of a member. Null if the value decides, or the condition is not usable; the reason is then in the findings.</summary>
    public ConditionModel? Read(ISymbol member, INamedTypeSymbol type)
    {
        if (!HasConditions(type)) return null;
        if (Find(type, member.Name + Suffix, static symbol => symbol is IPropertySymbol { GetMethod: not null, IsIndexer: false }) is IPropertySymbol property)
            return Read(property, member, type);
        return Find(type, Prefix + member.Name, IsCondition) is IMethodSymbol method ? Read(method, member, type) : null;
    }

    // Hardly any type has a condition, and every member would be searched under two names in all base classes.
    private bool HasConditions(INamedTypeSymbol type)
    {
        if (ReferenceEquals(_type, type)) return _hasConditions;
        (_type, _hasConditions) = (type, false);
        for (var declaring = type; declaring is not null && !_hasConditions; declaring = declaring.OwnBase())
            _hasConditions = declaring.MemberNames.Any(
                static name => name.EndsWith(Suffix, StringComparison.Ordinal) || name.StartsWith(Prefix, StringComparison.Ordinal));
        return _hasConditions;
    }

    private static bool IsCondition(ISymbol symbol) =>
        symbol is IMethodSymbol { Parameters.IsEmpty: true, IsGenericMethod: false, ReturnType.SpecialType: SpecialType.System_Boolean };

    // Private members of a base class are not inherited.
    private static ISymbol? Find(INamedTypeSymbol type, string name, Func<ISymbol, bool> isMeant)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.OwnBase())
        {
            bool isBase = !SymbolEqualityComparer.Default.Equals(declaring, type);
            var found = declaring.GetMembers(name)
                .FirstOrDefault(symbol => !symbol.IsStatic && isMeant(symbol) && !(isBase && symbol.DeclaredAccessibility == Accessibility.Private));
            if (found is not null) return found;
        }

        return null;
    }

    private ConditionModel? Read(IPropertySymbol property, ISymbol member, INamedTypeSymbol type)
    {
        if (property.Type.SpecialType != SpecialType.System_Boolean) return Refuse(property, member, "is not a bool");
        bool needsAccessor = !compilation.IsReachable(property.GetMethod!);
        bool setNeedsAccessor = property.SetMethod is { } setter && (setter.IsInitOnly || !compilation.IsReachable(setter));
        if (!CanAccess(property, member, type, needsAccessor || setNeedsAccessor)) return null;
        return new ConditionModel(
            property.Name, OwnerOf(property, type), IsMethod: false, needsAccessor, property.SetMethod is not null, setNeedsAccessor);
    }

    private ConditionModel? Read(IMethodSymbol method, ISymbol member, INamedTypeSymbol type)
    {
        bool needsAccessor = !compilation.IsReachable(method);
        if (!CanAccess(method, member, type, needsAccessor)) return null;
        return new ConditionModel(method.Name, OwnerOf(method, type), IsMethod: true, needsAccessor, IsSet: false, SetNeedsAccessor: false);
    }

    private static bool IsOwn(ISymbol condition, INamedTypeSymbol type) => SymbolEqualityComparer.Default.Equals(condition.ContainingType, type);

    private static string OwnerOf(ISymbol condition, INamedTypeSymbol type) =>
        (IsOwn(condition, type) ? type.OriginalDefinition : condition.ContainingType).ToBareCode();

    private bool CanAccess(ISymbol condition, ISymbol member, INamedTypeSymbol type, bool needsAccessor)
    {
        if (!needsAccessor) return true;
        bool isHere = SymbolEqualityComparer.Default.Equals(condition.ContainingAssembly, compilation.Assembly);
        var problem = !isHere ? "cannot be reached in its assembly"
            : condition.ContainingType.IsGenericType
                && !IsOwn(condition, type) ? "must be public or internal, because it is in a generic base class" : null;
        if (problem is null) return true;
        Refuse(condition, member, problem);
        return false;
    }

    private ConditionModel? Refuse(ISymbol condition, ISymbol member, string problem)
    {
        findings.Report(MuxDiagnostics.Conditional, condition, condition.ToDisplay(), member.Name, problem);
        return null;
    }
}
