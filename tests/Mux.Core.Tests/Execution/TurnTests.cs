using System.Globalization;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Execution;

/// <summary>What user code leaves on a thread is not seen by the next call of the batch.</summary>
public sealed class TurnTests
{
    private static readonly AsyncLocal<string?> s_local = new();
    private readonly Connection _connection = ScriptedPeer.Open(accepting: true).Sut;

    [Fact]
    public void A_thread_owns_a_turn_from_enter_to_leave()
    {
        Assert.False(Turn.IsOwner(_connection));
        var turn = Turn.Enter(_connection);
        Assert.True(Turn.IsOwner(_connection));
        Assert.Same(_connection, Turn.Owner);

        turn.Leave();

        Assert.Null(Turn.Owner);
    }

    [Fact]
    public void An_async_local_that_user_code_set_is_taken_back()
    {
        s_local.Value = "before";
        var turn = Turn.Enter(_connection);
        s_local.Value = "of one call";

        turn.RestoreContext();

        Assert.Equal("before", s_local.Value);
        turn.Leave();
    }

    [Fact]
    public void A_culture_that_user_code_set_is_taken_back()
    {
        var before = CultureInfo.CurrentCulture;
        var turn = Turn.Enter(_connection);
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(before.Name == "tr-TR" ? "de-DE" : "tr-TR");

        turn.RestoreContext();

        Assert.Equal(before, CultureInfo.CurrentCulture);
        turn.Leave();
    }

    [Fact]
    public void A_synchronization_context_that_user_code_set_is_taken_off()
    {
        var before = SynchronizationContext.Current;
        var turn = Turn.Enter(_connection);
        SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());

        turn.RestoreContext();

        Assert.Null(SynchronizationContext.Current);
        turn.Leave();
        SynchronizationContext.SetSynchronizationContext(before);
    }

    [Fact]
    public void A_turn_inside_user_code_of_another_leaves_that_one_as_it_was()
    {
        var inner = ScriptedPeer.Open(accepting: true).Sut;
        s_local.Value = "before";
        var turn = Turn.Enter(_connection);
        s_local.Value = "of a call of the outer turn";
        var nested = Turn.Enter(inner);
        nested.Leave();

        turn.RestoreContext();

        Assert.Same(_connection, Turn.Owner);
        Assert.Equal("before", s_local.Value);
        turn.Leave();
    }

    [Fact]
    public void A_delivery_ends_its_turn_also_when_it_breaks_a_rule()
    {
        var peer = ScriptedPeer.Open(accepting: true);

        peer.SendFrame(0, default, []);

        Assert.NotNull(peer.Owner.End);
        Assert.Null(Turn.Owner);
    }
}
