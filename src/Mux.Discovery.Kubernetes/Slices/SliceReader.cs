using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>Reads endpoints of EndpointSlices. Anyone with the right to write slices can write what Kubernetes itself never does. Immutable.</summary>
/// <param name="scheme">The scheme of the servers' addresses.</param>
/// <param name="certificateName">The name in the servers' certificates; null without TLS.</param>
internal sealed class SliceReader(string scheme, string? certificateName)
{
    private const int MaxShown = 64;

    /// <summary>True if a pod takes calls: it is ready, or it stops and still serves.</summary>
    public static bool IsServing(EndpointSlice.Endpoint? endpoint)
    {
        var conditions = endpoint?.Conditions;
        return conditions?.Ready != false || (conditions is { Terminating: true, Serving: true });
    }

    /// <summary>Reads an endpoint.</summary>
    /// <param name="addressType">IPv4 or IPv6.</param>
    /// <param name="port">A port of the slice.</param>
    /// <param name="endpoint">The endpoint in the slice.</param>
    /// <param name="read">The endpoint.</param>
    /// <param name="error">Why it cannot be used, and what is expected.</param>
    public bool TryRead(string addressType, EndpointSlice.Port port, EndpointSlice.Endpoint? endpoint, [NotNullWhen(true)] out MuxEndpoint? read,
        [NotNullWhen(false)] out string? error)
    {
        (read, error) = (null, null);
        var address = endpoint?.Addresses is [{ } first, ..] ? first : null;
        if (endpoint is null) error = "an endpoint is null";
        else if (address is null) error = "an endpoint has no address";
        else if (!IsOfType(address, addressType)) error = $"an endpoint has the address '{Shorten(address)}': expected {addressType}";
        else if (port.Number is not { } number) error = $"its port '{port.Name}' has no number";
        else if (number is < 1 or > ushort.MaxValue) error = $"its port '{port.Name}' is {number}: expected 1 to {ushort.MaxValue}";
        else read = Read(address, number, endpoint);
        return read is not null;
    }

    /// <summary>Written out in full: a name would be looked up, and <c>7</c> is an address to parsers.</summary>
    private static bool IsOfType(string address, string addressType) => addressType == SliceTable.IPv4
        ? address.Split('.') is { Length: 4 } numbers && numbers.All(IsByte)
        : Uri.CheckHostName(address) == UriHostNameType.IPv6 && !address.AsSpan().ContainsAny('%', '[', ']');

    private static bool IsByte(string text) =>
        byte.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out byte number) && number.ToString(CultureInfo.InvariantCulture) == text;

    private static string Shorten(string address) => address.Length <= MaxShown ? address : $"{address[..MaxShown]}...";

    private MuxEndpoint Read(string address, int port, EndpointSlice.Endpoint endpoint)
    {
        var host = address.Contains(':', StringComparison.Ordinal) ? $"[{address}]" : address;
        return new MuxEndpoint(MuxAddress.Parse($"{scheme}://{host}:{port}").WithServerName(certificateName))
        {
            Zone = endpoint.Zone ?? endpoint.Hints?.ForZones?.FirstOrDefault()?.Name,
            Instance = endpoint.TargetRef?.Uid ?? endpoint.TargetRef?.Name,
            IsLeaving = endpoint.Conditions?.Terminating == true,
        };
    }
}
