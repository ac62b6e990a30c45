using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Which connections end when their peers do not read, and what is held for them leaves no memory for the requests of others.</summary>
public sealed class HeldWatchTests : IDisposable
{
    private const int KiB = 1 << 10;
    private const int MiB = 1 << 20;
    private const long Limit = 16 * MiB;

    private readonly ConnectionLedger _ledger = new();
    private readonly List<ScriptedPeer> _peers = [];
    private readonly MemoryBudget _memory = new(Limit, BudgetLimits.Unbounded);
    private readonly UnsentWatch _sut;
    private readonly ConnectionOptions _options;

    public HeldWatchTests()
    {
        _sut = new UnsentWatch(_ledger, new Clock(TimeProvider.System), 1L << 30, _memory); // its clock is never read: the tests pass the time
        var shared = new SharedBudgets(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), _sut, _memory, _ => { });
        _options = new ConnectionOptions { Shared = shared, UnsentLimit = 64 * MiB, BulkUnsentLimit = 64 * MiB };
    }

    public void Dispose()
    {
        foreach (var peer in _peers) peer.End();
    }

    [Fact]
    public void Beyond_the_limit_those_that_hold_most_end_at_once_until_a_part_of_it_is_free()
    {
        var little = Open(100 * KiB);
        var much = Enumerable.Range(0, 18).Select(_ => Open(900 * KiB)).ToList();
        Assert.True(_memory.Used > Limit);
        Advance(100);
        Assert.False(IsEnded(little));
        Assert.InRange(_memory.Used, Limit / 2, Limit - Limit / 4);
        Assert.InRange(much.Count(IsEnded), 1, much.Count - 1);
        Assert.All(much.Where(IsEnded), peer => Assert.Equal(PeerLimit.UnsentOfServer, peer.Owner.End!.Limit));
    }

    [Fact]
    public void Within_the_limit_a_peer_has_a_second_before_it_ends_for_the_memory_of_others()
    {
        var peers = new List<ScriptedPeer>();
        while (_memory.Used <= Limit - Limit / 32 && peers.Count < 100) peers.Add(Open(Limit - _memory.Used > MiB ? 500 * KiB : 100 * KiB));
        Assert.InRange(_memory.Used, 0, Limit);
        Advance(900);
        Assert.DoesNotContain(peers, IsEnded);
        Assert.Equal(MemoryVerdict.NoRoom, _memory.Join(string.Empty).TryTake(128 * KiB));
        Advance(200);
        Assert.Contains(peers, IsEnded);
        Assert.Equal(MemoryVerdict.Granted, _memory.Join(string.Empty).TryTake(128 * KiB));
    }

    [Fact]
    public void Peers_that_do_not_read_are_left_alone_while_there_is_memory_for_others()
    {
        var peers = Enumerable.Range(0, 14).Select(_ => Open(500 * KiB)).ToList();
        Advance(20_000);
        Assert.DoesNotContain(peers, IsEnded);
        Assert.All(peers, peer => Assert.True(peer.Sut.Memory!.IsSlow));
    }

    private static bool IsEnded(ScriptedPeer peer) => peer.Owner.End is not null;

    /// <summary>Opens a connection whose peer asks for a reply and reads nothing of it.</summary>
    private ScriptedPeer Open(long reply)
    {
        var peer = ScriptedPeer.Open(accepting: true, _options);
        if (_peers.Count > 0) peer.Time.Advance(_peers[0].Time.GetUtcNow() - peer.Time.GetUtcNow());
        _ledger.Add(peer.Sut);
        _peers.Add(peer);
        peer.Methods.Add("test/Large").Handler = _ => new byte[reply];
        peer.Define(0, "test/Large");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        return peer;
    }

    private void Advance(int milliseconds)
    {
        foreach (var peer in _peers) peer.Time.Advance(TimeSpan.FromMilliseconds(milliseconds));
        _sut.OnTick(_peers[0].Sut.Clock.Now);
    }
}
