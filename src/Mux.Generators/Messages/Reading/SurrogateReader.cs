using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reads types that are written as another type, their surrogate, and finds the conversions between the two.</summary>
internal sealed class SurrogateReader(Compilation compilation, Findings findings, ValueReader values)
{
    /// <summary>Gets the surrogate that an attribute names; null if it names none, or the type itself.</summary>
    public static INamedTypeSymbol? TypeOf(INamedTypeSymbol type, AttributeData? contract)
    {
        if (contract?.Argument("Surrogate") is not INamedTypeSymbol surrogate || SymbolEqualityComparer.Default.Equals(surrogate, type)) return null;
        bool isClosed = surrogate.IsUnboundGenericType && surrogate.Arity == type.Arity;
        return isClosed ? surrogate.OriginalDefinition.Construct([.. type.TypeArguments]) : surrogate;
    }

    /// <summary>Gets the reason why a type cannot be the surrogate of another; null if it can.</summary>
    public static string? ProblemOf(INamedTypeSymbol type, INamedTypeSymbol surrogate)
    {
        if (IsCircular(type)) return "the surrogates form a circle";
        if (surrogate.IsUnboundGenericType) return "its type parameters differ from those of the message";
        if (surrogate.SpecialType != SpecialType.System_String && UnsupportedTypes.IsEnumerable(surrogate)) return "a list cannot be a surrogate";
        bool isInChain = HierarchyReader.BaseOf(type) is not null || type.HasAttribute(WellKnownNames.ProtoInclude);
        if (isInChain) return "a message with a base or derived messages is written as it is";
        return HierarchyReader.BaseOf(surrogate) is not null ? "it has a base message" : null;
    }

    /// <summary>Reads the message. Null if the surrogate is not usable; the reason is then in the findings.</summary>
    public MessageModel? Read(INamedTypeSymbol type, INamedTypeSymbol surrogate)
    {
        var problem = ProblemOf(type, surrogate);
        var value = problem is null ? values.Read(type, surrogate, values.SurrogateOptions(type)) : null;
        if (value is { Container: not Container.Single } or { Value: BytesModel }) problem = "a list cannot be a surrogate";
        if (problem is not null) findings.Report(MuxDiagnostics.Surrogate, type, type.ToDisplay(), surrogate.ToDisplay(), problem);
        if (problem is not null || value is null) return null;

        var to = FindConversion(type, surrogate, type, surrogate);
        var from = to is null ? null : FindConversion(type, surrogate, surrogate, type);
        if (to is null || from is null) return null;
        return new MessageModel(
            type.ToIdentity(), type.ToDisplay(), new MessageKey(type).Codec, type.IsValueType, ChecksType: false, Construction.Default,
            EquatableArray<int>.Empty, ConstructorNeedsAccessor: false, EquatableArray<MemberModel>.Empty)
        {
            Surrogate = new SurrogateModel(value.TypeName, (value.Value as NestedModel)?.Codec, surrogate.IsValueType, to, from),
        };
    }

    private static bool IsCircular(INamedTypeSymbol type)
    {
        var met = new HashSet<INamedTypeSymbol>(SymbolEqualityComparer.Default);
        for (var next = type; next is not null; next = MessageContract.Of(next)?.Surrogate)
        {
            if (!met.Add(next)) return true;
        }

        return false;
    }

    // In the order of protobuf-net: the surrogate before the message, marked methods before operators.
    private ConversionModel? FindConversion(INamedTypeSymbol type, INamedTypeSymbol surrogate, INamedTypeSymbol from, INamedTypeSymbol to)
    {
        var methods = new[] { surrogate, type }.SelectMany(owner => ConversionsOf(owner, from, to)).ToList();
        if (methods.Count > 0) return ToModel(methods[0], methods);
        findings.Report(
            MuxDiagnostics.Surrogate, type, type.ToDisplay(), surrogate.ToDisplay(),
            $"there is no conversion operator from '{from.ToDisplay()}' to '{to.ToDisplay()}' in either, and no static method with [ProtoConverter] that " +
                "can be seen from this assembly");
        return null;
    }

    private static IEnumerable<IMethodSymbol> ConversionsOf(INamedTypeSymbol owner, INamedTypeSymbol from, INamedTypeSymbol to)
    {
        var (source, target) = (from.ToIdentity(), to.ToIdentity());
        var methods = owner.GetMembers().OfType<IMethodSymbol>()
            .Where(method => method is { IsStatic: true, IsGenericMethod: false, Parameters.Length: 1 } && method.Parameters[0].RefKind == RefKind.None
                && method.ReturnType.ToIdentity() == target && method.Parameters[0].Type.ToIdentity() == source)
            .ToList();
        var converters = methods.Where(static method => method.HasAttribute(WellKnownNames.ProtoConverter));
        return converters.Concat(methods.Where(IsOperator));
    }

    private static bool IsOperator(IMethodSymbol method) => method.MethodKind == MethodKind.Conversion;

    private ConversionModel? ToModel(IMethodSymbol method, List<IMethodSymbol> all)
    {
        var owner = method.ContainingType;
        bool isReachable = compilation.IsReachable(method);
        if (IsOperator(method) && isReachable && all.Count(IsOperator) == 1) return new ConversionModel(owner.ToIdentity(), Method: null, NeedsAccessor: false);

        bool needsAccessor = IsOperator(method) || !isReachable; // two operators make a cast ambiguous, and neither can be called by its name
        if (!needsAccessor || !owner.IsGenericType) return new ConversionModel(owner.ToIdentity(), method.Name, needsAccessor);
        findings.Report(
            MuxDiagnostics.Surrogate, owner, all[0].Parameters[0].Type.ToDisplay(), method.ReturnType.ToDisplay(),
                $"'{method.ToDisplay()}' must be public and the only one, because its class is generic");
        return null;
    }
}
