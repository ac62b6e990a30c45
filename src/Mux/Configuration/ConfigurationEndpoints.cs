using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Configuration;
using Mux.Discovery;

namespace Mux.Configuration;

/// <summary>
/// Servers that are listed in the configuration of a client, followed when the configuration is reloaded. A list with an error in it is not used at all: the
/// watch fails, so the channel logs what is wrong and keeps its last endpoints.
/// </summary>
/// <param name="section">The list. An entry is an address, or a section with <c>Address</c>, <c>Zone</c> and <c>Weight</c>.</param>
internal sealed class ConfigurationEndpoints(IConfigurationSection section) : IEndpointSource
{
    /// <summary>The longest time between two looks: a provider may lose a signal.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMinutes(1);

    public string Name => $"the configuration {section.Path}";

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            // Before the list is read, so that no reload is lost in between.
            using var reload = section.GetReloadToken().RegisterChangeCallback(static refresh => ((EndpointRefresh)refresh!).Request(), refresh);
            var failures = Read(out var set);
            if (failures.Count > 0) throw new FormatException(string.Join(' ', failures));
            yield return set;
            await refresh.WaitAsync(s_interval, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Reads the list as it is now, and returns what cannot be read, each failure with its path.</summary>
    public IReadOnlyList<string> Read(out EndpointSet set)
    {
        var failures = new List<string>();
        var endpoints = new List<MuxEndpoint>();
        if (!string.IsNullOrEmpty(section.Value)) failures.Add($"{section.Path}: '{section.Value}' is not a list of addresses.");
        foreach (var entry in section.GetChildren())
        {
            if (ReadEntry(entry, failures) is not { } endpoint) continue;
            if (endpoints.Exists(other => other.Address == endpoint.Address)) failures.Add($"{entry.Path}: {endpoint.Address} is in the list twice.");
            endpoints.Add(endpoint);
        }

        if (endpoints.Count == 0 && failures.Count == 0)
            failures.Add($"{section.Path}: it is empty: expected at least one address such as mux://10.0.0.7:7070.");
        set = new EndpointSet(endpoints);
        return failures;
    }

    private static MuxEndpoint? ReadEntry(IConfigurationSection entry, List<string> failures)
    {
        if (entry.Value is { } text)
        {
            if (ReadAddress(text, out var error) is { } only) return new MuxEndpoint(only);
            failures.Add($"{entry.Path}: {error}");
            return null;
        }

        var reader = new SectionReader(entry);
        MuxAddress? address = null;
        string? zone = null;
        string? fault = "missing: expected an address such as mux://10.0.0.7:7070.";
        int weight = MuxEndpoint.DefaultWeight;
        reader.Text(nameof(MuxEndpoint.Address), value => address = ReadAddress(value, out fault));
        reader.Text(nameof(MuxEndpoint.Zone), value => zone = value);
        reader.Number(nameof(MuxEndpoint.Weight), value => weight = value);
        if (address is null) reader.Fail(nameof(MuxEndpoint.Address), fault!);
        bool isInRange = weight is >= 1 and <= MuxEndpoint.MaxWeight;
        if (!isInRange)
        {
            reader.Fail(nameof(MuxEndpoint.Weight), string.Create(
                CultureInfo.InvariantCulture, $"'{weight}' is not allowed: expected 1 to {MuxEndpoint.MaxWeight}."));
        }

        failures.AddRange(reader.Failures());
        return address is null || !isInRange ? null : new MuxEndpoint(address) { Zone = zone, Weight = weight };
    }

    private static MuxAddress? ReadAddress(string text, out string? error)
    {
        if (!MuxAddress.TryParse(text, out var address, out error)) return null;
        if (address is not { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 }) return address;
        error = $"'{text}' has the port 0: expected a number from 1 to 65535.";
        return null;
    }
}
