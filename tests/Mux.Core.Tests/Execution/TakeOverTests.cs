using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>The word by which a thread in user code and one that wants to go on in its place decide whose the turn is.</summary>
public sealed class TakeOverTests
{
    private readonly Host _host = new();

    [Fact]
    public void A_turn_that_nobody_took_over_stays_its_threads()
    {
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        Assert.True(turn.TryLeaveUser());
        Assert.True(Turn.IsOwner(_host));
        turn.Leave();
    }

    [Fact]
    public void A_turn_can_be_taken_over_while_user_code_runs_and_only_once()
    {
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        ulong word = turn.Word;
        Assert.True(turn.TryTakeOver(word));
        Assert.False(turn.TryTakeOver(word));
        Assert.False(Turn.IsOwner(_host));
        Assert.Null(Turn.Owner);
        Assert.False(turn.TryLeaveUser());
        Assert.True(turn.IsLost);
        turn.Leave();
    }

    [Fact]
    public void Who_looked_before_the_last_entry_comes_too_late()
    {
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        ulong word = turn.Word;
        Assert.True(turn.TryLeaveUser());
        Assert.False(turn.TryTakeOver(word));
        turn.EnterUser(null);
        Assert.False(turn.TryTakeOver(word));
        Assert.True(turn.TryLeaveUser());
        turn.Leave();
    }

    [Fact]
    public void A_pinned_turn_is_not_taken_over()
    {
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        ulong word = turn.Word;
        using (var pin = turn.Pin())
        {
            Assert.True(pin.IsOwner);
            Assert.False(turn.TryTakeOver(word));
        }

        Assert.True(turn.TryTakeOver(word));
        using (var pin = turn.Pin()) Assert.False(pin.IsOwner);
        Assert.False(turn.TryLeaveUser());
        turn.Leave();
    }

    [Fact]
    public void After_a_lost_turn_the_thread_has_another_one()
    {
        var lost = Turn.Enter(_host);
        lost.EnterUser(null);
        lost.TryTakeOver(lost.Word);
        lost.TryLeaveUser();
        lost.Leave();
        var next = Turn.Enter(_host);
        Assert.NotSame(lost, next);
        Assert.True(Turn.IsOwner(_host));
        next.Leave();
    }

    [Fact]
    public void What_is_appended_to_another_host_is_flushed_when_the_batch_ends()
    {
        var other = new Host();
        Turn? markedBy = null;
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        Assert.True(Defers(other, ref markedBy));
        Assert.True(Defers(other, ref markedBy));
        Assert.True(turn.TryLeaveUser());
        turn.Leave();
        Assert.Equal(0, other.Flushes);
        Turn.FlushMarked();
        Assert.Equal(1, other.Flushes);
    }

    [Fact]
    public void Outside_a_turn_nothing_is_deferred()
    {
        Turn? markedBy = null;
        Assert.False(Turn.Defers(_host, ref markedBy));
    }

    [Fact]
    public void Who_goes_on_flushes_what_the_lost_turn_owed_and_the_lost_one_defers_nothing_more()
    {
        var other = new Host();
        Turn? markedBy = null;
        var turn = Turn.Enter(_host);
        turn.Position = 42;
        turn.EnterUser(null);
        Assert.True(Defers(other, ref markedBy));
        Assert.True(turn.TryTakeOver(turn.Word));
        var successor = new Thread(() =>
        {
            Turn.Succeed(turn);
            Turn.FlushMarked();
        });
        successor.Start();
        successor.Join();
        Assert.Equal((42, 1), (_host.WentOnAt, other.Flushes));
        Assert.False(Turn.Defers(other, ref markedBy));
        Assert.False(Turn.Defers(_host, ref markedBy));
        Assert.False(turn.TryLeaveUser());
        turn.Leave();
    }

    [Fact]
    public void Of_a_thread_that_leaves_and_one_that_takes_over_exactly_one_succeeds()
    {
        const int Rounds = 5_000;
        int left = 0, taken = 0;
        for (int round = 0; round < Rounds; round++)
        {
            var turn = Turn.Enter(_host);
            turn.EnterUser(null);
            ulong word = turn.Word;
            bool isTaken = false;
            int ready = 0;
            var thief = new Thread(() =>
            {
                Interlocked.Increment(ref ready);
                while (Volatile.Read(ref ready) < 2) { }
                isTaken = turn.TryTakeOver(word);
            });
            thief.Start();
            Interlocked.Increment(ref ready);
            while (Volatile.Read(ref ready) < 2) { }
            bool hasLeft = turn.TryLeaveUser();
            thief.Join();
            Assert.NotEqual(hasLeft, isTaken);
            if (hasLeft) left++;
            else taken++;
            turn.Leave();
            if (round > 200 && left > 10 && taken > 10) break;
        }

        Assert.True(left > 0 && taken > 0, $"{left} left, {taken} taken over: the two never met.");
    }

    [Fact]
    public void In_a_turn_that_stays_with_its_thread_nothing_is_deferred_for_others()
    {
        Turn? markedBy = null;
        var turn = Turn.Enter(_host);
        turn.EnterUser(null);
        Assert.False(Turn.Defers(new Host(), ref markedBy)); // if the code blocked, nobody would send it
        Assert.True(Turn.Defers(_host, ref markedBy));
        Assert.True(turn.TryLeaveUser());
        turn.Leave();
    }

    private bool Defers(Host host, ref Turn? markedBy)
    {
        _host.CanHandOver = true;
        bool defers = Turn.Defers(host, ref markedBy);
        _host.CanHandOver = false;
        return defers;
    }

    private sealed class Host : ITurnHost
    {
        public int Flushes { get; private set; }

        public int WentOnAt { get; private set; }

        /// <summary>False but for moments, because the real monitor looks at these turns as well.</summary>
        public bool CanHandOver { get; set; }

        public void GoOn(int position) => WentOnAt = position;

        public void Flush() => Flushes++;

        public void OnBlocked(Placement? code, bool refused) => Assert.Fail("Nobody was to tell.");
    }
}
