using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Describes why a call failed, as far as the engine knows. The typed call turns it into the exception.</summary>
/// <param name="Status">The status of the call.</param>
/// <param name="Execution">Says whether the handler ran.</param>
/// <param name="Phase">How far the call had come.</param>
/// <param name="Text">Message for people.</param>
/// <param name="Error">The underlying error, if there is one.</param>
/// <param name="IsCallerCancel">True if the caller's own token ended the call.</param>
internal sealed record CallFailure(
    MuxStatus Status,
    MuxExecution Execution,
    MuxCallPhase Phase,
    string Text,
    Exception? Error = null,
    bool IsCallerCancel = false)
{
    /// <summary>Begin of the message for an open call whose deadline has passed.</summary>
    public const string NoReplyInTime = "The deadline passed before the reply came.";

    /// <summary>What a caller can do about refusals of large requests.</summary>
    public const string AdviceForLarge =
        "Make fewer calls with large requests concurrently, or raise the limit of the server.";

    /// <summary>The peer's hint of when to call again; 0 for none.</summary>
    public uint RetryAfterMilliseconds { get; init; }

    /// <summary>True if the peer has refused the call for lack of memory: it may be sent again after <see cref="RetryAfterMilliseconds"/>.</summary>
    public bool IsPause { get; init; }

    /// <summary>True if the deadline of this side passed. Then the call itself knows what to say about its time.</summary>
    public bool IsOwnDeadline { get; init; }

    /// <summary>
    /// What <see cref="Text"/> has in addition for calls with large requests that were not sent, with a space
    /// before it; null if nothing.
    /// </summary>
    public string? NoteForLarge { get; init; }

    /// <summary>All attempts of a call that was sent more than once, the last one included; null otherwise.</summary>
    public IReadOnlyList<MuxAttempt>? Attempts { get; init; }

    /// <summary>The number of <see cref="Detail"/> in the contract; 0 if there is none.</summary>
    public int DetailNumber { get; init; }

    /// <summary>The encoded error detail that was received.</summary>
    public byte[]? Detail { get; init; }

    /// <summary>
    /// True if the handler wrote the message for its caller. The wire does not say: with a status that the server itself gives to executed calls, the message
    /// may be the server's, which needs the rest of the sentence.
    /// </summary>
    private bool IsChosenByHandler => Phase == MuxCallPhase.Handler && Execution == MuxExecution.Executed
        && Status is not (MuxStatus.Unknown or MuxStatus.Cancelled or MuxStatus.DeadlineExceeded or MuxStatus.Internal or MuxStatus.Unavailable);

    /// <summary>Gets the failure of a call with a large request that was not sent.</summary>
    public CallFailure ForLarge() =>
        NoteForLarge is null ? this : this with { Text = Text + NoteForLarge, NoteForLarge = null };

    /// <summary>Gets the message for the caller: which call, where, and how it failed.</summary>
    public string Describe(MethodDescriptor method, string endpoint)
    {
        if (IsChosenByHandler) return IsBegunBy(method) ? Text.Insert(method.FullName.Length, $" at {endpoint}") : Text;
        var execution = Execution switch
        {
            MuxExecution.NotExecuted => "not executed",
            MuxExecution.MayHaveExecuted => "may have executed",
            _ => "executed",
        };
        var attempts = Attempts is null ? string.Empty : $" after {Attempts.Count} attempts";
        return $"{method.FullName} at {endpoint} failed{attempts} ({Status}, {execution}): {Text}";
    }

    /// <summary>
    /// True if the server began the text itself, which it does for what is too large alone. A handler that repeats what a caller sent it must not get the
    /// address of another server into it.
    /// </summary>
    private bool IsBegunBy(MethodDescriptor method)
    {
        if (Status != MuxStatus.ResourceExhausted || !Text.StartsWith(method.FullName, StringComparison.Ordinal)) return false;
        var begin = FailFrame.BeginText(method.FullName, Status);
        return Text.StartsWith(begin, StringComparison.Ordinal)
            && (IsAbout("The reply is ") || IsAbout("The metadata of the reply ") || IsAbout("An item is "));

        bool IsAbout(string what) => Text.AsSpan(begin.Length).StartsWith(what);
    }
}

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
