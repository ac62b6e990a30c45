using Microsoft.Extensions.Logging;

namespace Mux.Tests.Server;

/// <summary>Writes the first event of each name that a test waits for to the standard output, after its name.</summary>
internal sealed class EventLog(params string[] names) : ILoggerFactory, ILogger
{
    private readonly Lock _gate = new();
    private readonly HashSet<string?> _untold = [.. names];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        lock (_gate)
        {
            if (_untold.Remove(eventId.Name)) Console.Out.WriteLine($"{eventId.Name}: {formatter(state, exception)}");
        }
    }

    public void Dispose()
    {
    }
}
