namespace Mux.Callbacks;

/// <summary>Limits of one call with callbacks (PROTOCOL.md section 6.6).</summary>
internal static class CallbackLimits
{
    /// <summary>Number of callbacks that may have no answer, and of messages that may wait to be sent.</summary>
    public const int MaxUnanswered = 64;

    /// <summary>Number of callbacks of one object that wait at the caller before it reads no further messages.</summary>
    public const int MaxWaiting = 64;

    /// <summary>Number of callbacks of one object that may wait behind one that is answered: its cancellation may come after them.</summary>
    public const int MaxBehind = 1024;

    /// <summary>Maximum length of the message of a failure, in characters.</summary>
    public const int MaxText = 1024;

    /// <summary>Bits of an id that name the place of a callback among <see cref="MaxUnanswered"/>; the others grow.</summary>
    public const int PlaceBits = 6;
}
