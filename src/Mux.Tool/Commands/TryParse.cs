namespace Mux.Tool.Commands;

/// <summary>Parses the text of an option.</summary>
/// <returns>True if the text is valid.</returns>
internal delegate bool TryParse<T>(string text, out T value);
