using System.Globalization;
using Mux.Protocol;
using Mux.Runtime;

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

/// <summary>
/// Messages for the callers of requests that get no handler. They say what was in the way, and what to change.
/// </summary>
internal readonly struct PlaceLack(Session session)
{
    /// <summary>For a request that does not wait.</summary>
    public string AtOnce => $"There is no handler for the request: {Reason}. {Remedy}";

    /// <summary>What is in the way.</summary>
    public string Reason
    {
        get
        {
            bool isServer = session.IsAccepting;
            var side = isServer ? "server" : "client";
            var (reason, running) = session.Handlers!.Lack;
            return reason switch
            {
                HandlerLack.Address => "the connections of its address have as many handlers as " +
                    $"Limits.MaxHandlersPerAddress allows ({session.Options.Shared!.Handlers.PerAddress})",
                HandlerLack.Share => $"the connection has {running} of the {Limit} handlers that the {side} runs " +
                    $"at most{(isServer ? " (Limits.MaxHandlers)" : string.Empty)}, and the rest is in use or kept for others",
                _ => $"the {side} runs as many handlers as " +
                    $"{(isServer ? "Limits.MaxHandlers allows" : "it may")} ({Limit})",
            };
        }
    }

    /// <summary>What to change.</summary>
    public string Remedy => RemedyOf("Make fewer calls concurrently");

    private long Limit => session.Options.Shared!.Handlers.Limit;

    /// <summary>For a request that has waited for half of its time.</summary>
    /// <param name="before">Time for which it had waited when places ran out, microseconds.</param>
    /// <param name="half">Half of the time that it had left then, microseconds.</param>
    /// <param name="mostTime">Says how much time this side allows a call: <see cref="InboundCall.MostTimeText"/>.</param>
    public string AfterHalf(long before, long half, string mostTime)
    {
        var waited = before > half / 8 // less is not worth words
            ? $"{TimeText(half)} for a handler, half of the time that it had left after a wait of {TimeText(before)} for room"
            : $"{TimeText(before + half)}, half of its time, for a handler";
        return $"The request waited {waited}: {Reason}. " +
            $"{RemedyOf("Make fewer calls concurrently, give them more time")}{mostTime}";
    }

    /// <summary>For all requests of the connection that wait, when none of them has got a handler for long.</summary>
    /// <param name="time">That time, microseconds.</param>
    /// <param name="mayWaitForItself">True if it is so long that handlers may wait for each other.</param>
    public string AfterNone(long time, bool mayWaitForItself)
    {
        var self = mayWaitForItself && session.IsAccepting
            ? "If handlers await calls to their own server, they wait for themselves: they should not make such calls. "
            : string.Empty;
        return $"The request waited for a handler, which no request of its connection got for {TimeText(time)}: " +
            $"{Reason}. {self}{Remedy}";
    }

    private string RemedyOf(string callers)
    {
        if (!session.IsAccepting) return callers + ".";
        bool isOfAddress = session.Handlers!.Lack.Reason == HandlerLack.Address;
        var option = isOfAddress ? "Limits.MaxHandlersPerAddress" : "Limits.MaxHandlers";
        return $"{callers}, add servers, or raise {option}.";
    }

    private static string TimeText(long time)
    {
        if (time >= 1_000_000) return string.Create(CultureInfo.InvariantCulture, $"{time / 1_000_000.0:0.##} s");
        long milliseconds = Math.Max(1, (time + 500) / Clock.MicrosecondsPerMillisecond);
        return string.Create(CultureInfo.InvariantCulture, $"{milliseconds} ms");
    }
}
