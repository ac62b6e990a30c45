using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads payloads of serializers that the contract names: any type that the serializer accepts, as declared.</summary>
internal sealed class SerializedPayloads(Compilation compilation, Findings findings)
{
    /// <summary>Reads a payload. Null if a value of this type cannot be sent; the reason is then in the findings.</summary>
    /// <param name="owner">The method or parameter with the value, or the symbol that declares the error.</param>
    /// <param name="type">Its type.</param>
    /// <param name="serializer">Serializer that sends it.</param>
    /// <param name="subject">Name of the owner in errors.</param>
    public SerializedModel? Read(ISymbol owner, ITypeSymbol type, Serializer serializer, string subject)
    {
        if (ProblemOf(type, serializer) is { } problem)
        {
            findings.Report(MuxDiagnostics.NotSerialized, owner, owner.ToDisplay(), type.ToDisplay(), problem);
            return null;
        }

        if (compilation.IsReachable(type)) return serializer.Send(type, subject);
        findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
        return null;
    }

    private string? ProblemOf(ITypeSymbol type, Serializer serializer)
    {
        if (type.IsRefLikeType) return "a ref struct cannot be stored: declare another type";
        if (type is IPointerTypeSymbol or IFunctionPointerTypeSymbol) return "a pointer has no meaning in another process: declare the type that it points to";
        if (IsDynamic(type)) return "dynamic names no type that could be read: declare object or a more specific type";
        if (serializer.Types.IsEmpty || serializer.Types.Any(taken => IsOfType(type, taken))) return null;
        return $"'{serializer.Type.ToDisplay()}' sends {string.Join(", ", serializer.Types.Select(static taken => taken.ToDisplay()))} and types that derive " +
            "from or implement them: declare one of these or name another serializer";
    }

    private static bool IsDynamic(ITypeSymbol type) => type switch
    {
        IDynamicTypeSymbol => true,
        IArrayTypeSymbol array => IsDynamic(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.Any(IsDynamic),
        _ => false,
    };

    // Conversions that change the value do not count as inheritance.
    private bool IsOfType(ITypeSymbol type, ITypeSymbol taken)
    {
        var conversion = compilation.ClassifyCommonConversion(type, taken);
        return conversion.Exists && conversion.IsImplicit && !conversion.IsUserDefined && !conversion.IsNumeric && !conversion.IsNullable;
    }
}
