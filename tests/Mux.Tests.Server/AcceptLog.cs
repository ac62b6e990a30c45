using Microsoft.Extensions.Logging;

namespace Mux.Tests.Server;

/// <summary>Writes the first accept that fails to the standard output, for a test that waits for it.</summary>
internal sealed class AcceptLog : ILoggerFactory, ILogger
{
    private int _isTold;

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (eventId.Name == "AcceptFailed" && Interlocked.Exchange(ref _isTold, 1) == 0) Console.Out.WriteLine(formatter(state, exception));
    }

    public void Dispose()
    {
    }
}
