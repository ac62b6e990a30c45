namespace Mux.Tool.Contracts;

/// <summary>What a command prints.</summary>
/// <param name="Lines">For people.</param>
/// <param name="Json">For programs.</param>
internal sealed record ShownText(IReadOnlyList<string> Lines, byte[] Json);
