using Mux.Calls;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// The retry budget of a channel, shared by all its methods and servers. Calls are counted by the connections anyway, so they pay nothing for it: a look every
/// second reads the sum, while calls are made. Safe for concurrent use.
/// </summary>
internal sealed class ChannelBudget : ITicked
{
    /// <summary>Looks without a new call after which no further one is needed: the window is empty.</summary>
    private const int LooksToSleep = 12;

    private readonly Lock _gate = new(); // guards the fields below; the ledger is read before it is taken
    private readonly RetryBudget _budget = new();
    private readonly ConnectionLedger _ledger;
    private readonly Clock _clock;
    private readonly Ticker _ticker;
    private long _nextLook = Clock.Never;
    private long _lastStarted;
    private int _looksInVain;
    private volatile bool _isAwake;
    private bool _isDisposed;

    public ChannelBudget(ConnectionLedger ledger, Clock clock)
    {
        (_ledger, _clock, _ticker) = (ledger, clock, Ticker.For(clock));
        _budget.Look(clock.Now, 0);
    }

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextLook);

    /// <summary>Attempts that are left.</summary>
    public long Left
    {
        get
        {
            long started = _ledger.CallsStarted;
            lock (_gate) return _budget.Left(_clock.Now, started);
        }
    }

    /// <summary>A call was made that may be sent again: looks begin, if they have ended. Costs one comparison if not.</summary>
    public void Wake()
    {
        if (_isAwake) return;
        lock (_gate)
        {
            if (_isAwake || _isDisposed) return;
            _isAwake = true;
            _looksInVain = 0;
            Volatile.Write(ref _nextLook, _clock.Now + RetryBudget.Second);
            _ticker.Add(this); // under the lock, as its removal: no member is left behind
        }
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        long started = _ledger.CallsStarted;
        lock (_gate)
        {
            _budget.Look(now, started);
            _looksInVain = started == _lastStarted ? _looksInVain + 1 : 0;
            _lastStarted = started;
            bool sleeps = _isDisposed || _looksInVain >= LooksToSleep;
            Volatile.Write(ref _nextLook, sleeps ? Clock.Never : now + RetryBudget.Second);
            if (!sleeps) return;
            _ticker.Remove(this); // the ticker must not keep a channel that is not used
            _isAwake = false;
        }
    }

    /// <summary>Takes one attempt.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="calls">Calls that were started in the last 10 s.</param>
    /// <returns>False if the budget is empty.</returns>
    public bool TryTake(long now, out long calls)
    {
        long started = _ledger.CallsStarted;
        lock (_gate)
        {
            bool isTaken = _budget.TryTake(now, started);
            calls = _budget.Calls;
            return isTaken;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Volatile.Write(ref _nextLook, Clock.Never);
            _ticker.Remove(this);
        }
    }
}
