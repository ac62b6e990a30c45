namespace Mux.Engine;

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
