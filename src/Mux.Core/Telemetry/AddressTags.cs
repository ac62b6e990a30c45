using System.Globalization;

namespace Mux.Telemetry;

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
