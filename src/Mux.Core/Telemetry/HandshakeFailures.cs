using System.Diagnostics.Metrics;
using System.Globalization;

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

/// <summary>Tags for addresses: the convention wants host and port apart, and no scheme.</summary>
internal static class AddressTags
{
    /// <summary>
    /// Gets the tags of the address of a server: its host and port, the path of its Unix domain socket, or the name of its pipe. None for a server without an
    /// address.
    /// </summary>
    public static KeyValuePair<string, object?>[] Of(MuxAddress? address) => address switch
    {
        null => [],
        { Scheme: MuxAddress.UnixScheme or MuxAddress.PipeScheme } => [new(MetricNames.ServerAddressTag, address.Path)],
        _ => [new(MetricNames.ServerAddressTag, address.Host), new(MetricNames.ServerPortTag, address.Port)],
    };

    /// <summary>Splits the address of a peer as links describe it. Text that does not end in a port, such as the path of a socket, is all address.</summary>
    /// <param name="remoteAddress">Such as <c>127.0.0.1:50000</c> or <c>[::1]:50000</c>.</param>
    /// <param name="port">The port; null if there is none.</param>
    public static string SplitPeer(string remoteAddress, out int? port)
    {
        port = null;
        int colon = remoteAddress.LastIndexOf(':');
        if (colon <= 0 || remoteAddress[0] == '/') return remoteAddress;
        var host = remoteAddress.AsSpan(0, colon);
        bool isBracketed = host[0] == '[' && host[^1] == ']';
        if (!isBracketed && host.Contains(':')) return remoteAddress; // IPv6 without a port
        if (!ushort.TryParse(remoteAddress.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ushort number)) return remoteAddress;
        port = number;
        return (isBracketed ? host[1..^1] : host).ToString();
    }
}

/// <summary>Reasons of failed TLS handshakes at a server. They are the tags of a metric, so they are few and fixed.</summary>
internal enum TlsFailure
{
    /// <summary>The maximum number of handshakes was pending, and this one was new, or the oldest.</summary>
    PendingHandshakes,

    /// <summary>The maximum number of handshakes from its address was pending, and this one was new, or the oldest.</summary>
    PendingHandshakesOfAddress,

    /// <summary>The handshake did not finish in time.</summary>
    Timeout,

    /// <summary>The client's certificate is missing or was rejected.</summary>
    Certificate,

    /// <summary>The client ended the connection, or it broke.</summary>
    ConnectionLost,

    /// <summary>
    /// Any other failure of TLS: no TLS at all, no common version or application protocol, or a client that rejects the server's certificate.
    /// </summary>
    Protocol,
}
