using Microsoft.Extensions.Logging;

namespace Mux.TestSupport.EndToEnd;

/// <summary>One thing that was logged.</summary>
public sealed record LogEntry(string Category, LogLevel Level, int Id, string? Name, string Text, Exception? Error);
