namespace Mux.Engine;

/// <summary>A call that waits for its key. Either the key is given to it, or its caller gives it up: the first of the two decides.</summary>
/// <param name="key">The key; see <see cref="KeyTable"/>.</param>
internal abstract class OrderedCall(ulong key)
{
    private const int Waits = 0, HasKey = 1, Ended = 2;

    private int _state = Waits;

    public ulong Key => key;

    /// <summary>Names the key while the call waits for it or has it: <see cref="KeyTable.Leave"/>. Written under the lock of its stripe.</summary>
    public int Place { get; set; }

    /// <summary>The table that it has come to.</summary>
    public KeyTable? Table { get; set; }

    /// <summary>Neighbours in the queue of the key; guarded by the lock of its stripe.</summary>
    public OrderedCall? Next { get; set; }

    /// <inheritdoc cref="Next"/>
    public OrderedCall? Previous { get; set; }

    /// <summary>True while it is in the queue of its key; guarded by the lock of its stripe.</summary>
    public bool IsQueued { get; set; }

    /// <summary>True if it was given up before it got its key.</summary>
    public bool IsOver => Volatile.Read(ref _state) == Ended;

    /// <summary>Gives it the key.</summary>
    /// <returns>False if it was given up.</returns>
    public bool TryTake() => Interlocked.CompareExchange(ref _state, HasKey, Waits) == Waits;

    /// <summary>Has it run on another thread. It has the key, and leaves it when it has ended. Never throws.</summary>
    /// <returns>False if no thread takes it: then it is answered, and still has the key.</returns>
    public abstract bool TryStart();

    /// <summary>Runs it on this thread, which may block. Never throws.</summary>
    public abstract void Run();

    /// <summary>Does what follows from coming to its key.</summary>
    /// <param name="entry">What <see cref="KeyTable.Enter"/> has returned for it.</param>
    public void Continue(KeyEntry entry)
    {
        if (entry == KeyEntry.Runs && !TryStart()) Table!.Leave(Place);
        else if (entry is KeyEntry.KeyIsFull or KeyEntry.TooManyKeys && TryEnd()) Refuse(entry);
    }

    /// <summary>Answers it, because it did not come to its key. Never throws.</summary>
    protected abstract void Refuse(KeyEntry reason);

    /// <summary>Gives it up.</summary>
    /// <returns>False if it has its key by now, or was given up before.</returns>
    protected bool TryEnd() => Interlocked.CompareExchange(ref _state, Ended, Waits) == Waits;
}
