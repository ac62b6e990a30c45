using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Holds a call between the moment it is handed to a connection and its outcome.</summary>
internal abstract class CallHolder
{
    /// <summary>Fails a call before its request was appended.</summary>
    public static void Fail(OutgoingCall call, CallFailure failure)
    {
        if (call.Bulk is not null && call.Bound is null) failure = failure.ForLarge(); // bound ones wait for no others
        CallQueue.ReleaseBody(call);
        call.OnFailed(failure, inTurn: false);
    }

    /// <summary>Cancels a call for its caller, whichever holder has it.</summary>
    public static void Cancel(OutgoingCall call)
    {
        call.CancelRequested = true;
        // Orders this write against a connection that hands the call to another one: it sees the request, or this thread sees the new holder.
        Interlocked.MemoryBarrier();
        while (call.Holder is { } holder)
        {
            if (holder.TryCancel(call)) return;
        }
    }

    /// <summary>Cancels a call for its caller.</summary>
    /// <returns>False if another holder has it by now.</returns>
    public abstract bool TryCancel(OutgoingCall call);

    /// <summary>
    /// Lets go of a call whose attempt is over and which is handed over again. A cancel that has found this holder has no effect from then on.
    /// </summary>
    public abstract void LetGo(OutgoingCall call);

    /// <summary>Fails a call because of the reply that came for it, and tells the peer. In the turn.</summary>
    /// <returns>False if its outcome was decided already.</returns>
    public abstract bool TryGiveUp(CallId id, CallFailure failure);

    /// <summary>Gets the fingerprint of the shape that the peer gives to the replies of a method; 0 if it is not known.</summary>
    public abstract uint PeersReplyFingerprintOf(MethodDescriptor method);

    /// <summary>The owner of the connection; null if this is none.</summary>
    public virtual object? Owner => null;

    /// <summary>Names the peer in failures: the address as configured. What the holder waits for, if it has no peer.</summary>
    public abstract string PeerPlace { get; }

    /// <summary>Address of the peer as its connection has it; empty if it has none, or not yet.</summary>
    public abstract string PeerAddress { get; }

    /// <summary>Reports an exception of user code that no caller awaits.</summary>
    public abstract void OnUserCodeFailed(Exception error);
}
