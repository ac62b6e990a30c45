using Mux.Client;

namespace Mux.Core.Tests.Balancing;

/// <summary>
/// Simulates servers that refuse what exceeds their places, two in the zone of all clients and four without a limit in others, and callers that make one call
/// after the other. A call that is refused goes to another server at once. Time is simulated, in microseconds.
/// </summary>
internal sealed class FullServers
{
    private const int Near = 2, Far = 4, MostAttempts = 3;
    private const long Network = 100, Wait = 100_000, Look = 100_000;

    private static readonly BalancingSettings s_settings = BalancingSettings.Default with { Zone = "a" };

    private readonly PriorityQueue<Action, (long At, long Order)> _events = new();
    private readonly int[] _running = new int[Near + Far];
    private readonly List<Client> _clients = [];
    private readonly Random _random;
    private long _now = 100_000_000;
    private long _order;

    public FullServers(int seed, int clients, int callers)
    {
        _random = new Random(seed);
        for (int i = 0; i < clients; i++) _clients.Add(new Client(callers, (ulong)(seed + i)));
    }

    public const double ServiceTime = 50_000;

    /// <summary>Of each server of the own zone.</summary>
    public int Places { get; set; } = 64;

    public int Refused { get; private set; }

    public int Failed { get; private set; }

    /// <summary>Calls of each client that the own zone has served.</summary>
    public IEnumerable<int> Served => _clients.Select(client => client.Served);

    /// <summary>Calls that the own zone would have served if its places were always taken.</summary>
    public double Possible(long time) => Near * Places * time / (ServiceTime + Network);

    /// <summary>Lets the callers make calls for a time, and counts anew.</summary>
    public void Run(long time)
    {
        (Refused, Failed) = (0, 0);
        long end = _now + time;
        foreach (var client in _clients)
        {
            client.Served = 0;
            if (client.IsStarted) continue;
            client.IsStarted = true;
            for (int i = 0; i < client.Callers; i++) At(_now + _random.Next(1_000), () => Call(client, null, 1));
            At(_now, () => Refresh(client));
        }

        while (_events.TryPeek(out _, out var first) && first.At <= end)
        {
            _events.TryDequeue(out var next, out var when);
            _now = when.At;
            next!();
        }

        _now = end;
    }

    private void Refresh(Client client)
    {
        foreach (var candidate in client.Candidates) candidate.Refresh(_now);
        At(_now + Look, () => Refresh(client));
    }

    private void Call(Client client, Candidate? avoided, int attempt)
    {
        var candidate = (FakeCandidate)client.Policy.Pick(client.Set, null, CallKey.None, _now, avoided)!;
        int server = Array.IndexOf(client.Candidates, candidate);
        candidate.Calls++;
        At(_now + (Network / 2), () => Arrive(client, candidate, server, attempt));
    }

    private void Arrive(Client client, FakeCandidate candidate, int server, int attempt)
    {
        bool isTaken = server >= Near || _running[server] < Places;
        if (isTaken) _running[server]++;
        long served = isTaken ? (long)(-Math.Log(1 - _random.NextDouble()) * ServiceTime) : 0;
        if (isTaken) At(_now + served, () => _running[server]--);
        At(_now + served + (Network / 2), () =>
        {
            candidate.Calls--;
            if (isTaken)
            {
                candidate.Succeed();
                if (server < Near) client.Served++;
                Call(client, null, 1);
                return;
            }

            Refused++;
            candidate.Room.OnRefused(candidate.Calls, Wait, _now);
            if (attempt == MostAttempts) Failed++;
            Call(client, attempt == MostAttempts ? null : candidate, attempt == MostAttempts ? 1 : attempt + 1);
        });
    }

    private void At(long time, Action action) => _events.Enqueue(action, (time, _order++));

    private sealed class Client
    {
        public Client(int callers, ulong seed)
        {
            Callers = callers;
            Candidates = [.. Enumerable.Range(0, Near + Far).Select(
                number => new FakeCandidate(FakeCandidate.EndpointOf(number, zone: number < Near ? "a" : $"b{number % 2}"), s_settings))];
            Policy = BalancingPolicy.Create(s_settings, seed);
            Set = CandidateSet.Build(Candidates, CandidateSet.Empty, Policy);
        }

        public int Callers { get; }

        public FakeCandidate[] Candidates { get; }

        public BalancingPolicy Policy { get; }

        public CandidateSet Set { get; }

        public bool IsStarted { get; set; }

        public int Served { get; set; }
    }
}
