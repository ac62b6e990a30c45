using Mux.Client;

namespace Mux.Core.Tests.Balancing;

/// <summary>Ejection of an endpoint whose calls fail while calls at the others are open and none of them ends.</summary>
public sealed class StandstillTests
{
    private const long Second = 1_000_000;

    private readonly EjectionRules _rules = new(BalancingSettings.Default);
    private readonly FakeCandidate[] _all = FakeCandidate.Several(4);
    private long _now = 100 * Second;

    [Fact]
    public void When_all_stand_still_the_first_whose_deadlines_pass_is_not_ejected()
    {
        foreach (var candidate in _all) candidate.Calls = 20;
        foreach (var candidate in _all)
        {
            for (int i = 0; i < 20; i++) Assert.False(Fails(candidate));
            _now += 50_000;
        }

        _now += 300_000;
        for (int i = 0; i < 20; i++) Assert.False(Fails(_all[0]));
    }

    [Fact]
    public void One_that_goes_on_to_fail_while_calls_at_the_others_do_not_end_is_ejected()
    {
        foreach (var other in _all[1..]) other.Calls = 5; // streams
        int faults = 1;
        for (; !Fails(_all[0]); _now += 10_000) Assert.InRange(++faults, 0, 100);
        Assert.True(faults > FaultWindow.FewestFaults, "It waits for what the others show.");
    }

    private bool Fails(FakeCandidate candidate) => candidate.Fail(_now) && _rules.TryEject(candidate, _all, _now);
}
