using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// Logs what happens to the connections to one address. A server that is away is told at once, then once a minute with the number of similar messages, and once
/// when it is reached again. A lost connection says less: once calls have failed, the next dial that fails is told, too. A server that has said
/// that it stops is expected back, and no warning for a minute. One that refuses connections which were open is away until one has lasted. Called outside other
/// locks, on any thread.
/// </summary>
/// <param name="settings">The settings of the channel.</param>
/// <param name="endpoint">The address.</param>
/// <param name="failedCalls">Reads how many calls of the channel have failed because no server answered them.</param>
/// <param name="isOpen">Reads if a connection to the address is open. Takes no lock.</param>
internal sealed class PoolLog(ChannelSettings settings, string endpoint, Func<long> failedCalls, Func<bool> isOpen) : ITicked
{
    /// <summary>Microseconds between two warnings of one absence, and from a planned stop to the first one.</summary>
    private const long Interval = 60_000_000;

    /// <summary>Microseconds between the first warnings of two absences: a server that comes and goes must not fill the logs either.</summary>
    private const long FirstInterval = 10_000_000;

    private readonly Ticker _ticker = Ticker.For(settings.Calls.Clock);
    private readonly Lock _gate = new(); // before the ticker's; guards the fields below
    private long _awaySince = Clock.Never;
    private long _failedBefore; // calls, when the absence began
    private bool _hasFailed; // a dial or connection, in this absence
    private bool _toldOnlyLoss; // the warning of this absence says that a connection is lost, and not that none can be opened
    private bool _isRefused; // the server refuses connections that were open, in this absence
    private long _lastsAt = Clock.Never; // while one is open again
    private long _nextWarning = long.MinValue;
    private long _nextFirst = long.MinValue;
    private int _held;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _lastsAt);

    /// <summary>A connection is open.</summary>
    public void Opened(Connection connection)
    {
        ClientLog.ConnectionOpened(settings.Logger, settings.Name, endpoint, connection.PeerInstance, connection.PeerIdleMilliseconds);
        lock (_gate)
        {
            if (_isRefused)
            {
                // Its end may have been told already.
                if (isOpen()) AwaitLocked(settings.Calls.Clock.Now + BackoffPolicy.LastsAfter);
                return;
            }
        }

        Reached();
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        lock (_gate)
        {
            if (_lastsAt > now) return; // it has ended meanwhile
            AwaitLocked(Clock.Never);
            _isRefused = false;
        }

        if (Ticker.MayNotBlock) ReportThread.TellOnPool(Reached);
        else Reached();
    }

    /// <summary>The server has said that it takes no more calls on a connection.</summary>
    /// <param name="isReached">True if other connections to it are open.</param>
    public void Drains(bool isReached)
    {
        if (!isReached)
        {
            lock (_gate) BeginLocked(isPlanned: true);
        }

        ClientLog.Draining(settings.Logger, settings.Name, endpoint);
    }

    /// <summary>A connection has ended.</summary>
    /// <param name="end">How.</param>
    /// <param name="wasOpen">True if it was open before.</param>
    /// <param name="isOrderly">True if that is no fault.</param>
    /// <param name="mayWarn">False if the pool does without it.</param>
    /// <param name="isReached">True if other connections are open.</param>
    /// <param name="delay">Microseconds until the next dial.</param>
    public void Ended(ConnectionEnd end, bool wasOpen, bool isOrderly, bool mayWarn, bool isReached, long delay)
    {
        int others = 0;
        lock (_gate)
        {
            _isRefused |= end.IsRefusal;
            if (_isRefused) AwaitLocked(Clock.Never);
        }

        bool warns = mayWarn && !isOrderly && TryWarn(isReached && !end.IsRefusal, isLoss: wasOpen, out others);
        var level = warns ? LogLevel.Warning : LogLevel.Debug;
        if (wasOpen || isOrderly) ClientLog.ConnectionClosed(settings.Logger, level, settings.Name, endpoint, end.Reason, end.Text, others, end.Error);
        else ClientLog.ConnectFailed(settings.Logger, level, settings.Name, endpoint, delay / Clock.MicrosecondsPerMillisecond, end.Text, others, end.Error);
    }

    /// <summary>A connection is dialed because the others are too few.</summary>
    public void Grown(int count, int most, GrowthReason reason) =>
        ClientLog.ConnectionAdded(settings.Logger, settings.Name, endpoint, count, most, reason.ToString());

    /// <summary>A connection drains because the others are enough.</summary>
    public void Shrunk(int count) => ClientLog.ConnectionRemoved(settings.Logger, settings.Name, endpoint, count);

    private void Reached()
    {
        double seconds;
        long calls;
        lock (_gate)
        {
            if (_awaySince == Clock.Never) return;
            seconds = (settings.Calls.Clock.Now - _awaySince) / 1e6;
            calls = failedCalls() - _failedBefore;
            _awaySince = Clock.Never;
            (_nextWarning, _held) = (_nextFirst, 0);
            if (!_hasFailed) return;
        }

        ClientLog.ReachedAgain(settings.Logger, settings.Name, endpoint, seconds, calls);
    }

    /// <summary>Awaits the time at which a connection has lasted; or none, so that the ticker does not keep this.</summary>
    private void AwaitLocked(long time)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_lastsAt == time) return;
        Volatile.Write(ref _lastsAt, time);
        if (time == Clock.Never) _ticker.Remove(this);
        else _ticker.Add(this);
    }

    private bool TryWarn(bool isReached, bool isLoss, out int others)
    {
        lock (_gate)
        {
            bool isFirst = !isReached && _awaySince == Clock.Never;
            if (!isReached) BeginLocked(isPlanned: false);
            _hasFailed |= !isReached;
            others = _held;
            long now = settings.Calls.Clock.Now;
            if (now < _nextWarning && (isLoss || isReached || !FailsCallsUntoldLocked()))
            {
                others = 0; // the next warning counts this one, too
                _held++;
                return false;
            }

            _held = 0;
            _nextWarning = now + Interval;
            _toldOnlyLoss = isFirst && isLoss;
            if (isFirst) _nextFirst = now + FirstInterval;
            return true;
        }
    }

    /// <summary>
    /// Calls fail since a loss that was told as a closed connection alone. A server that restarts while its calls wait makes no second warning, and one that
    /// comes and goes none at all.
    /// </summary>
    private bool FailsCallsUntoldLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        return _toldOnlyLoss && failedCalls() > _failedBefore;
    }

    /// <summary>The server is away from now on, unless it was before.</summary>
    private void BeginLocked(bool isPlanned)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_awaySince != Clock.Never) return;
        _awaySince = settings.Calls.Clock.Now;
        _failedBefore = failedCalls();
        (_hasFailed, _toldOnlyLoss) = (false, false);
        _nextWarning = isPlanned ? _awaySince + Interval : Math.Min(_nextWarning, _nextFirst);
    }
}
