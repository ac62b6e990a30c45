namespace Mux.Calls;

/// <summary>The objects that belong to one connection, one of each type. Safe for concurrent use.</summary>
/// <param name="farewell">Runs the disposals: no caller awaits them.</param>
internal sealed class PeerStates(Farewell farewell)
{
    private readonly Lock _gate = new(); // guards the list and the end; user code runs outside it
    private readonly List<Slot> _slots = []; // in order of creation; few, so a search is as fast as a table
    private bool _hasEnded;

    /// <summary>The failure of those that ask for an object after the end.</summary>
    public static MuxException Gone() => new(MuxStatus.Unavailable, "The connection has ended, and what belonged to it is disposed.");

    private bool HasEnded
    {
        get
        {
            lock (_gate) return _hasEnded;
        }
    }

    /// <summary>Gets the object of a type; creates it at first, while others that want it wait.</summary>
    /// <param name="create">Creates it.</param>
    public TState Get<TState>(Func<TState> create)
        where TState : class
    {
        Slot? slot;
        lock (_gate)
        {
            if (_hasEnded) throw Gone();
            slot = _slots.Find(static slot => slot.Type == typeof(TState));
            if (slot is null) _slots.Add(slot = new Slot(typeof(TState), create));
        }

        object state;
        try
        {
            state = slot.Object.Value;
        }
        catch
        {
            lock (_gate) _slots.Remove(slot); // the next one tries again in another place
            throw;
        }

        if (!HasEnded) return (TState)state;
        _ = DisposeAsync(slot); // the end came while it was created, and did not see it
        throw Gone();
    }

    /// <summary>Disposes all objects, the last created first, and lets go of them.</summary>
    public async Task EndAsync()
    {
        Slot[] slots;
        lock (_gate)
        {
            _hasEnded = true;
            slots = [.. _slots];
            _slots.Clear(); // code that keeps the peer keeps nothing that belonged to it
        }

        for (int i = slots.Length - 1; i >= 0; i--) await DisposeAsync(slots[i]).ConfigureAwait(false);
    }

    private Task DisposeAsync(Slot slot) => slot.Take() switch
    {
        IAsyncDisposable state => farewell.RunAsync(state.DisposeAsync, $"{slot.Type}.DisposeAsync"),
        IDisposable state => farewell.RunAsync(
            () =>
            {
                state.Dispose();
                return default;
            },
            $"{slot.Type}.Dispose"),
        _ => Task.CompletedTask,
    };

    /// <summary>The place of one object.</summary>
    private sealed class Slot(Type type, Func<object?> create)
    {
        private int _isTaken;

        public Type Type => type;

        public Lazy<object> Object { get; } =
            new(() => create() ?? throw new InvalidOperationException($"The function that creates {type} has returned null."));

        /// <summary>Takes the object for its disposal; null if there is none yet, or it is taken.</summary>
        public object? Take() => Object.IsValueCreated && Interlocked.Exchange(ref _isTaken, 1) == 0 ? Object.Value : null;
    }
}
