using System.Diagnostics;
using System.Diagnostics.Metrics;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// Measures the calls of one channel or server while there are listeners or its log wants them; otherwise it costs two comparisons. Listeners and loggers are
/// user code: a caller in a turn must enter user code first. Thread-safe.
/// </summary>
/// <param name="histogram">Gets the durations.</param>
/// <param name="side">The side that measures.</param>
/// <param name="clock">Its clock.</param>
/// <param name="tags">Tags that distinguish these calls from those of other channels. A server has none: see the remarks.</param>
/// <param name="log">Gets the calls, too.</param>
/// <remarks>
/// The convention gives <c>server.address</c> at a server another meaning than at a client: the address that the caller used, which a request of Mux does not
/// carry. It must not be replaced by the address that the server listens on, so the histogram of a server has neither address nor port.
/// </remarks>
internal sealed class CallDurations(
    Histogram<double> histogram, ActivityKind side, Clock clock, KeyValuePair<string, object?>[] tags, CallLog log)
{
    /// <summary>The log of these calls.</summary>
    public CallLog Log => log;

    /// <summary>Returns the current time if there are listeners, otherwise 0, which <see cref="Record"/> ignores.</summary>
    public long Start() => histogram.Enabled || log.IsOn ? clock.Now : 0;

    /// <summary>Records the outcome of a started call.</summary>
    /// <param name="started">The result of <see cref="Start"/>.</param>
    /// <param name="method">Name of the method.</param>
    /// <param name="status">Status of the outcome.</param>
    /// <param name="peer">Address of the peer, for the log.</param>
    public void Record(long started, string method, MuxStatus status, string peer)
    {
        if (started == 0) return;
        double milliseconds = Measure(started, method, status);
        if (log.IsOn) log.Write(method, peer, status, milliseconds);
    }

    /// <summary>Records the outcome of a started call in the histogram alone: calls that cost their caller nothing must not fill a log.</summary>
    /// <returns>The milliseconds that the call took. The parameters are those of <see cref="Record"/>.</returns>
    public double Measure(long started, string method, MuxStatus status)
    {
        double milliseconds = (clock.Now - started) / 1_000.0;
        try
        {
            var all = new TagList(tags)
            {
                { MetricNames.SystemTag, MetricNames.System },
                { MetricNames.MethodTag, method },
                { MetricNames.StatusTag, MetricNames.NameOf(status) },
            };
            if (CallErrors.IsError(side, status)) all.Add(MetricNames.ErrorTag, MetricNames.NameOf(status));
            histogram.Record(milliseconds / 1_000, all);
        }
        catch (Exception)
        {
            // From a listener. A caller waits for the outcome, so the exception is dropped with the measurement.
        }

        return milliseconds;
    }
}

/// <summary>
/// Decides which statuses are errors in telemetry, as the conventions do for gRPC, whose statuses are the same: only such a call has <c>error.type</c>, and a
/// span with the status Error.
/// </summary>
internal static class CallErrors
{
    /// <param name="side">The side that tells: its caller, or its server.</param>
    /// <param name="status">Status of the call.</param>
    /// <returns>
    /// At the caller, true for all but Ok. At a server, true only for those that say that the server failed: NotFound, for example, is a correct answer. A
    /// number that is no status counts as Unknown.
    /// </returns>
    public static bool IsError(ActivityKind side, MuxStatus status)
    {
        if (side != ActivityKind.Server) return status != MuxStatus.Ok;
        return status is MuxStatus.Unknown or MuxStatus.DeadlineExceeded or MuxStatus.Unimplemented or MuxStatus.Internal or MuxStatus.Unavailable
            or MuxStatus.DataLoss or < MuxStatus.Ok or > MuxStatus.Unauthenticated;
    }
}
