using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Runtime;

namespace Mux.Filters;

/// <summary>
/// Logs every call when it has ended: side, method, peer, user, status, time and numbers of items, as event <c>FilteredCallEnded</c> (2505). Never a
/// request or reply. Add it first, so that it sees what other filters make of a call.
/// </summary>
/// <remarks>
/// Exceptions are logged with calls that end with <see cref="MuxStatus.Unknown"/>, <see cref="MuxStatus.Internal"/> or <see cref="MuxStatus.DataLoss"/>:
/// other statuses are decisions. Refused calls reach no filter; the logs of calls of a server (<c>Mux.Server.Calls</c>) have them. Exceptions of loggers
/// are dropped.
/// </remarks>
public sealed class MuxLoggingFilter : MuxFilter
{
    private readonly NonThrowingLogger _logger;
    private readonly LogLevel _success;
    private readonly LogLevel _failure;

    /// <summary>Creates the filter.</summary>
    /// <param name="logger">The logger.</param>
    /// <param name="success">Level of calls that end with <see cref="MuxStatus.Ok"/>; <see cref="LogLevel.Information"/> by default.</param>
    /// <param name="failure">Level of other calls; <see cref="LogLevel.Warning"/> by default.</param>
    /// <exception cref="ArgumentNullException"><paramref name="logger"/> is null.</exception>
    public MuxLoggingFilter(ILogger<MuxLoggingFilter> logger, LogLevel success = LogLevel.Information, LogLevel failure = LogLevel.Warning)
    {
        ArgumentNullException.ThrowIfNull(logger);
        (_logger, _success, _failure) = (new NonThrowingLogger(logger), success, failure);
    }

    /// <inheritdoc/>
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        ArgumentNullException.ThrowIfNull(call);
        return _logger.IsEnabled(_success) || _logger.IsEnabled(_failure) ? RunLoggedAsync(call, next) : next.RunAsync(call);
    }

    private async ValueTask RunLoggedAsync(MuxCall call, MuxNext next)
    {
        try
        {
            await next.RunAsync(call).ConfigureAwait(false);
        }
        finally
        {
            Log(call);
        }
    }

    private void Log(MuxCall call)
    {
        var status = call.Status;
        var level = status == MuxStatus.Ok ? _success : _failure;
        if (!_logger.IsEnabled(level)) return;
        var error = status is MuxStatus.Unknown or MuxStatus.Internal or MuxStatus.DataLoss ? call.Exception ?? call.Failure?.Exception : null;
        FilterLog.CallEnded(_logger, level, call.Side, call.Method.FullName, call.Peer, call.User?.Identity?.Name, status, call.Elapsed.TotalMilliseconds,
            call.ItemsSent, call.ItemsReceived, error);
    }
}
