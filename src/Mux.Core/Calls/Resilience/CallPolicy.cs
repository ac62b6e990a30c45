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
