using Microsoft.Extensions.Logging;

namespace Mux.Diagnostics;

/// <summary>
/// Passes everything on to another logger and drops what that throws. Logs are written between a handler and its answer, and on threads where nobody catches: a
/// provider whose disk is full must cost neither a connection nor the process. Safe for concurrent use if the other one is.
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
            // There is nobody left to tell.
        }
    }
}
