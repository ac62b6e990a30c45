using System.Diagnostics.Metrics;

namespace Mux.Telemetry;

/// <summary>
/// Counts the failed TLS handshakes of one listener. A transport has no meter, so all listeners of the process are published in one list. Thread-safe.
/// </summary>
internal sealed class HandshakeFailures
{
    private static readonly Lock s_gate = new(); // guards the list
    private static readonly List<HandshakeFailures> s_published = [];

    private readonly long[] _counts = new long[Enum.GetValues<TlsFailure>().Length];
    private KeyValuePair<string, object?>[] _address = [];

    public void Count(TlsFailure reason) => Interlocked.Increment(ref _counts[(int)reason]);

    /// <summary>Publishes the counts, including earlier ones, until <see cref="Withdraw"/>.</summary>
    public void Publish(MuxAddress address)
    {
        _address = AddressTags.Of(address);
        lock (s_gate) s_published.Add(this);
    }

    /// <summary>Removes the counts of a closed listener.</summary>
    public void Withdraw()
    {
        lock (s_gate) s_published.Remove(this);
    }

    /// <summary>Gets the counts of all published listeners.</summary>
    public static IEnumerable<Measurement<long>> Observe()
    {
        HandshakeFailures[] all;
        lock (s_gate) all = [.. s_published];
        return from listener in all
               from reason in Enum.GetValues<TlsFailure>()
               let count = Volatile.Read(ref listener._counts[(int)reason])
               where count > 0
               select new Measurement<long>(count, [.. listener._address, new(MetricNames.TlsFailureTag, reason.ToString())]);
    }
}
