namespace Mux.Filters;

/// <summary>Says with which status the exceptions of handlers are answered, for <see cref="MuxExceptionFilter"/>. Fill it before the filter is
/// created.</summary>
public sealed class MuxExceptionMap
{
    private readonly List<(Type Type, Func<Exception, MuxFailure?> Describe)> _rows = [];

    /// <summary>Answers an exception, and those derived from it, with a status and a general message. The message of the exception is not sent.</summary>
    /// <typeparam name="TException">The exception. The row of the closest base class counts; of two for one type, the first one.</typeparam>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The message for the caller; null for one that names the status alone.</param>
    /// <returns>This map.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxExceptionMap Map<TException>(MuxStatus status, string? message = null)
        where TException : Exception
    {
        if (status == MuxStatus.Ok) throw new ArgumentOutOfRangeException(nameof(status), status, "A failure has any status but Ok.");
        var text = message ?? $"The call failed: {status}.";
        _rows.Add((typeof(TException), error => new MuxFailure(status, text) { Exception = error }));
        return this;
    }

    /// <summary>Answers an exception, and those derived from it, as a function says. What it puts into the failure is sent.</summary>
    /// <typeparam name="TException">The exception. The row of the closest base class counts; of two for one type, the first one.</typeparam>
    /// <param name="describe">Gets the failure; if it returns null, the exception is answered as without the filter.</param>
    /// <returns>This map.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="describe"/> is null.</exception>
    public MuxExceptionMap Map<TException>(Func<TException, MuxFailure?> describe)
        where TException : Exception
    {
        ArgumentNullException.ThrowIfNull(describe);
        _rows.Add((typeof(TException), error => describe((TException)error)));
        return this;
    }

    /// <summary>Gets the failure for an exception; null if the map has none.</summary>
    internal MuxFailure? Find(Exception error)
    {
        for (var type = error.GetType(); type is not null; type = type.BaseType)
        {
            foreach (var row in _rows)
            {
                if (row.Type == type) return row.Describe(error);
            }
        }

        return null;
    }
}
