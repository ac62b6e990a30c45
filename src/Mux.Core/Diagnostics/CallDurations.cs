using System.Diagnostics;
using System.Diagnostics.Metrics;
using Mux.Timing;

namespace Mux.Diagnostics;

/// <summary>
/// Measures the calls of one channel or server while there are listeners; without any it costs one comparison. Listeners are user code: a caller in a turn must
/// enter user code first. Thread-safe.
/// </summary>
internal sealed class CallDurations(Histogram<double> histogram, Clock clock, KeyValuePair<string, object?> tag)
{
    /// <summary>Tag that distinguishes these calls from those of other channels or servers. Set only before there are calls.</summary>
    public KeyValuePair<string, object?> Tag { get; set; } = tag;

    /// <summary>Returns the current time if there are listeners, otherwise 0, which <see cref="Record"/> ignores.</summary>
    public long Start() => histogram.Enabled ? clock.Now : 0;

    /// <summary>Records the outcome of a started call.</summary>
    public void Record(long started, string method, MuxStatus status)
    {
        if (started == 0) return;
        try
        {
            histogram.Record((clock.Now - started) / 1_000_000.0, new TagList
            {
                { MetricNames.SystemTag, MetricNames.System },
                Tag,
                { MetricNames.MethodTag, method },
                { MetricNames.StatusTag, MetricNames.NameOf(status) },
            });
        }
        catch (Exception)
        {
            // From a listener. A caller waits for the outcome, so the exception is dropped with the measurement.
        }
    }
}
