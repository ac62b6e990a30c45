using Microsoft.Extensions.Logging;

namespace Mux.TestSupport.EndToEnd;

/// <summary>One thing that was logged.</summary>
public sealed record LogEntry(string Category, LogLevel Level, int Id, string? Name, string Text, Exception? Error)
{
    /// <summary>The values in the text, as loggers with structured logs get them: name and value.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Fields { get; init; } = [];

    /// <summary>Gets one of the values as text; null if there is none of that name.</summary>
    public string? Field(string name) => Fields.FirstOrDefault(field => field.Key == name).Value?.ToString();
}
