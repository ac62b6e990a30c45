using Mux.Contracts;
using Mux.Protocol;

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

/// <summary>Call outcomes that are decided under a lock and delivered after it is released.</summary>
internal struct CallOutcomes
{
    private List<(OutgoingCall Call, CallFailure? Failure)>? _decided;

    /// <summary>What is told that there is room for calls; null if nothing is.</summary>
    public IRoomWatch? Room { get; set; }

    public readonly bool IsEmpty => _decided is null && Room is null;

    public void AddFailure(OutgoingCall call, CallFailure failure) => (_decided ??= []).Add((call, failure));

    /// <summary>Adds a failure for every call of a list linked by <see cref="OutgoingCall.Next"/>.</summary>
    public void AddFailures(OutgoingCall? first, CallFailure failure)
    {
        for (var call = first; call is not null;)
        {
            var next = call.Next;
            call.Next = null;
            AddFailure(call, failure);
            call = next;
        }
    }

    public void AddAppended(OutgoingCall call) => (_decided ??= []).Add((call, null));

    /// <summary>Delivers the outcomes. No lock is held.</summary>
    public readonly void Deliver()
    {
        Room?.OnRoom();
        if (_decided is null) return;
        foreach (var (call, failure) in _decided)
        {
            if (failure is not null)
            {
                CallHolder.Fail(call, failure);
                continue;
            }

            CallQueue.ReleaseBody(call);
            call.OnAppended();
        }
    }
}

/// <summary>
/// Fills the slot of a one-way call. Its caller has the outcome since the request was appended, so the terminal frame goes to the receipt of the call, if there
/// is one: a derived class that many calls share (<see cref="OutgoingCall.Receipt"/>).
/// </summary>
internal class OneWayReply : OutgoingCall
{
    private readonly OneWayReply? _receipt;

    protected OneWayReply()
    {
    }

    private OneWayReply(OutboundFlow flow, OneWayReply? receipt) => (Flow, _receipt) = (flow, receipt);

    public static OneWayReply Instance { get; } = new();

    /// <summary>Gets what fills the slot of a one-way call.</summary>
    /// <param name="call">The call.</param>
    /// <param name="flow">Of a request that may still be partly unsent when its terminal frame comes; null for one that is appended whole.</param>
    public static OneWayReply Of(OutgoingCall call, OutboundFlow? flow = null)
    {
        var receipt = call.Receipt as OneWayReply;
        return flow is null ? receipt ?? Instance : new OneWayReply(flow, receipt);
    }

    /// <summary>True if it is also told of calls that have no terminal frame, because the connection has ended.</summary>
    public virtual bool IsTold => _receipt is not null;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally) => _receipt?.OnResponse(body, tally);

    public override void OnFailed(CallFailure failure, bool inTurn) => _receipt?.OnFailed(failure, inTurn);

    public override void OnAppended()
    {
    }
}
