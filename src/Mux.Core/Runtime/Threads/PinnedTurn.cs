namespace Mux.Runtime;

/// <summary>Result of <see cref="Turn.Pin"/>: until it is disposed, the turn stays with this thread if it was this thread's.</summary>
internal readonly ref struct PinnedTurn(Turn turn, bool wasInUser)
{
    /// <summary>True if this thread owns the turn.</summary>
    public bool IsOwner => turn is not null;

    public void Dispose()
    {
        if (wasInUser) turn.Unpin();
    }
}
