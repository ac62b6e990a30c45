namespace Mux.Tool.Commands;

/// <summary>Reads a value from the text of an option.</summary>
/// <returns>Whether it is one.</returns>
internal delegate bool TryParse<T>(string text, out T value);
