namespace Mux.Execution;

/// <summary>What <see cref="Turn.Pin"/> gives: while it lives, the turn stays this thread's, if it was.</summary>
internal readonly ref struct PinnedTurn(Turn turn, bool wasInUser)
{
    /// <summary>Whether the turn is this thread's.</summary>
    public bool IsOwner => turn is not null;

    public void Dispose()
    {
        if (wasInUser) turn.Unpin();
    }
}
