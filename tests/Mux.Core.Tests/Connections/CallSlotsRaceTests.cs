using Mux.Connections;
using Mux.Contracts;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Reply, cancel, deadline and loss on four threads at the same calls: each call is decided by exactly one of them.</summary>
public sealed class CallSlotsRaceTests
{
    private const int Rounds = 400;
    private const int CallsPerRound = 256; // together 102,400 races

    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, MuxDispatch.Default, takesToken: false);
    private readonly Lock _gate = new();
    private readonly RacedCall[] _calls = new RacedCall[CallsPerRound];
    private readonly long[] _wonBy = new long[4];
    private CallSlots _sut;

    public CallSlotsRaceTests() => _sut = NewSlots();

    private enum Racer
    {
        Reply,
        Cancel,
        Deadline,
        Loss,
    }

    [Fact]
    public void Every_call_is_decided_by_exactly_one_of_reply_cancel_deadline_and_loss()
    {
        Racers.Run([.. Enum.GetValues<Racer>().Select(Racing), Referee]);

        Assert.Equal(Rounds * CallsPerRound, _wonBy.Sum());
        Assert.All(_wonBy[..3], won => Assert.True(won > 0, $"One of the racers never won: {string.Join(", ", _wonBy)}."));
    }

    private Action<Racers> Racing(Racer racer) => racers =>
    {
        for (int round = 0; round < Rounds; round++)
        {
            racers.Meet();
            Race(racer, round);
            racers.Meet();
        }
    };

    private void Referee(Racers racers)
    {
        for (int round = 0; round < Rounds; round++)
        {
            OpenAll(round);
            racers.Meet();
            racers.Meet();
            Assert.All(_calls, call => Assert.Equal(1, call.Winners));
            AnswerLate();
        }
    }

    private void OpenAll(int round)
    {
        if (round % 8 == 0) _sut = NewSlots(); // lost ones are not used again
        lock (_gate)
        {
            for (int i = 0; i < CallsPerRound; i++)
            {
                _calls[i] = new RacedCall { Method = s_echo };
                Assert.True(_sut.TryOpenLocked(_calls[i], _calls[i], position: 0));
            }
        }
    }

    /// <summary>Each walks through the calls of the round from another place, so that they meet.</summary>
    private void Race(Racer racer, int round)
    {
        if (racer == Racer.Loss)
        {
            if (round % 8 == 7) Lose();
            return;
        }

        for (int i = 0; i < CallsPerRound; i++)
        {
            var call = _calls[(i + (int)racer * 85) % CallsPerRound];
            if (racer == Racer.Reply) Reply(call);
            else GiveUp(call, racer);
        }
    }

    private void Reply(RacedCall call)
    {
        var result = _sut.Complete(call.Id, out var found);
        Assert.NotEqual(CallSlots.Terminal.Unknown, result);
        call.IsAnswered = true;
        if (result != CallSlots.Terminal.Completed) return;
        Assert.Same(call, found);
        Win(call, Racer.Reply);
    }

    private void GiveUp(RacedCall call, Racer racer)
    {
        lock (_gate)
        {
            ulong open = call.OpenWord;
            if (racer == Racer.Deadline && _sut.PeekLocked(call.Id.Slot, out open) != call) return;
            if (_sut.TryAbandonLocked(call.Id.Slot, open)) Win(call, racer);
        }
    }

    private void Lose()
    {
        lock (_gate)
        {
            _sut.CloseLocked(1, out var unsent, out var sent);
            Assert.Null(unsent);
            for (var call = sent; call is not null; call = call.Next) Win((RacedCall)call, Racer.Loss);
        }
    }

    private void Win(RacedCall call, Racer racer)
    {
        Interlocked.Increment(ref call.Winners);
        Interlocked.Increment(ref _wonBy[(int)racer]);
    }

    private void AnswerLate()
    {
        foreach (var call in _calls)
        {
            if (!call.IsAnswered) Assert.Equal(CallSlots.Terminal.Late, _sut.Complete(call.Id, out _));
        }

        lock (_gate) _sut.ReclaimLocked();
        Assert.Equal(0, _sut.Count);
    }

    private CallSlots NewSlots()
    {
        var slots = new CallSlots(_gate);
        lock (_gate) slots.SetLimitLocked(CallsPerRound);
        return slots;
    }

    private sealed class RacedCall : OutgoingCall
    {
        public int Winners;

        public bool IsAnswered { get; set; }

        public override void OnResponse(ReadOnlySpan<byte> body)
        {
        }

        public override void OnFailed(in CallFailure failure, bool inTurn)
        {
        }

        public override void OnAppended()
        {
        }
    }
}
