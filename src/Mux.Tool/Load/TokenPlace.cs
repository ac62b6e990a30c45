namespace Mux.Tool.Load;

/// <summary>Place of a token among the tokens of a run.</summary>
/// <param name="Index">Index, from 0.</param>
/// <param name="Count">Number of tokens.</param>
internal readonly record struct TokenPlace(int Index, int Count);
