using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// Decides which thread has a turn: the one that began it, or, while that one is in user code, another one that claims it. Exactly one of them succeeds.
/// </summary>
/// <remarks>
/// <para>The owner writes one word, sequence &lt;&lt; 2 | phase: Idle -> Owned -> InUser -> Owned. The sequence grows with every entry into user code; a word
/// repeats only when a pin is released, which is the same entry. Another thread writes the word that it has seen into the claim.</para>
/// <para>The owner does this for every call, the other thread almost never, so the owner pays only a store and a load: it stores that it is out of user code,
/// then reads the claim. The other thread stores its claim, makes every core pass a barrier, then reads the word. At least one of the two sees the other's
/// store, and whichever sees it settles the claim by a compare-and-swap. An atomic instruction per call would be 3 % of a small call.</para>
/// </remarks>
internal struct TurnRight
{
    private const ulong PhaseMask = 3;
    private const ulong Idle = 0;
    private const ulong Owned = 1;
    private const ulong InUser = 2;
    private const ulong Taken = 3; // only in a claim
    private const ulong NextEntry = 4;

    private static readonly Lock s_claims = new(); // one claim at a time: of two for the same word, one could take what the owner has refused the other

    private ulong _word; // written by the owner
    private ulong _claim; // 0; a word that another thread claims; or that word with the phase Taken, for good
    private ulong _entry; // the word of the last entry into user code

    /// <summary>The current word. Any thread.</summary>
    public readonly ulong Word => Volatile.Read(in _word);

    /// <summary>True if the owner runs no user code. For the owner.</summary>
    public readonly bool IsOwned => (_word & PhaseMask) == Owned && !IsTaken;

    /// <summary>True if another thread has the turn, for good. Any thread.</summary>
    public readonly bool IsTaken => (Volatile.Read(in _claim) & PhaseMask) == Taken;

    public static bool IsIdle(ulong word) => (word & PhaseMask) == Idle;

    public static bool IsInUser(ulong word) => (word & PhaseMask) == InUser;

    /// <summary>Begins the turn.</summary>
    public void Begin() => Volatile.Write(ref _word, _word & ~PhaseMask | Owned);

    /// <summary>Ends the turn. The owner has it, and is out of user code.</summary>
    public void End() => Volatile.Write(ref _word, _word & ~PhaseMask | Idle);

    /// <summary>Enters user code: from now on the turn may be taken.</summary>
    public void EnterUser()
    {
        Debug.Assert((_word & PhaseMask) == Owned);
        _entry = (_word & ~PhaseMask) + NextEntry | InUser;
        Volatile.Write(ref _word, _entry);
    }

    /// <summary>Leaves user code, or keeps the turn from being taken until <see cref="Unpin"/>.</summary>
    /// <returns>False if another thread has taken the turn.</returns>
    public bool TryLeaveUser()
    {
        Volatile.Write(ref _word, _entry & ~PhaseMask | Owned);
        return Volatile.Read(ref _claim) == 0 || TryRefuseClaim();
    }

    /// <summary>Is in user code again, at the same entry as before <see cref="TryLeaveUser"/>.</summary>
    public void Unpin() => Volatile.Write(ref _word, _entry);

    /// <summary>Takes the turn from its owner if that is still in the user code that it entered at <paramref name="word"/>. Any thread.</summary>
    public bool TryTake(ulong word)
    {
        lock (s_claims)
        {
            if (Interlocked.CompareExchange(ref _claim, word, 0) != 0) return false;
            Interlocked.MemoryBarrierProcessWide();
            if (Volatile.Read(ref _word) == word && Interlocked.CompareExchange(ref _claim, word | Taken, word) == word) return true;
            Interlocked.CompareExchange(ref _claim, 0, word); // unless the owner has refused it
            return false;
        }
    }

    private bool TryRefuseClaim()
    {
        while (true)
        {
            ulong claim = Volatile.Read(ref _claim);
            if ((claim & PhaseMask) == Taken) return false;
            if (claim == 0 || Interlocked.CompareExchange(ref _claim, 0, claim) == claim) return true;
        }
    }
}
