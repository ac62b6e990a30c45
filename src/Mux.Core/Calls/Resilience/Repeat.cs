namespace Mux.Calls;

/// <summary>What happens to a call after an attempt failed, and why it is sent again. The numbers are rows of the counter of attempts.</summary>
internal enum Repeat
{
    /// <summary>The call has failed.</summary>
    None = -1,

    /// <summary>It is sent again: nothing of it was sent. Charged to no budget, because no server has had work with it.</summary>
    Unsent,

    /// <summary>It is sent again: a server has refused it before its handler ran. Charged.</summary>
    Refused,

    /// <summary>
    /// It is sent again after a pause: a server has refused it for lack of memory, and said so. Charged to no budget: the pause bounds the attempts.
    /// </summary>
    Paused,

    /// <summary>It is sent again: it may have been executed, and that does no harm. Charged.</summary>
    Retry,

    /// <summary>It is sent a second time while the first attempt is open. Charged.</summary>
    Hedge,
}
