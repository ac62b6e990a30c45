using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Finds the serializers that the methods of one contract name: a method's choice, or its service's.</summary>
internal sealed class SerializerReader(INamedTypeSymbol contract, AttributeData service, Compilation compilation, Findings findings)
{
    /// <summary>Name of the option, of methods and of services.</summary>
    public const string Option = "Serializer";

    private const string DoesNotImplement = $"does not implement {WellKnownNames.PayloadSerializer}; name a type that does";

    /// <param name="method">The method, or the contract itself.</param>
    /// <param name="own">Its attribute; null if it has none.</param>
    /// <param name="serializer">Null for the generated codec.</param>
    /// <returns>False if the named type is not a serializer; the reason is then in the findings.</returns>
    public bool TryRead(ISymbol method, AttributeData? own, out Serializer? serializer)
    {
        serializer = null;
        var (owner, value) = own?.Argument(Option) is { } chosen ? (method, chosen) : (contract, service.Argument(Option));
        if (value is not ITypeSymbol type) return true;
        if (type is not INamedTypeSymbol named) return Refuse(owner, type, DoesNotImplement);
        if (named.TypeKind == TypeKind.Error) return false; // the compiler reports it
        if (named.ToFullName() == WellKnownNames.GeneratedCodec) return true;
        if (ProblemOf(named) is { } problem) return Refuse(owner, type, problem);

        var format = named.FindAttribute(WellKnownNames.PayloadFormat);
        var name = format?.Argument("name") as string;
        if (format is null) return Refuse(owner, type, "has no [PayloadFormat]; add it to name the format of its bytes");
        if (name is null || !WireName.IsValid(name))
        {
            return Refuse(owner, type, "has a [PayloadFormat] whose name is not 1 to 127 characters of letters, digits, '.', '_' and '-'");
        }

        serializer = new Serializer(named, name, TypesOf(format));
        return true;
    }

    private static ImmutableArray<ITypeSymbol> TypesOf(AttributeData format) =>
        format.Argument("types") is ImmutableArray<TypedConstant> { IsDefault: false } types
            ? [.. types.Select(static type => type.Value).OfType<ITypeSymbol>()] : [];

    private string? ProblemOf(INamedTypeSymbol type)
    {
        if (type.IsUnboundGenericType) return "is an open generic type; give it its type arguments";
        if (!type.AllInterfaces.Append(type).Any(static candidate => candidate.ToFullName() == WellKnownNames.PayloadSerializer)) return DoesNotImplement;
        if (type.TypeKind == TypeKind.Interface) return "is an interface; name a class or struct that implements it";
        return compilation.IsReachable(type) ? null : "generated code cannot reach; make it and the types around it public or internal";
    }

    private bool Refuse(ISymbol owner, ITypeSymbol type, string problem)
    {
        findings.Report(MuxDiagnostics.NoSerializer, owner, owner.ToDisplay(), type.ToDisplay(), problem);
        return false;
    }
}
