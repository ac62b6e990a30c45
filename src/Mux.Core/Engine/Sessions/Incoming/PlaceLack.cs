using System.Globalization;
using Mux.Runtime;

namespace Mux.Engine;

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
