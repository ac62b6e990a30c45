namespace Mux.Services;

/// <summary>
/// Looks for deadlines and cancels in what a handler threw: itself, or what it has wrapped. Handlers wrap exceptions in
/// their own ones, and code that blocks gets them in an <see cref="AggregateException"/>. Pure.
/// </summary>
internal static class CausesOf
{
    /// <summary>Most exceptions of one failure that are looked at: an aggregate may hold any number.</summary>
    private const int MostLooks = 64;

    /// <summary>True if a call that the handler made has failed by a deadline.</summary>
    public static bool HasDeadline(Exception error)
    {
        int looks = MostLooks;
        return Has(error, static cause => cause is MuxException { Status: MuxStatus.DeadlineExceeded }, ref looks);
    }

    /// <summary>True if something that the handler awaited was cancelled.</summary>
    public static bool HasCancel(Exception error)
    {
        int looks = MostLooks;
        return Has(error, IsOwnCancel, ref looks);
    }

    /// <summary>
    /// True if the handler ended because something that it awaited was cancelled. If several things have failed, all of
    /// them must be cancelled: another failure is one to log.
    /// </summary>
    public static bool IsCancel(Exception error)
    {
        int looks = MostLooks;
        return Is(error, ref looks);
    }

    private static bool IsOwnCancel(Exception error) =>
        error is OperationCanceledException or MuxException { Status: MuxStatus.Cancelled };

    private static bool Has(Exception? error, Func<Exception, bool> isIt, ref int looks)
    {
        for (; error is not null && looks-- > 0; error = error.InnerException)
        {
            if (isIt(error)) return true;
            if (error is not AggregateException { InnerExceptions: var several }) continue;
            foreach (var one in several)
            {
                if (Has(one, isIt, ref looks)) return true;
            }

            return false;
        }

        return false;
    }

    private static bool Is(Exception? error, ref int looks)
    {
        for (; error is not null && looks-- > 0; error = error.InnerException)
        {
            if (IsOwnCancel(error)) return true;
            if (error is not AggregateException { InnerExceptions: { Count: > 0 } several }) continue;
            foreach (var one in several)
            {
                if (!Is(one, ref looks)) return false;
            }

            return true;
        }

        return false;
    }
}
