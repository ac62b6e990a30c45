using Mux.Contracts;

namespace Mux.Engine;

/// <summary>Counts completed calls by method and status. One writer at a time (a turn, or the holder of a lock); any number of readers.</summary>
internal sealed class CallTally
{
    /// <summary>The statuses of gRPC, 0 to 16.</summary>
    public const int StatusCount = 17;

    // Almost all calls succeed, so these counts are side by side: the cache holds those of many methods.
    private long[] _succeeded = []; // by row
    private long[]?[] _failed = []; // by row, then by status
    private long _total;

    /// <summary>Calls completed with any status. A reader that sees a call counted here also sees what its writer did before.</summary>
    public long Total => Volatile.Read(ref _total);

    /// <summary>Gets the row of a method's counts. Row 0 is for methods that this side does not know.</summary>
    public static int RowOf(MethodDescriptor? method) => method is null ? 0 : RowOf(method.Index);

    /// <param name="index">The <see cref="MethodDescriptor.Index"/> of a method that this side knows.</param>
    public static int RowOf(int index) => index + 1;

    public void Add(MethodDescriptor? method, MuxStatus status) => Add(RowOf(method), status);

    /// <inheritdoc cref="Add(MethodDescriptor?, MuxStatus)"/>
    /// <param name="row">The row of the method: <see cref="RowOf(MethodDescriptor?)"/>.</param>
    /// <param name="status">Status of the outcome.</param>
    public void Add(int row, MuxStatus status)
    {
        if (status == MuxStatus.Ok) SucceededOf(row)++;
        else FailedOf(row)[(uint)status < StatusCount ? (int)status : (int)MuxStatus.Unknown]++;
        Volatile.Write(ref _total, _total + 1);
    }

    /// <summary>Moves one call from one status to another. The first may be counted in another tally: the sum of both is right.</summary>
    public void Move(MethodDescriptor method, MuxStatus from, MuxStatus to)
    {
        Add(method, to);
        int row = RowOf(method);
        if (from == MuxStatus.Ok) SucceededOf(row)--;
        else FailedOf(row)[(int)from]--;
        Volatile.Write(ref _total, _total - 1);
    }

    /// <summary>Removes one call, which may be counted in another tally: the sum of both is right.</summary>
    public void Remove(MethodDescriptor method, MuxStatus status)
    {
        int row = RowOf(method);
        if (status == MuxStatus.Ok) SucceededOf(row)--;
        else FailedOf(row)[(int)status]--;
        Volatile.Write(ref _total, _total - 1);
    }

    /// <summary>Adds all counts to <paramref name="target"/>, which only this thread writes.</summary>
    public void AddTo(CallTally target)
    {
        var succeeded = Volatile.Read(ref _succeeded);
        for (int row = 0; row < succeeded.Length; row++)
        {
            if (succeeded[row] is not 0 and var count) target.SucceededOf(row) += count;
        }

        var failed = Volatile.Read(ref _failed);
        for (int row = 0; row < failed.Length; row++)
        {
            if (failed[row] is not { } counts) continue;
            var sums = target.FailedOf(row);
            for (int status = 0; status < StatusCount; status++) sums[status] += counts[status];
        }

        target._total += Total;
    }

    /// <summary>Gets the count of one method and status. Null selects the methods that this side does not know.</summary>
    public long CountOf(MethodDescriptor? method, MuxStatus status)
    {
        int row = RowOf(method);
        if (status == MuxStatus.Ok) return Volatile.Read(ref _succeeded) is var succeeded && row < succeeded.Length ? succeeded[row] : 0;
        return Volatile.Read(ref _failed) is var failed && row < failed.Length && failed[row] is { } counts ? counts[(int)status] : 0;
    }

    /// <summary>Gets the count of one method with any status. Null selects the methods that this side does not know.</summary>
    public long CountOf(MethodDescriptor? method)
    {
        long count = 0;
        for (int status = 0; status < StatusCount; status++) count += CountOf(method, (MuxStatus)status);
        return count;
    }

    private ref long SucceededOf(int row)
    {
        if ((uint)row >= (uint)_succeeded.Length) Grow(ref _succeeded, row);
        return ref _succeeded[row];
    }

    private long[] FailedOf(int row)
    {
        if ((uint)row >= (uint)_failed.Length) Grow(ref _failed, row);
        return _failed[row] ??= new long[StatusCount];
    }

    private static void Grow<T>(ref T[] rows, int row)
    {
        var grown = rows;
        Array.Resize(ref grown, Math.Max(row + 1, rows.Length * 2));
        Volatile.Write(ref rows, grown);
    }
}
