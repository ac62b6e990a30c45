namespace Mux.Calls;

/// <summary>
/// Looks for deadlines and cancels in what a handler threw: itself, or what it has wrapped. Handlers wrap exceptions in
/// their own ones, and code that blocks gets them in an <see cref="AggregateException"/>. Pure.
/// </summary>
internal static class CausesOf
{
    /// <summary>Most exceptions of one failure that are looked at: an aggregate may hold any number.</summary>
    private const int MostLooks = 64;

    /// <summary>True if a call that the handler made has failed by a deadline.</summary>
    public static bool HasDeadline(Exception error) =>
        Are(error, static cause => cause is MuxException { Status: MuxStatus.DeadlineExceeded }, all: false);

    /// <summary>True if something that the handler awaited was cancelled.</summary>
    public static bool HasCancel(Exception error) => Are(error, IsOwnCancel, all: false);

    /// <summary>
    /// True if the handler ended because something that it awaited was cancelled. If several things have failed, all of
    /// them must be cancelled: another failure is one to log.
    /// </summary>
    public static bool IsCancel(Exception error) => Are(error, IsOwnCancel, all: true);

    private static bool IsOwnCancel(Exception error) =>
        error is OperationCanceledException or MuxException { Status: MuxStatus.Cancelled };

    private static bool Are(Exception error, Func<Exception, bool> isIt, bool all)
    {
        int looks = MostLooks;
        return Are(error, isIt, all, ref looks);
    }

    /// <param name="error">An exception, which may have wrapped others.</param>
    /// <param name="isIt">True for what is looked for.</param>
    /// <param name="all">True if each part of an aggregate must be it, or contain it; otherwise one is enough.</param>
    /// <param name="looks">Exceptions that may still be looked at.</param>
    private static bool Are(Exception? error, Func<Exception, bool> isIt, bool all, ref int looks)
    {
        for (; error is not null && looks-- > 0; error = error.InnerException)
        {
            if (isIt(error)) return true;
            if (error is not AggregateException { InnerExceptions: { Count: > 0 } several }) continue;
            foreach (var one in several)
            {
                if (Are(one, isIt, all, ref looks) != all) return !all;
            }

            return all;
        }

        return false;
    }
}
