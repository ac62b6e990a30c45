using Microsoft.Extensions.Logging;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Keeps what is logged.</summary>
internal sealed class LogCollector : ILogger
{
    private readonly Lock _gate = new();
    private readonly List<(int Id, string Text, Exception? Exception)> _entries = [];

    public Counter Written { get; } = new("log entries");

    public IReadOnlyList<(int Id, string Text, Exception? Exception)> Entries
    {
        get
        {
            lock (_gate) return [.. _entries];
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        lock (_gate) _entries.Add((eventId.Id, formatter(state, exception), exception));
        Written.Add();
    }
}
