using Mux.Client;
using Mux.Discovery;

namespace Mux.Core.Tests.Balancing;

/// <summary>An endpoint without connections: the test says what is open there.</summary>
internal sealed class FakeCandidate(MuxEndpoint endpoint, BalancingSettings? settings = null, MethodMeans? means = null)
    : Candidate(endpoint, settings ?? BalancingSettings.Default, means ?? new MethodMeans())
{
    private int _load;
    private long _completed;

    public FakeCandidate(int number, BalancingSettings? settings = null)
        : this(EndpointOf(number), settings)
    {
    }

    public bool Opened { get; set; } = true;

    public int Calls
    {
        get => _load;
        set => _load = value;
    }

    public long Ended
    {
        get => _completed;
        set => _completed = value;
    }

    public override int Load => _load;

    public override bool IsOpen => Opened;

    public override long Completed => _completed;

    public static MuxEndpoint EndpointOf(int number, int weight = MuxEndpoint.DefaultWeight, string? zone = null) =>
        new(MuxAddress.Parse($"mux://10.0.{number / 250}.{(number % 250) + 1}:7070")) { Weight = weight, Zone = zone };

    /// <summary>A call that ended well.</summary>
    public void Succeed() => _completed++;

    /// <summary>A call that ended by a fault. True if the rules must decide.</summary>
    public bool Fail(long now)
    {
        _completed++;
        return OnFault(now);
    }

    public static FakeCandidate[] Several(int count, BalancingSettings? settings = null) => [.. Enumerable.Range(0, count).Select(number => new FakeCandidate(number, settings))];
}
