namespace Mux.Tool.Load;

/// <summary>Which of the tokens of a run one is.</summary>
/// <param name="Index">From 0.</param>
/// <param name="Count">How many there are.</param>
internal readonly record struct TokenPlace(int Index, int Count);
