using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Reading;

/// <summary>The parameters of a method.</summary>
/// <param name="All">In declaration order.</param>
/// <param name="Arguments">Parameters sent with the request.</param>
/// <param name="Stream">The request stream; null if there is none.</param>
/// <param name="Callbacks">Objects that the handler calls back.</param>
internal sealed record Signature(
    EquatableArray<ParameterModel> All, IParameterSymbol[] Arguments, IParameterSymbol? Stream, IParameterSymbol[] Callbacks);
