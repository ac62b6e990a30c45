namespace Mux.Calls;

/// <summary>Decides which failed calls of one method are sent again. Pure and immutable.</summary>
internal sealed record CallPolicy
{
    /// <summary>Statuses that an idempotent call is repeated for, unless the options of its method name others.</summary>
    public static readonly IReadOnlyCollection<MuxStatus> DefaultStatuses = [MuxStatus.Unavailable];

    private const int MostRefusals = 1;

    /// <summary>
    /// Most refusals of a call by servers that say when to come back: with the usual hint of 100 ms half a minute.
    /// </summary>
    private const int MostTimedRefusals = 32;

    private readonly uint _statuses = BitsOf(DefaultStatuses);

    /// <summary>
    /// Most times that a call is sent, the first one included, and those not that follow a second refusal or a later one
    /// (<see cref="RepeatsRefused"/>); 1 or more.
    /// </summary>
    public int Attempts { get; init; } = 1;

    /// <summary>True if a second copy of a call may be sent while the first is open, after the time that most calls of the method take.</summary>
    public bool Hedges { get; init; }

    /// <summary>
    /// True if a call that a server refused is sent once more although <see cref="Attempts"/> is 1, and again for as
    /// long as servers refuse it and say when to come back. Set where there are other servers: one of them drains or is
    /// full while the others work, and no call should be lost by that.
    /// </summary>
    public bool RepeatsRefused { get; init; }

    /// <summary>Statuses that an idempotent call is repeated for.</summary>
    public IEnumerable<MuxStatus> Statuses
    {
        get => Enum.GetValues<MuxStatus>().Where(Includes);
        init => _statuses = BitsOf(value);
    }

    /// <summary>True if it may send calls again, whose requests are therefore kept.</summary>
    public bool IsOn => Attempts > 1 || Hedges || RepeatsRefused;

    /// <summary>Decides what happens after an attempt failed.</summary>
    /// <param name="attempt">The attempt. Never one that the caller or its deadline has ended.</param>
    /// <param name="made">Attempts made so far, this one included.</param>
    /// <param name="refusals">How many of the earlier ones were refused.</param>
    /// <param name="isIdempotent">True if the call may run twice, by its contract or its options.</param>
    public Repeat Judge(in FailedAttempt attempt, int made, int refusals, bool isIdempotent)
    {
        if (attempt.RetryAfterMilliseconds == RetryPause.NeverHint) return Repeat.None;
        if (attempt.IsRefused)
        {
            if (made >= Attempts && !RepeatsRefused) return Repeat.None;
            int most = RepeatsRefused && attempt.RetryAfterMilliseconds > 0 ? MostTimedRefusals : MostRefusals;
            return refusals < most ? Repeat.Refused : Repeat.None;
        }

        // Servers asked for what follows the first refusal, and no handler ran: it leaves the attempts to real failures.
        if (made - Math.Max(0, refusals - MostRefusals) >= Attempts) return Repeat.None;
        if (attempt.IsUnsent) return Repeat.Unsent;
        return isIdempotent && attempt.Execution != MuxExecution.NotExecuted && Includes(attempt.Status) ? Repeat.Retry : Repeat.None;
    }

    private bool Includes(MuxStatus status) => (_statuses & BitOf(status)) != 0;

    private static uint BitOf(MuxStatus status) => (uint)status < 32 ? 1u << (int)status : 0;

    private static uint BitsOf(IEnumerable<MuxStatus> statuses) => statuses.Aggregate(0u, (bits, status) => bits | BitOf(status));
}

/// <summary>The policies of a channel, by method. Immutable.</summary>
/// <param name="others">The policy of methods that have none of their own.</param>
/// <param name="methods">Policies by full name of the method, such as <c>shop.Orders/Find</c>.</param>
internal sealed class CallPolicies(CallPolicy others, IReadOnlyDictionary<string, CallPolicy> methods)
{
    /// <summary>No call is sent again.</summary>
    public static CallPolicies None { get; } = new(new CallPolicy(), new Dictionary<string, CallPolicy>(StringComparer.Ordinal));

    /// <summary>Gets the policy of a method.</summary>
    /// <param name="fullName">Its full name.</param>
    public CallPolicy Of(string fullName) => methods.TryGetValue(fullName, out var own) ? own : others;
}

/// <summary>
/// The pause before a call is sent again. Full jitter (Brooker, "Exponential Backoff And Jitter", 2015): a random time up to a bound that doubles with each
/// attempt, so that callers that failed together do not come back together. Pure: the random number comes in.
/// </summary>
internal static class RetryPause
{
    /// <summary>A hint with this value means: do not send the call again.</summary>
    public const uint NeverHint = uint.MaxValue;

    /// <summary>The pause of a call that is not sent again.</summary>
    public const long Never = long.MaxValue;

    /// <summary>Bound of the first pause, microseconds.</summary>
    public const long First = 25_000;

    /// <summary>Largest bound, microseconds.</summary>
    public const long Longest = 1_000_000;

    /// <summary>What is added at random to a time that the server has asked for: it may have asked many clients for the same.</summary>
    private const double HintSpread = 0.2;

    private const int MicrosecondsPerMillisecond = 1_000;

    private const int MostDoublings = 6; // beyond it the bound is Longest

    /// <summary>
    /// Gets the pause of a call that servers are too full for, in microseconds: the time that they ask for, up to 1.2
    /// times this, and twice as long each time up to a second. So what is sent in vain becomes less while it lasts.
    /// </summary>
    /// <param name="refusals">Which of its pauses for that it is, 1 or more.</param>
    /// <param name="retryAfterMilliseconds">The hint of the server.</param>
    /// <param name="random">A random number, 0 to 1.</param>
    public static long WhileFull(int refusals, uint retryAfterMilliseconds, double random)
    {
        if (retryAfterMilliseconds == NeverHint) return Never;
        long asked = After(1, Math.Max(1, retryAfterMilliseconds), random);
        return Math.Max(asked, Math.Min(Longest, asked << Math.Min(refusals - 1, MostDoublings)));
    }

    /// <summary>Gets the pause after a failed attempt, in microseconds.</summary>
    /// <param name="failures">Failed attempts so far, 1 or more.</param>
    /// <param name="retryAfterMilliseconds">The hint of the server: the pause is this to 1.2 times this. 0 for none.</param>
    /// <param name="random">A random number, 0 to 1.</param>
    public static long After(int failures, uint retryAfterMilliseconds, double random)
    {
        if (retryAfterMilliseconds == NeverHint) return Never;
        if (retryAfterMilliseconds > 0) return (long)((double)retryAfterMilliseconds * MicrosecondsPerMillisecond * (1 + (HintSpread * random)));
        long bound = Math.Min(Longest, First << Math.Min(failures - 1, MostDoublings));
        return (long)(bound * random);
    }
}

/// <summary>An attempt of a call that failed, as far as that decides whether the call is sent again.</summary>
/// <param name="Status">Status of the failure.</param>
/// <param name="Execution">Whether the handler ran.</param>
/// <param name="Phase">How far the attempt had come.</param>
/// <param name="RetryAfterMilliseconds">The hint of the server; 0 for none, <see cref="RetryPause.NeverHint"/> for never.</param>
internal readonly record struct FailedAttempt(MuxStatus Status, MuxExecution Execution, MuxCallPhase Phase, uint RetryAfterMilliseconds)
{
    /// <summary>True if nothing of the call was sent, because there was no connection to send it on, or none any more.</summary>
    public bool IsUnsent => Execution == MuxExecution.NotExecuted && Status == MuxStatus.Unavailable && Phase is MuxCallPhase.Connect or MuxCallPhase.Queue;

    /// <summary>True if the server has refused the call before its handler ran, and another moment or another server may accept it.</summary>
    public bool IsRefused => Execution == MuxExecution.NotExecuted && Phase == MuxCallPhase.Dispatch
        && Status is MuxStatus.Unavailable or MuxStatus.ResourceExhausted;
}

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
