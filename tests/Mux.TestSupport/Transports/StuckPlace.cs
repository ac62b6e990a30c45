using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>One piece of user code inside <see cref="ILinkHandler.OnReceived"/>. Either it returns to its place, or another thread has taken that: whoever comes first.</summary>
public sealed class StuckPlace(HandOverProbe probe, int consumed)
{
    private const int Occupied = 0;
    private const int Returned = 1;
    private const int Taken = 2;

    private readonly Signal _release = new("the release of a stuck thread");
    private int _state;

    /// <summary>The user code is over, wherever it goes from there.</summary>
    public Signal Over { get; } = new("the end of stuck user code");

    /// <summary>The successor is not needed any more.</summary>
    public Signal SuccessorLeft { get; } = new("the return of HandOver");

    /// <summary>What user code that blocks does.</summary>
    public void Block() => _release.Wait();

    public void Release() => _release.Set();

    /// <summary>Has a thread of its own go on in this place; nothing happens when the user code has returned to it.</summary>
    public bool TryTake()
    {
        if (Interlocked.CompareExchange(ref _state, Taken, Occupied) != Occupied) return false;
        probe.GivePlace();
        new Thread(Succeed) { IsBackground = true, Name = "successor" }.UnsafeStart();
        return true;
    }

    /// <summary>For the user code's thread at the end of it: false when the place is another's.</summary>
    public bool TryReturn()
    {
        bool returned = Interlocked.CompareExchange(ref _state, Returned, Occupied) == Occupied;
        Over.Set();
        return returned;
    }

    private void Succeed()
    {
        probe.Link.HandOver(consumed);
        SuccessorLeft.Set();
    }
}
