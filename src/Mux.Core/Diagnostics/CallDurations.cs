using System.Diagnostics;
using System.Diagnostics.Metrics;
using Mux.Timing;

namespace Mux.Diagnostics;

/// <summary>
/// Measures the calls of one channel or server while somebody listens, and costs one comparison while nobody does. Listeners are user code: whoever calls this
/// in a turn enters it before. Safe for concurrent use.
/// </summary>
internal sealed class CallDurations(Histogram<double> histogram, Clock clock, KeyValuePair<string, object?> tag)
{
    /// <summary>What tells these calls from those of others of their kind. Set only before there are calls.</summary>
    public KeyValuePair<string, object?> Tag { get; set; } = tag;

    /// <summary>Now, if somebody listens; else 0, which <see cref="Record"/> takes for "not measured".</summary>
    public long Start() => histogram.Enabled ? clock.Now : 0;

    /// <summary>A call that was started has its outcome.</summary>
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
            // Of a listener. The call is decided, and somebody waits to hear of it: that a measurement is lost is the listener's affair.
        }
    }
}
