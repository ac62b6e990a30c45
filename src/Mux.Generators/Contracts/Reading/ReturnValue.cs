using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>What a method returns.</summary>
/// <param name="Form">What stands around the result.</param>
/// <param name="Result">The type of the result as it is declared; null for none.</param>
internal sealed record ReturnValue(ReturnForm Form, ITypeSymbol? Result)
{
    /// <summary>How the response stream is declared; null if there is none.</summary>
    public StreamForm? Stream => StreamTypes.FormOf(Result);

    /// <summary>Whether failures are values.</summary>
    public bool IsResult => IsResultType(Result);

    /// <summary>Whether a Result stands where a stream makes it impossible: inside one or around one.</summary>
    public bool HoldsResultOfStream => Stream is not null
        ? IsResultType(StreamTypes.ItemOf(Result!))
        : IsResult && StreamTypes.FormOf(((INamedTypeSymbol)Result!).TypeArguments[0]) is not null;

    private static bool IsResultType(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeArguments.Length: 1 } named && named.ToFullName() == WellKnownNames.MuxResult;
}
