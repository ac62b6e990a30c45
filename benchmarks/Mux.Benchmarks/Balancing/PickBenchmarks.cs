using BenchmarkDotNet.Attributes;
using Mux.Client;
using Mux.Contracts;
using Mux.Discovery;

namespace Mux.Benchmarks.Balancing;

/// <summary>Cost of the choice of an endpoint: at most 20 ns outside turns, 3 ns in turns, and no allocation.</summary>
[MemoryDiagnoser]
public class PickBenchmarks
{
    private readonly BalancingPolicy _choices = BalancingPolicy.Create(BalancingSettings.Default);
    private readonly BalancingPolicy _rounds = BalancingPolicy.Create(BalancingSettings.Default with { IsRoundRobin = true });
    private readonly CallKey _key = CallKey.Of("customer/42");
    private CandidateSet _set = CandidateSet.Empty;
    private CandidateSet _turns = CandidateSet.Empty;
    private OpenEndpoint[] _endpoints = [];
    private long _now = 1_000_000_000;

    [Params(3, 20)]
    public int Endpoints { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        var means = new MethodMeans();
        _endpoints = [.. Enumerable.Range(1, Endpoints).Select(number => new OpenEndpoint(new MuxEndpoint(MuxAddress.Parse($"mux://10.0.0.{number}:7070")), means) { Calls = 1 })];
        _set = CandidateSet.Build(_endpoints, CandidateSet.Empty, _choices);
        _turns = CandidateSet.Build(_endpoints, CandidateSet.Empty, _rounds);
    }

    [Benchmark]
    public object? TwoChoices() => Count(_choices.Pick(_set, null, CallKey.None, ++_now));

    [Benchmark]
    public object? TwoChoicesInTurn() => _choices.Pick(_set, _endpoints[0], CallKey.None, ++_now);

    [Benchmark]
    public object? RoundRobin() => _rounds.Pick(_turns, null, CallKey.None, ++_now);

    [Benchmark]
    public object? Key() => _choices.Pick(_set, null, _key, ++_now);

    [Benchmark]
    public ulong HashOfKey() => CallKey.Of("customer/42").Hash;

    [Benchmark]
    public ulong HashOfNumber() => KeyHash.Of(42_000_017);

    /// <summary>Loads differ from pick to pick, as those of real endpoints.</summary>
    private static Candidate? Count(Candidate? picked)
    {
        if (picked is OpenEndpoint open) open.Calls = (open.Calls + 1) & 63;
        return picked;
    }

    private sealed class OpenEndpoint(MuxEndpoint endpoint, MethodMeans means) : Candidate(endpoint, BalancingSettings.Default, means)
    {
        public int Calls { get; set; }

        public override int Load => Calls;

        public override bool IsOpen => true;

        public override long Completed => 0;
    }
}
