using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Decides of each request that arrives on one connection whether it starts, waits for room or for a place of a handler, or
/// is refused because there is none. Turn only.
/// </summary>
/// <remarks>
/// A small request waits here: its caller keeps no copy of it, because a copy of each would cost every call more than it
/// saves a few. A large one is refused: its caller keeps the array and sends it again, and the server need not hold it.
/// A struct, so that an idle connection holds none.
/// </remarks>
internal readonly struct RequestPlaces(Acceptor acceptor, RequestRoom room, PeerBudgets budgets)
{
    /// <summary>
    /// Decides whether a request starts now. One that must wait asks for its place later. If the reason to wait ends between
    /// this and the start, it runs without a place until the next request asks for both.
    /// </summary>
    /// <param name="method">
    /// Its method: what is answered at once needs no place and never waits, so that a probe is answered however much runs.
    /// </param>
    /// <param name="isKept">True if its caller may send it again: then it does not wait for a place.</param>
    /// <param name="mustWait">True if it must wait.</param>
    /// <returns>False if it must be refused.</returns>
    public bool TryPlace(in DefinedMethod method, bool isKept, out bool mustWait)
    {
        mustWait = acceptor.MustWait;
        return (!mustWait && budgets.HasPlace) || TryWait(method, isKept, ref mustWait);
    }

    /// <summary>Decides about a request that cannot start at once: others wait, or it has no place.</summary>
    /// <inheritdoc cref="TryPlace"/>
    public bool TryWait(in DefinedMethod method, bool isKept, ref bool mustWait)
    {
        if (!method.Method.NeedsPlace)
        {
            mustWait = false;
            return room.HasReplyRoom || acceptor.TryAnswerUnread();
        }

        // Before its fragments come, also while others wait: it would be refused when it is whole.
        if (isKept) return budgets.HasPlace;
        return mustWait || (mustWait = acceptor.Parking.WaitsForPlace);
    }

    /// <summary>Refuses the request that was opened last: it has no place.</summary>
    /// <param name="call">The call.</param>
    /// <param name="isKept">True if its caller may send it again after a pause.</param>
    /// <returns>The rule that the peer breaks by it, or null.</returns>
    public ProtocolViolation? Refuse(in InboundCall call, bool isKept)
    {
        // For this alone what needs no place is refused, and the connection ends unless its peer has read answers since.
        if (!call.Method.NeedsPlace)
            return acceptor.Refuse(call, MuxStatus.ResourceExhausted, "The answers to earlier requests are not read.");
        budgets.NoteNoPlace();
        return acceptor.RefuseForPlace(call, acceptor.NoPlace.AtOnce, isKept);
    }
}
