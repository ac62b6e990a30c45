using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

public sealed class EjectionTests
{
    private const long Second = 1_000_000, Tick = 100_000;

    private readonly EjectionRules _rules = new(BalancingSettings.Default);
    private readonly BalancingPolicy _policy = BalancingPolicy.Create(BalancingSettings.Default, 1);
    private FakeCandidate[] _all = FakeCandidate.Several(4);
    private long _now = 100 * Second;

    [Theory]
    [InlineData(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, true)] // lost
    [InlineData(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, true)] // refused without a drain
    [InlineData(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, true)] // it takes no calls
    [InlineData(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Handler, true)]
    [InlineData(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, true)]
    [InlineData(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode, false)] // a request that cannot be encoded
    [InlineData(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler, true)]
    [InlineData(MuxStatus.DataLoss, MuxExecution.Executed, MuxCallPhase.Decode, true)]
    [InlineData(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, true)]
    [InlineData(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue, false)] // before it was sent
    [InlineData(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, true)] // it lacks a method that the others have
    [InlineData(MuxStatus.Unimplemented, MuxExecution.Executed, MuxCallPhase.Handler, false)]
    [InlineData(MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, true)]
    [InlineData(MuxStatus.Ok, MuxExecution.Executed, MuxCallPhase.Handler, false)]
    [InlineData(MuxStatus.PermissionDenied, MuxExecution.Executed, MuxCallPhase.Handler, false)]
    [InlineData(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, false)]
    [InlineData(MuxStatus.InvalidArgument, MuxExecution.Executed, MuxCallPhase.Handler, false)]
    [InlineData(MuxStatus.Cancelled, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, false)]
    [InlineData(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, false)] // it is full
    public void Faults_are_those_of_the_endpoint_not_of_its_callers(MuxStatus status, MuxExecution execution, MuxCallPhase phase, bool isFault) =>
        Assert.Equal(isFault, EndpointFaults.IsFault(status, execution, phase));

    [Fact]
    public void It_happens_at_the_tenth_fault_of_a_second()
    {
        Assert.Equal(10, FaultsUntilEjected(_all[0]));
        Assert.True(_all[0].Ejection.IsEjected);
        Assert.Equal(_now + 5 * Second, _all[0].Ejection.Until);
        Assert.Equal(EjectionCause.FailedCalls, _all[0].Ejection.Cause);
    }

    [Fact]
    public void Faults_of_another_second_do_not_count()
    {
        for (int i = 0; i < 50; i++)
        {
            Assert.False(Fails(_all[0]));
            Advance(120_000); // at most nine in a second
        }
    }

    [Fact]
    public void Faults_of_another_second_do_not_count_although_nobody_has_looked_since()
    {
        for (int i = 0; i < FaultWindow.FewestFaults - 1; i++) Assert.False(Fails(_all[0]));
        _now += 1_450_000;
        for (int i = 0; i < FaultWindow.FewestFaults - 1; i++) Assert.False(Fails(_all[0]));
        Assert.True(Fails(_all[0]));
    }

    [Fact]
    public void Faults_of_half_of_the_calls_do_not_eject()
    {
        for (int i = 0; i < 1_000; i++)
        {
            _all[0].Succeed();
            Assert.False(Fails(_all[0]));
            if (i % 10 == 0) Advance(Tick);
        }

        int extra = 0;
        while (!Fails(_all[0])) Assert.InRange(++extra, 0, 200); // over half now
    }

    [Fact]
    public void What_all_fail_ejects_none()
    {
        for (int i = 0; i < 1_000; i++)
        {
            foreach (var candidate in _all) Assert.False(Fails(candidate));
            if (i % 10 == 0) Advance(Tick);
        }
    }

    [Fact]
    public void The_others_share_is_compared_also_when_they_have_many_more_calls()
    {
        for (int i = 0; i < 1_000; i++) _all[1].Fail(_now);
        for (int i = 0; i < 1_000; i++) _all[1].Succeed(); // half of the others' calls fail
        for (int i = 0; i < 20; i++) Assert.False(Fails(_all[0]));
    }

    [Fact]
    public void Five_connection_faults_in_a_row_eject()
    {
        _all[0].Opened = false;
        for (int i = 0; i < 4; i++) Assert.False(_all[0].OnConnectionFault(wasOfUse: false));
        Assert.False(_all[0].OnConnectionFault(wasOfUse: true)); // not in a row
        for (int i = 0; i < 3; i++) Assert.False(_all[0].OnConnectionFault(wasOfUse: false));
        Assert.True(_all[0].OnConnectionFault(wasOfUse: false));
        Assert.True(_rules.TryEject(_all[0], _all, _now));
    }

    [Fact]
    public void One_that_could_not_be_reached_is_probed_when_it_opens()
    {
        CannotBeReached();
        Open(Second);
        Assert.True(_all[0].Ejection.IsProbing);
        Probe(succeeds: true);
        Assert.False(_all[0].Ejection.IsOut);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(80)]
    [InlineData(600)]
    public void While_it_is_closed_nothing_probes_it_and_its_pause_does_not_grow(int seconds)
    {
        CannotBeReached();
        for (int second = 0; second < seconds; second++)
        {
            Advance(Second);
            Assert.False(_all[0].Ejection.IsProbing);
            if (_all[0].OnConnectionFault(wasOfUse: false)) Assert.False(_rules.TryEject(_all[0], _all, _now));
        }

        Assert.Equal(1, _all[0].Ejection.Times);
        Open(0);
        Assert.True(_all[0].Ejection.IsProbing);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_that_was_ejected_for_its_calls_is_probed_at_once_when_it_was_away_and_opens(bool hasFailedProbe)
    {
        FaultsUntilEjected(_all[0]);
        if (hasFailedProbe)
        {
            _now = _all[0].Ejection.Until;
            Advance(0);
            Probe(succeeds: false);
        }

        Assert.Equal(hasFailedProbe ? EjectionCause.FailedProbe : EjectionCause.FailedCalls, _all[0].Ejection.Cause);
        Close();
        Open(Second);
        Assert.True(_now < _all[0].Ejection.Until);
        Assert.True(_all[0].Ejection.IsProbing);
    }

    [Fact]
    public void Another_connection_of_one_that_is_open_is_no_reason_to_probe()
    {
        FaultsUntilEjected(_all[0]);
        _all[0].OnOpened(_now += Second);
        Assert.True(_all[0].Ejection.IsEjected);
    }

    [Fact]
    public void One_that_opens_and_is_lost_again_is_probed_when_it_opens_the_next_time()
    {
        CannotBeReached();
        Open(Second);
        Close(); // before a reply
        if (_all[0].OnConnectionFault(wasOfUse: false)) Assert.False(_rules.TryEject(_all[0], _all, _now));
        Assert.Equal((true, 1), (_all[0].Ejection.IsEjected, _all[0].Ejection.Times));
        Open(Second);
        Assert.True(_all[0].Ejection.IsProbing);
        Probe(succeeds: false);
        Assert.Equal((EjectionCause.FailedProbe, 2), (_all[0].Ejection.Cause, _all[0].Ejection.Times));
    }

    [Fact]
    public void The_times_are_those_of_the_options()
    {
        var settings = BalancingSettings.Default with { EjectionTime = Second, MaxEjectionTime = 3 * Second };
        _all = FakeCandidate.Several(4, settings);
        FaultsUntilEjected(_all[0]);
        Assert.Equal(Second, _all[0].Ejection.Until - _now);
        foreach (int seconds in (int[])[2, 3, 3])
        {
            _now = _all[0].Ejection.Until;
            Advance(0);
            Probe(succeeds: false);
            Assert.Equal(seconds * Second, _all[0].Ejection.Until - _now);
        }
    }

    [Fact]
    public void When_its_time_is_over_exactly_one_call_probes_it()
    {
        FaultsUntilEjected(_all[0]);
        Advance(5 * Second - Tick);
        Assert.Equal(0, PicksOf(_all[0], 1_000));
        Advance(Tick);
        Assert.Equal(1, PicksOf(_all[0], 1_000));
        Advance(Tick); // the call is open
        Assert.Equal(0, PicksOf(_all[0], 1_000));
        _all[0].Succeed();
        Advance(Tick);
        Assert.False(_all[0].Ejection.IsOut);
        Assert.InRange(PicksOf(_all[0], 4_000), 1, 400); // its share grows from a tenth
    }

    [Fact]
    public void A_call_with_a_key_probes_too()
    {
        FaultsUntilEjected(_all[0]);
        Advance(5 * Second);
        var set = CandidateSet.Build(_all, CandidateSet.Empty, _policy);
        Assert.Same(_all[0], _policy.Pick(set, null, CallKey.Of("k"), _now));
    }

    [Fact]
    public void A_probe_that_fails_ejects_for_twice_as_long_up_to_five_minutes()
    {
        FaultsUntilEjected(_all[0]);
        foreach (int seconds in (int[])[10, 20, 40, 80, 160, 300, 300])
        {
            _now = _all[0].Ejection.Until;
            Advance(0);
            Probe(succeeds: false);
            Assert.Equal(seconds * Second, _all[0].Ejection.Until - _now);
        }
    }

    [Fact]
    public void One_that_has_served_for_as_long_as_it_was_ejected_begins_anew()
    {
        FaultsUntilEjected(_all[0]);
        Return();
        Advance(3 * Second);
        FaultsUntilEjected(_all[0]);
        Assert.Equal(10 * Second, _all[0].Ejection.Until - _now);
        Return();
        Advance(11 * Second);
        FaultsUntilEjected(_all[0]);
        Assert.Equal(5 * Second, _all[0].Ejection.Until - _now);

        void Return()
        {
            _now = _all[0].Ejection.Until;
            Advance(0);
            Probe(succeeds: true);
        }
    }

    [Fact]
    public void A_probe_that_does_not_end_does_not_keep_an_endpoint_out_for_ever()
    {
        FaultsUntilEjected(_all[0]);
        Advance(5 * Second);
        Assert.Equal(1, PicksOf(_all[0], 100)); // a stream
        Advance(5 * Second);
        Assert.Equal(1, PicksOf(_all[0], 100));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 1)]
    [InlineData(3, 1)]
    [InlineData(4, 2)]
    [InlineData(9, 4)]
    public void At_most_half_are_ejected_and_never_the_last(int count, int expected)
    {
        _all = FakeCandidate.Several(count);
        foreach (var failing in _all[..^1])
        {
            for (int i = 0; i < 20; i++) Fails(failing);
            Advance(Tick);
        }

        for (int i = 0; i < 20; i++) Fails(_all[^1]);
        Assert.Equal(expected, _all.Count(candidate => candidate.Ejection.IsEjected));
    }

    [Fact]
    public void The_only_open_one_is_not_ejected()
    {
        _all = FakeCandidate.Several(2);
        _all[1].Opened = false;
        for (int i = 0; i < 100; i++) Assert.False(Fails(_all[0]));
    }

    [Fact]
    public void None_is_ejected_while_fewer_than_half_are_open()
    {
        _all = FakeCandidate.Several(5);
        foreach (var closed in _all[2..]) closed.Opened = false;
        for (int i = 0; i < 100; i++) Assert.False(Fails(_all[0]));
        _all[2].Opened = true;
        Advance(Tick);
        FaultsUntilEjected(_all[0]);
    }

    [Fact]
    public void A_leaving_one_is_not_ejected_and_does_not_count_among_those_of_which_half_may_be()
    {
        _all = FakeCandidate.Several(5);
        foreach (var leaving in _all[3..]) leaving.Endpoint = leaving.Endpoint with { IsLeaving = true };
        for (int i = 0; i < 100; i++) Assert.False(Fails(_all[3]));
        Advance(2 * Second);
        FaultsUntilEjected(_all[0]);
        Advance(Tick);
        for (int i = 0; i < 100; i++) Assert.False(Fails(_all[1])); // it would be the second of three
    }

    [Fact]
    public void One_that_fails_many_calls_is_compared_with_the_others_once_in_10_ms()
    {
        int compared = 0;
        for (int i = 0; i < 1_000; i++) compared += _all[0].Fail(_now + (i * 100)) ? 1 : 0; // 100 ms
        Assert.InRange(compared, 9, 11);
    }

    [Fact]
    public void Nothing_is_ejected_if_the_option_is_off()
    {
        var rules = new EjectionRules(BalancingSettings.Default with { Ejects = false });
        bool asked = false;
        for (int i = 0; i < 100; i++)
        {
            if (!_all[0].Fail(_now)) continue;
            asked = true;
            Assert.False(rules.TryEject(_all[0], _all, _now));
        }

        Assert.True(asked);
    }

    [Fact]
    public void Whatever_happens_at_most_half_are_left_out_never_the_last_and_all_return() => Seeds.ForEach(30, oneIn: 4, seed =>
    {
        var random = new Random(seed);
        var all = FakeCandidate.Several(random.Next(1, 12)).ToList();
        var set = CandidateSet.Build(all, CandidateSet.Empty, _policy);
        long now = random.Next(0, 10) * Second;
        int ejections = 0;
        for (int step = 0; step < 4_000; step++)
        {
            var one = all[random.Next(all.Count)];
            switch (random.Next(100))
            {
                case < 60: // a burst of calls, of which some endpoints fail many
                    for (int i = 0; i < 20 && set.Pickable.Length > 0; i++) End((FakeCandidate)_policy.Pick(set, null, CallKey.None, now)!, random.Next(10) < (all.IndexOf(one) % 3 == 0 ? 9 : 1));
                    break;
                case < 70:
                    one.Opened = !one.Opened;
                    if (one.Opened)
                    {
                        one.OnOpened(now);
                        break;
                    }

                    one.OnClosed();
                    if (one.OnConnectionFault(random.Next(2) == 0)) ejections += _rules.TryEject(one, all, now) ? 1 : 0;
                    break;
                case < 72 when all.Count < 20:
                    all.Add(new FakeCandidate(100 + step));
                    break;
                case < 74 when all.Count > 1:
                    all.Remove(one);
                    break;
                case < 76:
                    one.Endpoint = one.Endpoint with { IsLeaving = !one.Endpoint.IsLeaving };
                    break;
                default:
                    now += random.Next(0, 300_000);
                    foreach (var candidate in all) candidate.Refresh(now);
                    _rules.Advance(all, now);
                    break;
            }

            set = CandidateSet.Build(all, set, _policy);
            int staying = all.Count(candidate => !candidate.Endpoint.IsLeaving);
            int open = all.Count(candidate => candidate.IsOpen && !candidate.Endpoint.IsLeaving);
            int left = all.Count(candidate => candidate.IsOpen && !candidate.Endpoint.IsLeaving && !candidate.IsPickable);
            Assert.True(set.Pickable.Length > 0 || !all.Exists(candidate => candidate.IsOpen), "An open endpoint takes calls.");
            if (open > 0 && left == open)
            {
                Assert.All(all.Where(candidate => candidate.IsOpen && !candidate.IsLeaving), candidate => Assert.True(candidate.Ejection.IsOut));
                Assert.All(set.Pickable.ToArray(), candidate => Assert.True(candidate is { IsLeaving: true, Ejection.IsOut: false }));
                continue;
            }

            Assert.InRange(left, 0, staying / 2);
            if (open * 2 < staying) Assert.Equal(0, left);
        }

        foreach (var candidate in all.Where(candidate => !candidate.Opened))
        {
            candidate.Opened = true;
            candidate.OnOpened(now);
        }

        for (int i = 0; i < 3 * 300; i++) // nothing fails anymore
        {
            now += Second;
            foreach (var candidate in all) candidate.Refresh(now);
            _rules.Advance(all, now);
            set = CandidateSet.Build(all, set, _policy);
            End((FakeCandidate)_policy.Pick(set, null, CallKey.None, now)!, fails: false);
        }

        Assert.DoesNotContain(all, candidate => candidate.Ejection.IsOut && !candidate.Endpoint.IsLeaving);
        return ejections > 0;

        void End(FakeCandidate candidate, bool fails)
        {
            if (!fails) candidate.Succeed();
            else if (candidate.Fail(now) && _rules.TryEject(candidate, all, now)) ejections++;
        }
    });

    private bool Fails(FakeCandidate candidate) => candidate.Fail(_now) && _rules.TryEject(candidate, _all, _now);

    private int FaultsUntilEjected(FakeCandidate candidate)
    {
        int faults = 1;
        while (!Fails(candidate)) Assert.InRange(++faults, 0, 10_000);
        return faults;
    }

    private void CannotBeReached()
    {
        Close();
        for (int i = 0; i < FaultWindow.ConnectionFaults; i++) _all[0].OnConnectionFault(wasOfUse: false);
        Assert.True(_rules.TryEject(_all[0], _all, _now));
        Assert.Equal(EjectionCause.FailedConnections, _all[0].Ejection.Cause);
    }

    private void Close()
    {
        _all[0].Opened = false;
        _all[0].OnClosed();
    }

    private void Open(long after)
    {
        _all[0].Opened = true;
        _all[0].OnOpened(_now += after);
    }

    private void Advance(long time)
    {
        for (long end = _now + time; ;)
        {
            foreach (var candidate in _all) candidate.Refresh(_now);
            _rules.Advance(_all, _now);
            if (_now >= end) return;
            _now = Math.Min(_now + Tick, end);
        }
    }

    private int PicksOf(FakeCandidate candidate, int calls)
    {
        var set = CandidateSet.Build(_all, CandidateSet.Empty, _policy);
        return Enumerable.Range(0, calls).Count(_ => _policy.Pick(set, null, CallKey.None, _now) == candidate);
    }

    private void Probe(bool succeeds)
    {
        Assert.Equal(1, PicksOf(_all[0], 100));
        if (succeeds)
        {
            _all[0].Succeed();
            Advance(0);
        }
        else
        {
            Assert.True(Fails(_all[0]));
        }
    }
}
