using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Which connections end when all of them together hold too much for peers that do not read.</summary>
public sealed class UnsentWatchTests : IDisposable
{
    private const int KiB = 1 << 10;
    private const long Limit = 2 << 20;

    private readonly ConnectionLedger _ledger = new();
    private readonly List<Reader> _readers = [];
    private readonly UnsentWatch _sut;
    private readonly ConnectionOptions _options;

    public UnsentWatchTests()
    {
        var clock = new Clock(TimeProvider.System); // never read: the tests pass the time
        _sut = new UnsentWatch(_ledger, clock, Limit);
        var memory = new MemoryBudget(BudgetLimits.Unbounded, BudgetLimits.Unbounded);
        var shared = new SharedBudgets(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), _sut, memory, _ => { });
        _options = new ConnectionOptions { Shared = shared, UnsentLimit = 8 << 20 };
    }

    public void Dispose()
    {
        foreach (var reader in _readers) reader.Peer.End();
    }

    [Fact]
    public void A_peer_that_reads_slowly_and_evenly_is_kept_before_those_that_read_a_trickle_of_much_more()
    {
        var honest = Open(256 * KiB);
        var flooders = Enumerable.Range(0, 3).Select(_ => Open(1024 * KiB)).ToList();
        for (int step = 1; step <= 240; step++)
        {
            Advance(50);
            if (step % 5 == 1) honest.Read(16 * KiB); // 64 KiB a second, 200 ms ago in the end
            foreach (var flooder in flooders.Where(_ => step % 3 == 0)) flooder.Read(64 * KiB);
        }

        Tick();
        Assert.False(honest.IsEnded);
        Assert.Equal(2, flooders.Count(flooder => flooder.IsEnded));
        Assert.All(flooders.Where(flooder => flooder.IsEnded), flooder => Assert.Equal(PeerLimit.UnsentOfServer, flooder.Peer.Owner.End!.Limit));
    }

    [Fact]
    public void A_small_queue_that_has_waited_for_long_is_kept_before_large_ones_that_have_just_come()
    {
        var small = Open(64 * KiB);
        Advance(5_000);
        var large = Enumerable.Range(0, 3).Select(_ => Open(1024 * KiB)).ToList();
        Advance(100);
        Tick();
        Assert.False(small.IsEnded);
        Assert.Equal(2, large.Count(reader => reader.IsEnded));
    }

    [Fact]
    public void Of_equal_queues_the_one_that_has_waited_longest_is_ended()
    {
        var readers = new List<Reader>();
        for (int i = 0; i < 4; i++)
        {
            readers.Add(Open(600 * KiB));
            Advance(100);
        }

        Tick();
        Assert.Equal([true, false, false, false], readers.Select(reader => reader.IsEnded));
        Tick();
        Assert.Equal(1, readers.Count(reader => reader.IsEnded)); // the rest is within the limit
    }

    [Fact]
    public void A_peer_that_reads_fast_for_long_is_kept_before_one_that_has_read_nothing_for_a_while()
    {
        var fast = Open(1200 * KiB);
        for (int step = 1; step <= 100; step++)
        {
            if (step == 80) Open(1000 * KiB);
            Advance(200);
            fast.Read(400 * KiB);
        }

        Tick();
        Assert.Equal([false, true], _readers.Select(reader => reader.IsEnded));
    }

    [Fact]
    public void A_connection_that_is_gone_and_has_running_handlers_holds_nothing()
    {
        var gone = Open(1500 * KiB);
        gone.Peer.Methods.Add("test/Later");
        gone.Peer.Define(1, "test/Later");
        gone.Peer.Request(new CallId(2, 1), 1, []);
        var other = Open(1500 * KiB);
        gone.Peer.End();
        _ledger.Retire(gone.Peer.Sut);
        _readers.Remove(gone);
        Advance(1_000);
        Tick();
        Assert.Equal([gone.Peer.Sut, other.Peer.Sut], _ledger.Connections.OrderBy(connection => connection == other.Peer.Sut));
        Assert.False(other.IsEnded);
    }

    private Reader Open(int waiting)
    {
        var peer = ScriptedPeer.Open(accepting: true, _options);
        if (_readers.Count > 0) peer.Time.Advance(_readers[0].Peer.Time.GetUtcNow() - peer.Time.GetUtcNow());
        _ledger.Add(peer.Sut);
        var reader = new Reader(peer, waiting);
        _readers.Add(reader);
        return reader;
    }

    private void Advance(int milliseconds)
    {
        foreach (var reader in _readers) reader.Peer.Time.Advance(TimeSpan.FromMilliseconds(milliseconds));
    }

    private void Tick() => _sut.OnTick(_readers[0].Peer.Sut.Clock.Now);

    /// <summary>A peer that keeps some bytes waiting: it asks for more when it has read some.</summary>
    private sealed class Reader
    {
        private const int ReplyBytes = 4_000;

        private readonly int _waiting;
        private uint _requests;

        public Reader(ScriptedPeer peer, int waiting)
        {
            (Peer, _waiting) = (peer, waiting);
            peer.Methods.Add("test/Some").Handler = static _ => new byte[ReplyBytes];
            peer.Define(0, "test/Some");
            peer.StopReading();
            Ask();
        }

        public ScriptedPeer Peer { get; }

        public bool IsEnded => Peer.Owner.End is not null;

        public void Read(int bytes)
        {
            Peer.Link.Grow(Peer.Link.SentBytes + bytes);
            Ask();
        }

        private void Ask()
        {
            while (Peer.Sut.Outbound.Unsent + ReplyBytes <= _waiting) Peer.Request(new CallId(1, ++_requests), 0, []);
        }
    }
}
