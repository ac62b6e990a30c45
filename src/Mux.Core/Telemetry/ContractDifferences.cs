using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// Passes on, once an hour per method of one channel or server, that a peer has another contract: what decodes nevertheless may lose members, and no call
/// reports it. Not once for ever: any stranger that makes up a fingerprint would silence it for the peers that matter. Thread-safe.
/// </summary>
/// <param name="clock">The clock of the channel or server.</param>
internal sealed class ContractDifferences(Clock clock)
{
    private readonly MethodRateLimits _limits = new(TimeSpan.FromHours(1));

    /// <summary>Runs a report on the .NET pool, unless there was one for this method within the last hour.</summary>
    /// <param name="method">The method.</param>
    /// <param name="report">Gets the number of reports suppressed since the last one of the method.</param>
    public void Tell(MethodDescriptor method, Action<int> report)
    {
        if (_limits.Of(method).TryPass(clock.Now, out int others)) ReportThread.TellOnPool(() => report(others));
    }
}
