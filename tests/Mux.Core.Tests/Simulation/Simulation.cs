using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Simulation;

/// <summary>
/// Two connections, the pipes between them and their clock, on one thread: what happens next is drawn from a seed among everything that may. What other threads could do while a
/// sender is outside the lock happens inside its send. The same seed is the same run.
/// </summary>
internal sealed class Simulation
{
    /// <summary>How late a deadline may be noticed: one tick, which a timer rounds up to a millisecond.</summary>
    private const long LatestExpiry = Ticker.Resolution + Clock.MicrosecondsPerMillisecond;

    private readonly Random _random;
    private readonly SimulationProfile _profile;
    private readonly ManualTime _time = new();
    private readonly Clock _clock;
    private readonly History _history = new();
    private readonly WireObserver[] _observers;
    private readonly SimulatedSide[] _sides;
    private readonly SimulationEvents _events;
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private long _lastStep;

    public Simulation(int seed, SimulationProfile profile)
    {
        _random = new Random(seed);
        _profile = profile;
        _clock = new Clock(_time);
        var (dialer, accepter) = (SimulationSettings.Draw(_random, profile), SimulationSettings.Draw(_random, profile));
        _observers = [new("of the dialing side", accepter.Local), new("of the accepting side", dialer.Local)];
        (_observers[0].Other, _observers[1].Other) = (_observers[1], _observers[0]);
        var (forth, back) = (new SimulatedPipe(_observers[0]), new SimulatedPipe(_observers[1]));
        _sides =
        [
            new(new SimulatedLink(back, forth, _random), dialer, _clock, _history, _random, accepting: false),
            new(new SimulatedLink(forth, back, _random), accepter, _clock, _history, _random, accepting: true),
        ];
        _events = new SimulationEvents(_random, _sides, _time, profile);
    }

    private bool IsClean => _profile == SimulationProfile.Clean;

    /// <summary>Runs it to the end and checks everything.</summary>
    public void Run()
    {
        int steps = _random.Next(50, 1_000);
        for (int step = 0; step < steps; step++)
        {
            _events.Step();
            CheckStep();
        }

        _events.Heal();
        Settle();
        if (Array.TrueForAll(_sides, side => side.Connection is { State: ConnectionState.Open } connection && connection.TakesCalls)) CheckQuiet();
        if (_random.Next(2) == 0) _sides[0].Connection.BeginDrain(20_000_000);
        if (_random.Next(3) > 0 || _sides[0].Connection.State <= ConnectionState.Open) _sides[1].Connection.BeginDrain(20_000_000);
        for (int i = 0; i < 700 && !Array.TrueForAll(_sides, side => side.IsReleased); i++)
        {
            Settle();
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }

        CheckEnd();
    }

    /// <summary>Lets everything happen that needs no time.</summary>
    private void Settle()
    {
        for (int i = 0; _events.TrySettleStep(); i++)
        {
            CheckStep();
            Assert.True(i < 1_000_000, "The simulation does not come to rest.");
        }
    }

    /// <summary>Holds after every step.</summary>
    private void CheckStep()
    {
        foreach (var side in _sides)
        {
            var connection = side.Connection;
            Assert.Equal(side.StartedCalls - side.DoneCalls, connection.Initiator.Started - connection.Initiator.TurnTally.Total - connection.Initiator.LockedTally.Total);
            Assert.InRange(connection.RequestCounts.OpenCount, side.Busy.Sum(method => method.Waiting), int.MaxValue);
            if (connection.State > ConnectionState.Open && side.WorkItems == 0) Assert.Equal(side.RunningHandlersWithToken, side.CancelledHandlers);
            if (connection.State != ConnectionState.Open) continue;
            Assert.InRange(connection.Initiator.OpenCount, 0, connection.Peer.MaxCalls);
            Assert.InRange(connection.RequestCounts.OpenCount, 0, connection.Options.Local.MaxCalls);
        }

        Assert.InRange(_time.ArmedTimers, 0, 1);
        if (_clock.Now == _lastStep) return;
        _lastStep = _clock.Now;
        foreach (var call in _sides.SelectMany(side => side.Calls))
            Assert.True(call.IsDone || call.Due == Clock.Never || _lastStep - call.Due <= LatestExpiry, $"Call {call.Nonce} was due at {call.Due} and is open at {_lastStep}.");
    }

    /// <summary>Holds when all calls are done and nothing is on its way.</summary>
    private void CheckQuiet()
    {
        foreach (var side in _sides)
        {
            var connection = side.Connection;
            Assert.All(side.Calls, call => call.CheckAgainstHistory());
            Assert.Equal((0, 0, 0), (connection.Initiator.OpenCount, connection.Initiator.WaitingCount, connection.RequestCounts.OpenCount));
            Assert.Equal(0, connection.Outbound.Unsent);
        }

        Assert.All(_observers, observer => Assert.Equal((0, true), (observer.OpenCalls, observer.IsWhole)));
        AssertBuffersAreBack();
    }

    /// <summary>No more buffers are out than at the start. Fewer may be: a link of an earlier test may end only now.</summary>
    private void AssertBuffersAreBack() => Assert.InRange(BufferPool.Outstanding, 0, _buffersBefore);

    /// <summary>Holds when both sides are released.</summary>
    private void CheckEnd()
    {
        foreach (var side in _sides)
        {
            Assert.True(side.IsReleased, $"A connection did not end; it is {side.Connection.State}.");
            Assert.NotNull(side.End);
            Assert.All(side.Calls, call => call.CheckAgainstHistory());
            Assert.Equal(0, side.Connection.RequestCounts.OpenCount);
            if (!IsClean) continue;
            Assert.All(side.Calls, call => Assert.True(call.Status is MuxStatus.Ok or MuxStatus.NotFound or MuxStatus.Unimplemented, $"A call ended with {call.Status}."));
            Assert.True(side.End.Reason is CloseReason.Drained or CloseReason.PeerDrained, $"The connection ended with {side.End}.");
        }

        Assert.DoesNotContain(_sides, side => side.End?.Reason is CloseReason.ProtocolError or CloseReason.Internal or CloseReason.PeerError);
        AssertBuffersAreBack();
        Assert.Equal((0, 0), (_time.ArmedTimers, Ticker.For(_clock).Count));
    }
}
