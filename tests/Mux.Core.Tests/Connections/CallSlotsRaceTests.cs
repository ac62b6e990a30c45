using Mux.Contracts;
using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>The turn's reply against cancel, deadline and loss on another thread, 100,000 times over: each call is decided by exactly one of them.</summary>
public sealed class CallSlotsRaceTests
{
    private const int Rounds = 34_000;

    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private readonly Lock _gate = new();
    private readonly CallSlots _sut;
    private RacedCall _call = null!;
    private int _round;
    private int _done;

    public CallSlotsRaceTests()
    {
        _sut = new CallSlots(_gate);
        lock (_gate) _sut.SetLimitLocked(3);
    }

    [Fact]
    public void A_call_is_decided_by_its_reply_or_by_its_callers_cancel() => Race(call => _sut.TryAbandonLocked(call.Id.Slot, call.OpenWord));

    [Fact]
    public void A_call_is_decided_by_its_reply_or_by_its_deadline() => Race(call => _sut.PeekLocked(call.Id.Slot, out ulong open) == call && _sut.TryAbandonLocked(call.Id.Slot, open));

    [Fact]
    public void A_call_is_decided_by_its_reply_or_by_the_loss_of_its_connection() => Race(call =>
    {
        var outcomes = default(CallOutcomes);
        var lost = new CallFailure(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "lost");
        _sut.CloseLocked(sentUpTo: 1, out var unsent, out var sent, (lost, lost), ref outcomes);
        Assert.Null(unsent);
        Assert.True(sent is null || (sent == call && sent.Next is null));
        return sent == call;
    });

    [Fact]
    public void A_call_that_the_turn_opened_is_decided_by_its_reply_or_by_its_callers_cancel() =>
        Race(call => _sut.TryAbandonLocked(call.Id.Slot, call.OpenWord), inTurn: true);

    private void Race(Func<RacedCall, bool> giveUpLocked, bool inTurn = false)
    {
        int replies = 0;
        Racers.Run(
            _ =>
            {
                for (int round = 1; round <= Rounds; round++)
                {
                    WaitFor(ref _round, round);
                    lock (_gate)
                    {
                        if (giveUpLocked(_call)) _call.GivenUp = true;
                    }

                    Volatile.Write(ref _done, round);
                }
            },
            _ =>
            {
                var random = new Random(1);
                for (int round = 1; round <= Rounds; round++)
                {
                    if (inTurn && _sut.HasTurnFree) OpenInTurn();
                    else Open();
                    Volatile.Write(ref _round, round);
                    if (round % 8 == 0) WaitFor(ref _done, round); // so that the other side wins also where there is one core
                    else Thread.SpinWait(random.Next(30)); // about as long as the other side takes to see the round
                    bool replied = Reply();
                    WaitFor(ref _done, round);
                    if (replied == _call.GivenUp) Assert.Fail($"Round {round}: {(replied ? "both" : "none")} of them had the call.");
                    if (replied) replies++;
                    if (inTurn) continue; // the next call opens in the slot at once
                    lock (_gate) _sut.ReclaimLocked();
                }
            });

        Assert.InRange(replies, 1, Rounds - 1);
        Assert.Equal(0, _sut.Count);
    }

    private void Open()
    {
        _call = new RacedCall { Method = s_echo };
        lock (_gate) Assert.True(_sut.TryOpenLocked(_call, _call, position: 0));
    }

    private void OpenInTurn()
    {
        _call = new RacedCall { Method = s_echo };
        _sut.OpenInTurn(_call, offset: 0);
        lock (_gate)
        {
            Assert.Equal(CallSlots.NoSlot, _sut.PlaceLocked(_sut.TakeTurnOpenedLocked(), start: 0, out var open));
            Assert.Equal(_call, open);
        }
    }

    /// <summary>The terminal frame: it completes the call, or comes late and frees its slot all the same.</summary>
    private bool Reply()
    {
        var result = _sut.Complete(_call.Id, out var found);
        if (result == CallSlots.Terminal.Late) return false;
        Assert.Equal((CallSlots.Terminal.Completed, _call), (result, found));
        return true;
    }

    private static void WaitFor(ref int counter, int value)
    {
        var spinner = default(SpinWait);
        long end = Environment.TickCount64 + 60_000;
        while (Volatile.Read(ref counter) < value)
        {
            spinner.SpinOnce(sleep1Threshold: -1);
            if (Environment.TickCount64 > end) throw new TimeoutException("Waited 60 s for the other racer.");
        }
    }

    private sealed class RacedCall : OutgoingCall
    {
        public bool GivenUp { get; set; }

        public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
        {
        }

        public override void OnFailed(CallFailure failure, bool inTurn)
        {
        }

        public override void OnAppended()
        {
        }
    }
}
