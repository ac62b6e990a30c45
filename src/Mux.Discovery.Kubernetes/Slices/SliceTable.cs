using System.Globalization;

namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>The EndpointSlices of one service at one moment. Belongs to one watch; not safe for concurrent use.</summary>
/// <param name="service">The service, for errors.</param>
/// <param name="scheme">The scheme of the servers' addresses.</param>
/// <param name="certificateName">The name in the servers' certificates; null without TLS.</param>
/// <param name="port">The name or the number of the port.</param>
/// <param name="addressTypes">The address types that may be used, the preferred one first.</param>
internal sealed class SliceTable(string service, string scheme, string? certificateName, string port, string[] addressTypes)
{
    public const string IPv4 = "IPv4";
    public const string IPv6 = "IPv6";

    private readonly SortedDictionary<string, EndpointSlice> _slices = new(StringComparer.Ordinal); // by name, so that equal tables make equal sets
    private readonly int? _portNumber = int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;

    public int Count => _slices.Count;

    public void Clear() => _slices.Clear();

    /// <exception cref="InvalidDataException">The slice has no name.</exception>
    public void Set(EndpointSlice slice) => _slices[NameOf(slice)] = slice;

    /// <exception cref="InvalidDataException">The slice has no name.</exception>
    public void Remove(EndpointSlice slice) => _slices.Remove(NameOf(slice));

    /// <summary>Makes one set of all slices. While Kubernetes moves a pod to another slice, both may list it: the set has it once.</summary>
    /// <exception cref="InvalidOperationException">The service has pods, but not at this port or in this address family.</exception>
    /// <exception cref="NotSupportedException">A slice has neither IPv4 nor IPv6 addresses.</exception>
    public EndpointSet ToSet()
    {
        foreach (var (name, slice) in _slices)
        {
            if (slice.AddressType is IPv4 or IPv6) continue;
            throw new NotSupportedException($"The EndpointSlice '{name}' of {service} has the address type '{slice.AddressType}': expected IPv4 or IPv6. "
                + "For servers with host names use a mux+dns address.");
        }

        var addressType = Array.Find(addressTypes, type => _slices.Values.Any(slice => slice.AddressType == type));
        var chosen = _slices.Values.Where(slice => slice.AddressType == addressType).ToList();
        var endpoints = chosen.SelectMany(EndpointsOf).ToList();
        if (endpoints.Count == 0) ThrowIfMisdirected(chosen);
        return new EndpointSet(endpoints);
    }

    private static string NameOf(EndpointSlice slice) => slice.Metadata?.Name ?? throw new InvalidDataException("an EndpointSlice without a name");

    private static bool HasPods(EndpointSlice slice) => slice.Endpoints is { Length: > 0 };

    private IEnumerable<MuxEndpoint> EndpointsOf(EndpointSlice slice)
    {
        foreach (var slicePort in slice.Ports ?? [])
        {
            if (!IsWanted(slicePort) || slicePort.Number is not { } portNumber) continue;
            foreach (var endpoint in slice.Endpoints ?? [])
            {
                var conditions = endpoint.Conditions;
                bool isLeaving = conditions?.Terminating == true;
                bool isReady = conditions?.Ready != false;
                bool isServing = isReady || (isLeaving && conditions?.Serving == true);
                if (!isServing || endpoint.Addresses is not [var address, ..]) continue;
                yield return new MuxEndpoint(AddressOf(address, portNumber))
                {
                    Zone = endpoint.Zone ?? endpoint.Hints?.ForZones?.FirstOrDefault()?.Name,
                    Instance = endpoint.TargetRef?.Uid ?? endpoint.TargetRef?.Name,
                    IsLeaving = isLeaving,
                };
            }
        }
    }

    private bool IsWanted(EndpointSlice.Port slicePort) =>
        slicePort.Protocol is null or "TCP" && (_portNumber is { } number ? slicePort.Number == number : slicePort.Name == port);

    private MuxAddress AddressOf(string address, int portNumber)
    {
        var host = address.Contains(':', StringComparison.Ordinal) ? $"[{address}]" : address;
        return MuxAddress.Parse($"{scheme}://{host}:{portNumber}").WithServerName(certificateName);
    }

    /// <summary>
    /// Throws if there are pods, and none of them will ever be in the set: a wrong port or family would otherwise look like a service without pods.
    /// </summary>
    private void ThrowIfMisdirected(List<EndpointSlice> chosen)
    {
        if (chosen.Count == 0 && _slices.Values.Any(HasPods))
        {
            var types = _slices.Values.Select(slice => slice.AddressType).Distinct(StringComparer.Ordinal);
            throw new InvalidOperationException(
                $"{service} has no {string.Join(" or ", addressTypes)} addresses, but {string.Join(" and ", types)}: "
                + "change KubernetesDiscoveryOptions.AddressFamily.");
        }

        var withPods = chosen.Where(HasPods).ToList();
        var ports = withPods.SelectMany(slice => slice.Ports ?? []).ToList();
        if (withPods.Count == 0 || ports.Exists(IsWanted)) return;
        var names = ports.Select(known => $"'{known.Name}' ({known.Number})").Distinct(StringComparer.Ordinal).ToList();
        throw new InvalidOperationException(
            $"{service} has no port '{port}'. Expected the name of a port of the service, or the number at which its pods listen: "
            + $"{(names.Count == 0 ? "it has no ports" : string.Join(", ", names))}.");
    }
}
