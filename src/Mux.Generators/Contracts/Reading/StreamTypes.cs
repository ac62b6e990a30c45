using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Recognizes the types with which a contract declares streams.</summary>
internal static class StreamTypes
{
    /// <summary>Gets the form of a stream; null if the type is not a stream.</summary>
    public static StreamForm? FormOf(ITypeSymbol? type) => type switch
    {
        INamedTypeSymbol { Name: "IAsyncEnumerable" } named when named.HasFullName(WellKnownNames.AsyncEnumerable) => StreamForm.Items,
        INamedTypeSymbol { Name: "ChannelReader" } named when named.HasFullName(WellKnownNames.ChannelReader) => StreamForm.Channel,
        INamedTypeSymbol { Name: "Stream" } named when named.HasFullName(WellKnownNames.Stream) => StreamForm.Bytes,
        INamedTypeSymbol { Name: "PipeReader" } named when named.HasFullName(WellKnownNames.PipeReader) => StreamForm.Pipe,
        _ => null,
    };

    /// <summary>Gets the item type of a stream; null for bytes.</summary>
    public static ITypeSymbol? ItemOf(ITypeSymbol stream) => ((INamedTypeSymbol)stream).TypeArguments.FirstOrDefault();
}
