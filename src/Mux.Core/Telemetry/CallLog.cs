using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// Logs each call of one channel or server at level Debug, in a category of its own: who looks at connections need not read every call. Whether the level is
/// enabled is asked about once a second, not per call: see <see cref="PeriodicChecks"/>. Thread-safe.
/// </summary>
/// <param name="logger">Gets the calls; it does not throw.</param>
/// <param name="side">The side that logs.</param>
/// <param name="channel">Name of the channel; not used at a server.</param>
internal sealed class CallLog(ILogger logger, ActivityKind side, string channel = "")
{
    private volatile bool _isOn = logger.IsEnabled(LogLevel.Debug);

    /// <summary>True if calls are logged.</summary>
    public bool IsOn => _isOn;

    /// <summary>Follows changes of the level from now on, until <see cref="Unwatch"/>.</summary>
    public void Watch() => PeriodicChecks.OfProcess.Add(Check);

    public void Unwatch() => PeriodicChecks.OfProcess.Remove(Check);

    /// <summary>Asks the logger again.</summary>
    public void Check() => _isOn = logger.IsEnabled(LogLevel.Debug);

    public void Write(string method, string peer, MuxStatus status, double milliseconds)
    {
        if (side == ActivityKind.Server) ServerLog.CallEnded(logger, method, peer, status, milliseconds);
        else ClientLog.CallEnded(logger, channel, method, peer, status, milliseconds);
    }
}
