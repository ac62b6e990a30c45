using Mux.Engine;
using Mux.Runtime;

namespace Mux.Core.Tests.Connections;

public sealed class DrainTests
{
    private readonly Drain _sut = new();

    [Fact]
    public void A_drain_begins_once_and_a_second_one_can_only_shorten_the_grace()
    {
        Assert.True(_sut.BeginLocal(acknowledgeDue: 5, graceDue: 100));
        Assert.False(_sut.BeginLocal(acknowledgeDue: 7, graceDue: 200));
        Assert.Equal(100, _sut.GraceDue);

        Assert.False(_sut.BeginLocal(acknowledgeDue: 7, graceDue: 50));

        Assert.Equal(50, _sut.GraceDue);
    }

    [Fact]
    public void It_is_settled_by_the_acknowledgement()
    {
        _sut.BeginLocal(5, 100);
        Assert.False(_sut.IsSettled);

        Assert.True(_sut.Acknowledge());

        Assert.True(_sut.IsSettled);
        Assert.True(_sut.IsAcknowledged);
    }

    [Fact]
    public void It_is_settled_when_the_acknowledgement_does_not_come_but_requests_are_still_taken()
    {
        _sut.BeginLocal(5, 100);

        _sut.OnTick(5, callsOpen: true);

        Assert.True(_sut.IsSettled);
        Assert.False(_sut.IsAcknowledged);
    }

    [Fact]
    public void An_acknowledgement_of_nothing_or_a_second_one_is_refused()
    {
        Assert.False(_sut.Acknowledge());
        _sut.BeginLocal(5, 100);
        Assert.True(_sut.Acknowledge());

        Assert.False(_sut.Acknowledge());
    }

    [Fact]
    public void A_late_acknowledgement_counts()
    {
        _sut.BeginLocal(5, 100);
        _sut.OnTick(6, callsOpen: true);

        Assert.True(_sut.Acknowledge());
        Assert.True(_sut.IsAcknowledged);
    }

    [Fact]
    public void A_peer_drains_once()
    {
        Assert.True(_sut.BeginPeer());
        Assert.False(_sut.BeginPeer());
        Assert.True(_sut.IsPeer);
        Assert.False(_sut.IsSettled);
    }

    [Fact]
    public void A_draining_peer_is_waited_for_from_the_first_moment_without_calls()
    {
        _sut.BeginPeer();

        Assert.Equal(15, _sut.AwaitPeer(10, timeout: 5));
        Assert.Equal(15, _sut.AwaitPeer(12, timeout: 5));
        _sut.OnTick(14, callsOpen: false);
        Assert.False(_sut.IsPeerOverdue);
        _sut.OnTick(15, callsOpen: false);

        Assert.True(_sut.IsPeerOverdue);
    }

    [Fact]
    public void A_draining_peer_with_calls_open_is_waited_for_anew()
    {
        _sut.BeginPeer();
        _sut.AwaitPeer(10, timeout: 5);

        _sut.OnTick(15, callsOpen: true);

        Assert.False(_sut.IsPeerOverdue);
        Assert.Equal(25, _sut.AwaitPeer(20, timeout: 5));
    }

    [Fact]
    public void The_earliest_time_is_the_one_to_act()
    {
        Assert.Equal(Clock.Never, _sut.Due);
        _sut.BeginLocal(acknowledgeDue: 50, graceDue: 40);
        Assert.Equal(40, _sut.Due);
        _sut.AwaitPeer(10, timeout: 5);

        Assert.Equal(15, _sut.Due);
    }
}
