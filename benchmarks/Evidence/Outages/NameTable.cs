using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Evidence.Fleets;
using Mux.Client;
using Mux.Discovery;

namespace Evidence.Outages;

/// <summary>
/// What DNS has under the name of some servers, which have addresses of loopback and one port: the channel asks this table as it asks the resolver of the system.
/// Safe for concurrent use.
/// </summary>
internal sealed class NameTable
{
    private const string Name = "fleet.test";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20); // a channel asks every 12 to 18 s

    private readonly IPAddress[] _all;
    private readonly int _port;
    private volatile IPAddress[] _named;
    private volatile IPAddress[] _answered = [];

    /// <param name="servers">All are named at first.</param>
    public NameTable(IReadOnlyList<FleetServer> servers)
    {
        _all = [.. servers.Select(server => IPAddress.Parse(server.Host))];
        _port = servers[0].Port;
        _named = _all;
    }

    public string Target => $"mux+dns://{Name}:{_port}";

    /// <summary>Where the server of a number listens.</summary>
    public static string HostOf(int number) => $"127.0.0.{number + 1}";

    /// <summary>A source that asks this table.</summary>
    public IEndpointSource CreateSource() => new DnsEndpoints(Target, Name, _port, isTls: false, LookUp, Random.Shared);

    /// <summary>Answers lack the server of a number from now on.</summary>
    public void Drop(int number) => _named = [.. _all.Where((_, index) => index != number)];

    /// <summary>Answers have all servers from now on.</summary>
    public void NameAll() => _named = _all;

    /// <summary>Waits until the channel has an answer as the table is now.</summary>
    public async Task AwaitAnswerAsync()
    {
        for (long begun = Stopwatch.GetTimestamp(); _answered != _named; await Task.Delay(10))
        {
            if (Stopwatch.GetElapsedTime(begun) > s_patience) throw new EvidenceException($"The channel has not asked for {s_patience.TotalSeconds} s.");
        }
    }

    private Task<IPAddress[]> LookUp(string host, CancellationToken cancellationToken)
    {
        var named = _named;
        _answered = named;
        return host == Name ? Task.FromResult(named) : Task.FromException<IPAddress[]>(new SocketException((int)SocketError.HostNotFound));
    }
}
