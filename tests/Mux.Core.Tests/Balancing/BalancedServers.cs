using Mux.Client;

namespace Mux.Core.Tests.Balancing;

/// <summary>
/// Simulates one client and some servers, each of which serves four calls at the same time and the others after them. Calls arrive at random, whether or not
/// servers keep up. Time is simulated, in microseconds.
/// </summary>
internal sealed class BalancedServers(ulong seed)
{
    private readonly PriorityQueue<Action, (long At, long Order)> _events = new();
    private readonly Random _random = new((int)seed);
    private readonly MethodMeans _means = new();
    private readonly List<SimulatedServer> _servers = [];
    private readonly List<long> _roundTrips = [];
    private BalancingPolicy _policy = null!;
    private CandidateSet _set = CandidateSet.Empty;
    private EjectionRules _rules = null!;
    private long _order;
    private int _started;

    public BalancingSettings Settings { get; init; } = BalancingSettings.Default;

    /// <summary>False: endpoints are compared by load alone.</summary>
    public bool Times { get; init; } = true;

    public long Now { get; private set; } = 100_000_000;

    /// <summary>Number of calls that failed.</summary>
    public int Failed { get; private set; }

    public IReadOnlyList<long> RoundTrips => _roundTrips;

    public SimulatedServer Add(double serviceTime)
    {
        var server = new SimulatedServer(_servers.Count, this, serviceTime);
        _servers.Add(server);
        return server;
    }

    /// <summary>Runs calls of one method.</summary>
    public void Run(double callsPerSecond, long time)
    {
        _policy = BalancingPolicy.Create(Settings, seed);
        _rules = new EjectionRules(Settings);
        Rebuild();
        long end = Now + time;
        Arrive();
        Tick();
        foreach (var server in _servers.Where(server => server.StallsPerSecond > 0)) Stall(server);
        while (_events.TryDequeue(out var next, out var when) && when.At <= end)
        {
            Now = when.At;
            next();
        }

        void Arrive()
        {
            At(Now + (long)Exponential(1_000_000 / callsPerSecond), Arrive);
            StartCall();
        }

        void Tick()
        {
            At(Now + 100_000, Tick);
            foreach (var server in _servers) server.Candidate.Refresh(Now);
            if (_rules.Advance([.. _servers.Select(server => server.Candidate)], Now)) Rebuild();
        }

        void Stall(SimulatedServer server)
        {
            At(Now + (long)Exponential(1_000_000 / server.StallsPerSecond), () =>
            {
                server.Stall(_random.NextInt64(1_000, 8_000));
                Stall(server);
            });
        }
    }

    public double ShareOf(SimulatedServer server) => (double)server.Calls / _started;

    public double Percentile(double part) => _roundTrips.Order().ElementAt((int)(_roundTrips.Count * part)) / 1000.0;

    public void At(long time, Action action) => _events.Enqueue(action, (time, _order++));

    public double Exponential(double mean) => -Math.Log(1 - _random.NextDouble()) * mean;

    private void StartCall()
    {
        var candidate = (FakeCandidate)_policy.Pick(_set, null, CallKey.None, Now)!;
        var server = _servers.Find(server => server.Candidate == candidate)!;
        long startedAt = Now;
        int ticket = Times && server.Gate.IsDue(Now) ? candidate.Slowness.TryBegin(ref server.Gate, 0, Now) : Slowness.NotTimed;
        candidate.Calls++;
        _started++;
        server.Serve(fails =>
        {
            candidate.Calls--;
            if (ticket >= 0) candidate.Slowness.End(ticket, replied: true, Now);
            if (fails)
            {
                Failed++;
                if (candidate.Fail(Now) && _rules.TryEject(candidate, [.. _servers.Select(server => server.Candidate)], Now)) Rebuild();
            }
            else
            {
                candidate.Succeed();
                _roundTrips.Add(Now - startedAt);
            }
        });
    }

    private void Rebuild() => _set = CandidateSet.Build(_servers.Select(server => server.Candidate), _set, _policy);

    internal sealed class SimulatedServer(int number, BalancedServers servers, double serviceTime)
    {
        private readonly long[] _freeAt = new long[4]; // by core

        public SampleGate Gate;

        public FakeCandidate Candidate { get; } = new(FakeCandidate.EndpointOf(number), servers.Settings, servers._means);

        public int Calls { get; private set; }

        public bool FailsFast { get; set; }

        /// <summary>It stands still for so long in each period.</summary>
        public long PauseTime { get; set; }

        public long Period { get; set; }

        /// <summary>It stands still so often for 1 to 8 ms, at random: another process has its processor.</summary>
        public double StallsPerSecond { get; set; }

        public void Stall(long time)
        {
            foreach (ref long freeAt in _freeAt.AsSpan()) freeAt = Math.Max(freeAt, servers.Now) + time;
        }

        public void Serve(Action<bool> ended)
        {
            const long Network = 100;
            Calls++;
            if (FailsFast)
            {
                servers.At(servers.Now + Network, () => ended(true));
                return;
            }

            int core = Array.IndexOf(_freeAt, _freeAt.Min());
            long at = Math.Max(servers.Now + Network, _freeAt[core]);
            if (Period > 0 && at % Period < PauseTime) at += PauseTime - (at % Period);
            _freeAt[core] = at + (long)servers.Exponential(serviceTime);
            servers.At(_freeAt[core], () => ended(false));
        }
    }
}
