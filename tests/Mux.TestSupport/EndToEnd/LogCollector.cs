using Microsoft.Extensions.Logging;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Keeps everything that is logged, of all categories and levels.</summary>
public sealed class LogCollector : ILoggerFactory, ILoggerProvider
{
    private readonly Lock _gate = new();
    private readonly List<LogEntry> _entries = [];

    /// <summary>Entries below it are neither written nor kept.</summary>
    public LogLevel Lowest { get; init; } = LogLevel.Trace;

    /// <summary>True if the log of every call is kept, too. Not so by default: few tests are about it, and the others see calls that nobody watches.</summary>
    public bool KeepsCalls { get; set; }

    /// <summary>Whether each entry, after it was kept, ends in an exception.</summary>
    public bool Throws { get; set; }

    /// <summary>Runs on the thread that logs, after each entry was kept.</summary>
    public Action<LogEntry>? OnWritten { get; set; }

    public Counter Written { get; } = new("log entries");

    public IReadOnlyList<LogEntry> Entries
    {
        get
        {
            lock (_gate) return [.. _entries];
        }
    }

    /// <summary>The entries of one event.</summary>
    public IReadOnlyList<LogEntry> Of(string name) => [.. Entries.Where(entry => entry.Name == name)];

    /// <summary>Waits until an event was logged so many times.</summary>
    public async Task<IReadOnlyList<LogEntry>> ReachAsync(string name, int count = 1)
    {
        await Eventually.Holds(() => Of(name).Count >= count, () => $"{count} log entries {name}; there are {Of(name).Count}");
        return Of(name);
    }

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose()
    {
    }

    private sealed class Logger(LogCollector owner, string category) : ILogger
    {
        private readonly bool _isOfCalls = category.EndsWith(".Calls", StringComparison.Ordinal);

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= owner.Lowest && (owner.KeepsCalls || !_isOfCalls);

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            var entry = new LogEntry(category, logLevel, eventId.Id, eventId.Name, formatter(state, exception), exception)
            {
                Fields = state is IReadOnlyList<KeyValuePair<string, object?>> fields ? [.. fields] : [],
            };
            lock (owner._gate) owner._entries.Add(entry);
            owner.Written.Add();
            owner.OnWritten?.Invoke(entry);
            if (owner.Throws) throw new IOException("The disk of the logs is full.");
        }
    }
}
