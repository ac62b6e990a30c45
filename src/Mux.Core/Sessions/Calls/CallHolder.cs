using Mux.Contracts;
using Mux.Wire;

namespace Mux.Sessions.Calls;

/// <summary>What has a call between the moment it is handed to a connection and its outcome.</summary>
internal abstract class CallHolder
{
    /// <summary>Tells a call that it failed before its request was appended.</summary>
    public static void Fail(OutgoingCall call, CallFailure failure)
    {
        CallQueue.ReleaseBody(call);
        call.OnFailed(failure, inTurn: false);
    }

    /// <summary>The caller gives the call up, wherever it is by now.</summary>
    public static void Cancel(OutgoingCall call)
    {
        call.CancelRequested = true;
        Interlocked.MemoryBarrier(); // against a connection that hands the call to another one: either it sees the request, or this sees the connection
        while (call.Holder is { } holder)
        {
            if (holder.TryCancel(call)) return;
        }
    }

    /// <summary>The caller gives the call up.</summary>
    /// <returns>False if another holder has it by now.</returns>
    public abstract bool TryCancel(OutgoingCall call);

    /// <summary>Gives up a call because of what came for it, which the peer is told. In the turn.</summary>
    /// <returns>False if it was decided already.</returns>
    public abstract bool TryGiveUp(CallId id, CallFailure failure);

    /// <summary>The shape of a method's replies at the peer, as a fingerprint; 0 if it is not known.</summary>
    public abstract uint PeersReplyFingerprintOf(MethodDescriptor method);

    /// <summary>User code threw where nobody waits for it.</summary>
    public abstract void OnUserCodeFailed(Exception error);
}
