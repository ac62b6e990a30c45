using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Return type of a method.</summary>
/// <param name="Form">Type around the result.</param>
/// <param name="Result">Declared type of the result; null for none.</param>
internal sealed record ReturnValue(ReturnForm Form, ITypeSymbol? Result)
{
    /// <summary>Declared form of the response stream; null if there is none.</summary>
    public StreamForm? Stream => StreamTypes.FormOf(Result);

    /// <summary>True if failures are values.</summary>
    public bool IsResult => IsResultType(Result);

    /// <summary>True if a Result is inside or around a stream, which is not possible.</summary>
    public bool HoldsResultOfStream => Stream is not null
        ? IsResultType(StreamTypes.ItemOf(Result!))
        : IsResult && StreamTypes.FormOf(((INamedTypeSymbol)Result!).TypeArguments[0]) is not null;

    private static bool IsResultType(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeArguments.Length: 1 } named && named.ToFullName() == WellKnownNames.MuxResult;
}
