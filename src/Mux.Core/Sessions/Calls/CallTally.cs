using Mux.Contracts;

namespace Mux.Sessions.Calls;

/// <summary>Counts completed calls by method and status. One writer at a time (a turn, or the holder of a lock); any number of readers.</summary>
internal sealed class CallTally
{
    /// <summary>The statuses of gRPC, 0 to 16.</summary>
    public const int StatusCount = 17;

    private long[]?[] _byMethod = []; // by MethodDescriptor.Index + 1; 0 = a method this side does not know
    private long _total;

    /// <summary>Calls completed with any status. A reader that sees a call counted here also sees what its writer did before.</summary>
    public long Total => Volatile.Read(ref _total);

    public void Add(MethodDescriptor? method, MuxStatus status)
    {
        int row = method is null ? 0 : method.Index + 1;
        var counts = (uint)row < (uint)_byMethod.Length ? _byMethod[row] : null;
        counts ??= AddRow(row);
        counts[(uint)status < StatusCount ? (int)status : (int)MuxStatus.Unknown]++;
        Volatile.Write(ref _total, _total + 1);
    }

    /// <summary>Moves one call from one status to another. The first may be counted in another tally: the sum of both is right.</summary>
    public void Move(MethodDescriptor method, MuxStatus from, MuxStatus to)
    {
        Add(method, to);
        _byMethod[method.Index + 1]![(int)from]--;
        Volatile.Write(ref _total, _total - 1);
    }

    /// <summary>Adds all counts to <paramref name="target"/>, which only this thread writes.</summary>
    public void AddTo(CallTally target)
    {
        var rows = _byMethod;
        for (int row = 0; row < rows.Length; row++)
        {
            if (rows[row] is not { } counts) continue;
            var sums = row < target._byMethod.Length && target._byMethod[row] is { } known ? known : target.AddRow(row);
            for (int status = 0; status < StatusCount; status++) sums[status] += counts[status];
        }

        target._total += Total;
    }

    /// <summary>Gets the count of one method and status. Null selects the methods that this side does not know.</summary>
    public long CountOf(MethodDescriptor? method, MuxStatus status)
    {
        var rows = _byMethod;
        int row = method is null ? 0 : method.Index + 1;
        return row < rows.Length && rows[row] is { } counts ? counts[(int)status] : 0;
    }

    private long[] AddRow(int row)
    {
        var rows = _byMethod;
        if (row >= rows.Length) Array.Resize(ref rows, Math.Max(row + 1, rows.Length * 2));
        var counts = rows[row] = new long[StatusCount];
        Volatile.Write(ref _byMethod, rows);
        return counts;
    }
}
