using System.Globalization;
using Evidence.Programs;

namespace Evidence.Fleets;

/// <summary>One of several server processes. What runs in it: <see cref="FleetProgram"/>.</summary>
/// <param name="number">What it answers to <see cref="IFleet.Who"/>.</param>
/// <param name="options">Further ones of <see cref="FleetProgram"/>.</param>
/// <param name="host">Where it listens.</param>
/// <param name="within">The program that starts it, with its arguments; none for itself.</param>
internal sealed class FleetServer(int number, IEnumerable<string> options, string host = "127.0.0.1", params string[] within)
    : RestartedServer(port => ["serve-fleet", "--port", Text(port), "--number", Text(number), "--host", host, .. options], within)
{
    public string Host => host;

    public string Address => $"mux://{Host}:{Port}";

    /// <summary>One address for all of them.</summary>
    public static string AddressOf(IEnumerable<FleetServer> servers) => $"mux://{string.Join(',', servers.Select(server => $"{server.Host}:{server.Port}"))}";

    /// <summary>The number of its open connections; asked over its own pipes, not over the network.</summary>
    public int CountConnections() => int.Parse(Ask(), CultureInfo.InvariantCulture);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
