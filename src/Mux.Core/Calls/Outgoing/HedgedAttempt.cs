using Mux.Engine;
using Mux.Protocol;

namespace Mux.Calls;

/// <summary>One of the two copies of a hedged call. Not reused: a frame of the peer may find it a moment after the other one has won.</summary>
internal sealed class HedgedAttempt<TRequest, TResponse> : OutgoingCall
{
    private readonly HedgedCall<TRequest, TResponse> _call;
    private MuxMetadata? _metadata; // of its reply or failure; the caller gets that of the copy that decides

    public HedgedAttempt(HedgedCall<TRequest, TResponse> call, in CalledMethod method)
    {
        _call = call;
        SetMethod(method);
    }

    /// <summary>True if it may still end the call. Guarded by the call's lock.</summary>
    public bool IsOpen { get; set; } = true;

    public override CancelReason CancelReason => _call.IsDecided ? CancelReason.Superseded : CancelReason.Unspecified;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        EndTimer(replied: true);
        _call.OnResponse(this, body, tally);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        EndTimer(replied: failure.Execution == MuxExecution.Executed);
        _call.OnFailed(this, failure, inTurn);
    }

    public override void OnAppended()
    {
        // Only one-way calls and streams want it, and none of them is hedged.
    }

    /// <summary>Releases the kept request. Under the call's lock.</summary>
    public void ReleaseRequest() => ReleaseKept();

    /// <summary>Gives the caller the metadata that came for it.</summary>
    public void HandOverMetadata()
    {
        if (_metadata is { } metadata && Extras?.ResponseMetadata is { } sink) base.Deliver(metadata, sink);
    }

    protected override void Deliver(MuxMetadata metadata, MuxMetadata sink) => _metadata = metadata;
}
