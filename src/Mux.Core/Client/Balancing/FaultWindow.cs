using System.Diagnostics;

namespace Mux.Client;

/// <summary>
/// Faults of an endpoint in the last second: a ring of ten cells of 100 ms. Calls that succeed are not counted one by one; each cell notes how many had ended
/// when it began. A ring and not a decaying average, which is wrong at low rates (linkerd2-proxy#4561). Safe for concurrent use; only faults take the lock.
/// </summary>
internal sealed class FaultWindow
{
    /// <summary>Fewest faults in a second that can eject an endpoint.</summary>
    public const int FewestFaults = 10;

    /// <summary>Number of connection faults in a row that eject an endpoint.</summary>
    public const int ConnectionFaults = 5;

    private const int CellCount = 10;
    private const long CellTime = 100_000; // microseconds
    private const long Pause = 10_000; // microseconds between two looks at all endpoints, of one that fails many calls

    private static readonly Cell s_unused = new() { Number = -1 };

    private readonly Lock _gate = new();
    private readonly Cell[] _cells = [.. Enumerable.Repeat(s_unused, CellCount)];
    private long _current = -1; // number of the newest cell
    private long _known; // calls that had ended at the last look: those since then belong to the cell that a fault begins
    private long _lookAt;
    private int _connectionFaults;

    /// <summary>True if its connections fail one after the other.</summary>
    public bool FailsToConnect
    {
        get
        {
            lock (_gate) return _connectionFaults >= ConnectionFaults;
        }
    }

    /// <summary>Counts a fault.</summary>
    /// <param name="completed">Number of calls that had ended by now.</param>
    /// <param name="now">The current time.</param>
    /// <returns>True if they are so many that all endpoints must be compared.</returns>
    public bool OnFault(long completed, long now)
    {
        lock (_gate)
        {
            MoveLocked(now);
            _cells[_current % CellCount].Faults++;
            if (now < _lookAt) return false;
            var (calls, faults) = CountLocked(completed, now);
            if (!IsBad(calls, faults)) return false;
            _lookAt = now + Pause;
            return true;
        }
    }

    /// <summary>Counts a connection that failed.</summary>
    /// <returns>True if they are so many that the endpoint should be ejected.</returns>
    public bool OnConnectionFault(bool wasOfUse)
    {
        lock (_gate)
        {
            _connectionFaults = wasOfUse ? 1 : _connectionFaults + 1;
            return _connectionFaults >= ConnectionFaults;
        }
    }

    /// <summary>Begins a new cell when it is time.</summary>
    public void Refresh(long completed, long now)
    {
        lock (_gate)
        {
            _known = completed;
            MoveLocked(now);
        }
    }

    /// <summary>Gets the number of calls that ended in the last second, and how many of them by a fault.</summary>
    public (long Calls, long Faults) Count(long completed, long now)
    {
        lock (_gate) return CountLocked(completed, now);
    }

    /// <summary>True if the first fault of the last second was so many microseconds ago, give or take a cell.</summary>
    public bool HasFailedFor(long time, long now)
    {
        lock (_gate)
        {
            long first = Math.Max(now / CellTime, _current) - CellCount + 1;
            return _cells.Any(cell => cell.Faults > 0 && cell.Number >= first && now - (cell.Number * CellTime) >= time);
        }
    }

    /// <summary>Forgets all faults: the endpoint gets another chance.</summary>
    public void Forget(long completed, long now)
    {
        lock (_gate)
        {
            Array.Fill(_cells, s_unused);
            _current = -1;
            _connectionFaults = 0;
            _lookAt = 0;
            _known = completed;
            MoveLocked(now);
        }
    }

    /// <summary>True if so many calls failed that the endpoint may be ejected, unless the others are no better.</summary>
    public static bool IsBad(long calls, long faults) => faults >= FewestFaults && faults * 2 > calls;

    private void MoveLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long cell = now / CellTime;
        if (cell <= _current) return; // a clock that another thread read a moment ago
        _current = cell;
        _cells[cell % CellCount] = new Cell { Number = cell, CompletedBefore = _known };
    }

    private (long Calls, long Faults) CountLocked(long completed, long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long first = Math.Max(now / CellTime, _current) - CellCount + 1, before = completed, faults = 0;
        foreach (ref var cell in _cells.AsSpan())
        {
            if (cell.Number < Math.Max(first, 0)) continue;
            before = Math.Min(before, cell.CompletedBefore);
            faults += cell.Faults;
        }

        return (Math.Max(completed - before, faults), faults); // a fault may be reported before its call is counted
    }

    private struct Cell
    {
        public long Number;
        public long CompletedBefore;
        public int Faults;
    }
}
