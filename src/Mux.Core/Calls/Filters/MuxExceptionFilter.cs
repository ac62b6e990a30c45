using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Runtime;

namespace Mux.Filters;

/// <summary>
/// Answers exceptions of handlers, and of filters inside this one, with the status that a map says. Exceptions that the map does not have are answered as
/// without the filter, with <see cref="MuxStatus.Unknown"/>; so are <see cref="MuxException"/>s with their own status, unless the map has them.
/// </summary>
/// <remarks>
/// Unless the map says so, nothing of an exception is sent. It is logged as event <c>ExceptionMapped</c> (2506), at the level Debug. The exception of a call
/// that was cancelled, or whose deadline has passed, is not mapped, nor are the
/// mistakes of filters, such as one that does not await what follows. It runs around calls that are served here alone.
/// </remarks>
public sealed class MuxExceptionFilter : MuxFilter
{
    private readonly MuxExceptionMap _map;
    private readonly NonThrowingLogger _logger;

    /// <summary>Creates the filter.</summary>
    /// <param name="map">Which exceptions are answered how; not to be changed afterwards.</param>
    /// <param name="logger">The logger; null to log nothing.</param>
    /// <exception cref="ArgumentNullException"><paramref name="map"/> is null.</exception>
    public MuxExceptionFilter(MuxExceptionMap map, ILogger<MuxExceptionFilter>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(map);
        (_map, _logger) = (map, new NonThrowingLogger(logger ?? NullLogger<MuxExceptionFilter>.Instance));
    }

    /// <inheritdoc/>
    public override bool ReadsElapsed => false;

    /// <summary>Gets a value indicating whether the filter runs around calls of a side.</summary>
    /// <returns>True for <see cref="MuxCallSide.Server"/> alone.</returns>
    public override bool RunsOn(MuxCallSide side) => side == MuxCallSide.Server;

    /// <inheritdoc/>
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        ArgumentNullException.ThrowIfNull(call);
        var running = next.RunAsync(call);
        return running.IsCompletedSuccessfully ? running : AwaitAsync(call, running);
    }

    private async ValueTask AwaitAsync(MuxCall call, ValueTask running)
    {
        try
        {
            await running.ConfigureAwait(false);
        }
        catch (Exception error) when (error is not FilterMistake and not OperationCanceledException
            || (error is OperationCanceledException && !call.CancellationToken.IsCancellationRequested))
        {
            if (_map.Find(error) is not { } failure) throw;
            FilterLog.ExceptionMapped(_logger, call.Method.FullName, failure.Status, error);
            call.Fail(failure);
            if (call.Exception is not null) throw new MuxException(failure); // code that still runs may not change the outcome: another exception may
        }
    }
}
