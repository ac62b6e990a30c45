using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class InboundCancellationTests
{
    private readonly Session _session = ScriptedPeer.Open(accepting: true).Sut;

    [Fact]
    public async Task The_token_of_its_request_fires()
    {
        var sut = InboundCancellation.Rent(_session, new CallId(1, 1));

        sut.Cancel(_session, new CallId(1, 1), CancelReason.Unspecified);

        await sut.FiresAsync();
    }

    [Fact]
    public void Another_request_of_the_slot_or_another_connection_cannot_cancel_it()
    {
        var sut = InboundCancellation.Rent(_session, new CallId(1, 2));
        var work = new ManualWork();

        sut.Cancel(_session, new CallId(1, 1), CancelReason.Unspecified);
        sut.Cancel(new ScriptedPeer(accepting: true, new ConnectionOptions { Work = work }).Sut, new CallId(1, 2), CancelReason.Unspecified);

        Assert.False(sut.Token.IsCancellationRequested);
        Assert.Equal(0, work.Count);
        sut.Release();
    }

    [Fact]
    public void One_whose_token_was_in_a_context_is_not_used_again()
    {
        var sut = InboundCancellation.Rent(_session, new CallId(1, 1));
        var context = new MuxCallContext { CancellationToken = sut.Token };
        using var scope = sut.Enter(context);
        Assert.Same(context, MuxCallContext.Current);
        sut.Release();
        Assert.Null(MuxCallContext.Current);

        var next = InboundCancellation.Rent(_session, new CallId(1, 2));

        Assert.NotEqual(context.CancellationToken, next.Token);
        next.Release();
    }

    [Fact]
    public void A_released_one_is_used_again_and_a_cancelled_one_never()
    {
        var released = InboundCancellation.Rent(_session, new CallId(1, 1));
        released.Release();
        Assert.Same(released, InboundCancellation.Rent(_session, new CallId(1, 2)));
        released.Cancel(_session, new CallId(1, 2), CancelReason.Unspecified);
        released.Release();

        Assert.NotSame(released, InboundCancellation.Rent(_session, new CallId(1, 3)));
    }

    [Fact]
    public async Task An_abandoned_one_fires_and_is_not_used_again()
    {
        var sut = InboundCancellation.Rent(_session, new CallId(1, 1));
        sut.Abandon();
        sut.Abandon();
        sut.Release();
        Assert.NotSame(sut, InboundCancellation.Rent(_session, new CallId(1, 2)));
        await sut.FiresAsync();
    }

    [Fact]
    public void A_callback_of_an_earlier_handler_is_gone_when_it_is_used_again()
    {
        bool called = false;
        var sut = InboundCancellation.Rent(_session, new CallId(1, 1));
        sut.Token.Register(() => called = true);
        sut.Release();

        var again = InboundCancellation.Rent(_session, new CallId(1, 2));
        Assert.Same(sut, again);
        var work = new ManualWork();
        var session = new ScriptedPeer(accepting: true, new ConnectionOptions { Work = work }).Sut;
        again.Release();
        InboundCancellation.Rent(session, new CallId(1, 3)).Cancel(session, new CallId(1, 3), CancelReason.Unspecified);
        work.RunAll();

        Assert.True(sut.Token.IsCancellationRequested);
        Assert.False(called);
    }

    [Fact]
    public void Cancelling_after_the_release_does_nothing()
    {
        var work = new ManualWork();
        var session = new ScriptedPeer(accepting: true, new ConnectionOptions { Work = work }).Sut;
        var sut = InboundCancellation.Rent(session, new CallId(1, 1));
        sut.Release();

        sut.Cancel(session, new CallId(1, 1), CancelReason.Unspecified);

        Assert.Equal(0, work.Count);
    }

    [Fact]
    public void What_a_callback_throws_is_told_to_the_owner()
    {
        var work = new ManualWork();
        var peer = new ScriptedPeer(accepting: true, new ConnectionOptions { Work = work });
        var sut = InboundCancellation.Rent(peer.Sut, new CallId(1, 1));
        sut.Token.Register(() => throw new InvalidOperationException("callback"));

        sut.Cancel(peer.Sut, new CallId(1, 1), CancelReason.Unspecified);
        work.RunAll();

        Assert.Equal("callback", Assert.Single(Assert.IsType<AggregateException>(Assert.Single(peer.Owner.UserErrors)).InnerExceptions).Message);
    }

    [Fact]
    public void A_cancel_that_is_late_never_hits_the_next_request()
    {
        const int rounds = 50_000;
        var work = new ManualWork();
        var session = new ScriptedPeer(accepting: true, new ConnectionOptions { Work = work }).Sut;
        InboundCancellation? current = null;
        uint currentGeneration = 0;
        bool done = false;

        Racers.Run(
            _ =>
            {
                while (!Volatile.Read(ref done))
                {
                    // The look at the slot and the object, as a CANCEL or a deadline has them, may be from different moments.
                    uint generation = Volatile.Read(ref currentGeneration);
                    Volatile.Read(ref current)?.Cancel(session, new CallId(1, generation - 1), CancelReason.Unspecified);
                }
            },
            _ =>
            {
                for (uint round = 1; round <= rounds; round++)
                {
                    var cancellation = InboundCancellation.Rent(session, new CallId(1, 2 * round));
                    Volatile.Write(ref current, cancellation);
                    Volatile.Write(ref currentGeneration, 2 * round);
                    cancellation.Release();
                }

                Volatile.Write(ref done, true);
            });

        Assert.Equal(0, work.Count);
    }
}
