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
    private readonly SliceReader _reader = new(scheme, certificateName);
    private readonly int? _portNumber = int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;
    private readonly List<(string Slice, string Reason)> _newlySkipped = [];
    private Dictionary<string, string> _skipped = new(StringComparer.Ordinal); // by slice: why some of it is not in the last set
    private int _nameless; // slices of the list

    public int Count => _slices.Count;

    public void Clear()
    {
        _slices.Clear();
        _nameless = 0;
    }

    /// <summary>Adds a slice of a list. One without a name is skipped: nothing could ever change it.</summary>
    public void Add(EndpointSlice? listed)
    {
        if (listed?.Metadata?.Name is null) _nameless++;
        else Set(listed);
    }

    /// <exception cref="InvalidDataException">The slice has no name.</exception>
    public void Set(EndpointSlice slice) => _slices[NameOf(slice)] = slice;

    /// <exception cref="InvalidDataException">The slice has no name.</exception>
    public void Remove(EndpointSlice slice) => _slices.Remove(NameOf(slice));

    /// <summary>Makes one set of all slices. While Kubernetes moves a pod to another slice, both may list it: the set has it once.</summary>
    /// <exception cref="InvalidOperationException">The service has pods, but not at this port or in this address family.</exception>
    /// <exception cref="InvalidDataException">The service has pods, and none of them can be used.</exception>
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
        var skipped = new Dictionary<string, string>(StringComparer.Ordinal);
        var endpoints = chosen.SelectMany(slice => EndpointsOf(slice, skipped)).ToList();
        if (_nameless > 0) skipped["(without a name)"] = "it has no name";
        Note(skipped);
        if (endpoints.Count == 0) ThrowIfMisdirected(chosen);
        if (endpoints.Count == 0 && skipped.Count > 0)
        {
            var (name, reason) = skipped.First();
            throw new InvalidDataException($"No endpoint of {service} can be used. EndpointSlice '{name}': {reason}.");
        }

        return new EndpointSet(endpoints);
    }

    /// <summary>
    /// Takes the slices of which the last sets skip endpoints, with the reason of each: those that are new, or have another reason than before.
    /// </summary>
    public IReadOnlyList<(string Slice, string Reason)> TakeSkipped()
    {
        (string, string)[] taken = [.. _newlySkipped];
        _newlySkipped.Clear();
        return taken;
    }

    private void Note(Dictionary<string, string> skipped)
    {
        foreach (var (name, reason) in skipped)
        {
            if (_skipped.GetValueOrDefault(name) != reason) _newlySkipped.Add((name, reason));
        }

        _skipped = skipped;
    }

    private static string NameOf(EndpointSlice slice) => slice.Metadata?.Name ?? throw new InvalidDataException("an EndpointSlice without a name");

    private static bool HasPods(EndpointSlice slice) => slice.Endpoints is { Length: > 0 };

    /// <summary>Reads the endpoints of a slice at the wanted port. One that cannot be used is skipped, and does not hide the others.</summary>
    private List<MuxEndpoint> EndpointsOf(EndpointSlice slice, Dictionary<string, string> skipped)
    {
        var endpoints = new List<MuxEndpoint>();
        foreach (var slicePort in PortsOf(slice).Where(IsWanted))
        {
            foreach (var endpoint in (slice.Endpoints ?? []).Where(SliceReader.IsServing))
            {
                if (_reader.TryRead(slice.AddressType!, slicePort, endpoint, out var read, out var error)) endpoints.Add(read);
                else skipped.TryAdd(NameOf(slice), error);
            }
        }

        return endpoints;
    }

    private static IEnumerable<EndpointSlice.Port> PortsOf(EndpointSlice slice) => (slice.Ports ?? []).Where(static known => known is not null);

    private bool IsWanted(EndpointSlice.Port slicePort) =>
        slicePort.Protocol is null or "TCP" && (_portNumber is { } number ? slicePort.Number == number : slicePort.Name == port);

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
        var ports = withPods.SelectMany(PortsOf).ToList();
        if (withPods.Count == 0 || ports.Exists(IsWanted)) return;
        var names = ports.Select(known => $"'{known.Name}' ({known.Number})").Distinct(StringComparer.Ordinal).ToList();
        throw new InvalidOperationException(
            $"{service} has no port '{port}'. Expected the name of a port of the service, or the number at which its pods listen: "
            + $"{(names.Count == 0 ? "it has no ports" : string.Join(", ", names))}.");
    }
}
