using Microsoft.Extensions.Logging;

namespace Mux.Runtime;

/// <summary>
/// Forwards to another logger and drops its exceptions. Logs are written between a handler and its answer, and on threads without a catch: a log provider whose
/// disk is full must cost neither a connection nor the process. Thread-safe if the other logger is.
/// </summary>
internal sealed class NonThrowingLogger(ILogger inner) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
    {
        try
        {
            return inner.BeginScope(state);
        }
        catch (Exception)
        {
            return null;
        }
    }

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return inner.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            return false;
        }
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            inner.Log(logLevel, eventId, state, exception, formatter);
        }
        catch (Exception)
        {
            // No log is left to report it.
        }
    }
}
