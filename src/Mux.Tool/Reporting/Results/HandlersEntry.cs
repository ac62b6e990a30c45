using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Results;

/// <param name="SlowShare">Share of the handlers that block their thread, from 0 to 1.</param>
/// <param name="SlowUs">Time for which they block, in microseconds.</param>
/// <param name="CostUs">CPU time of every handler, in microseconds.</param>
/// <param name="Workers">Number of concurrent handlers; 0 if Mux decides.</param>
internal sealed record HandlersEntry(double SlowShare, double SlowUs, double CostUs, int Workers)
{
    public static HandlersEntry Of(HandlerProfile profile) => new(profile.SlowShare, profile.SlowMicroseconds, profile.CostMicroseconds, profile.Workers);
}
