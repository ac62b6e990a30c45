using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Results;

/// <param name="SlowShare">Which share of the handlers blocks its thread, from 0 to 1.</param>
/// <param name="SlowUs">For how long, in microseconds.</param>
/// <param name="CostUs">How long every handler keeps a CPU busy, in microseconds.</param>
/// <param name="Workers">How many run at a time; 0 for as many as Mux runs.</param>
internal sealed record HandlersEntry(double SlowShare, double SlowUs, double CostUs, int Workers)
{
    public static HandlersEntry Of(HandlerProfile profile) => new(profile.SlowShare, profile.SlowMicroseconds, profile.CostMicroseconds, profile.Workers);
}
