namespace Mux.Client;

/// <summary>
/// How many calls of this channel an endpoint has room for, as its refusals tell. A refusal of one call says nothing
/// about the calls that run: a server at its limit still serves as many as it has, and only the excess must go
/// elsewhere. So the load at which it refused is the room until the time is over for which it asks to wait, and grows
/// from then on, faster and faster, until it refuses again or a second has passed: a call more each time would take
/// minutes after other clients have left. Written by the turns of its connections and read by picks, without a lock: a
/// mixture of two refusals is corrected by the next.
/// </summary>
internal sealed class EndpointRoom
{
    /// <summary>What <see cref="At"/> gives while nothing is known: room for all.</summary>
    public const int Unlimited = int.MaxValue;

    /// <summary>
    /// Microseconds for which one refusal makes a difference, at most. A server that is still full then refuses again;
    /// one that errs in the unit gets calls.
    /// </summary>
    private const long LongestWait = 10_000_000;

    /// <summary>
    /// Part of the load that stays free: clients that came first leave some to those that come later, and few calls are
    /// refused.
    /// </summary>
    private const int Margin = 16;

    /// <summary>Microseconds in which the growth doubles, from one call on.</summary>
    private const long StepTime = 100_000;

    /// <summary>Doublings, to a growth of a thousand calls: then nothing is known.</summary>
    private const int Steps = 10;

    private int _room;
    private long _roundEnds = long.MinValue; // of the refusals that tell the room together
    private long _waitsUntil = long.MinValue;
    private long _knownUntil = long.MinValue;

    /// <summary>The server refused a call, and asked the client to wait before it calls again.</summary>
    /// <param name="load">Number of calls of this channel that are open there, without the refused one.</param>
    /// <param name="wait">Microseconds; more than 10 s count as 10 s.</param>
    /// <param name="now">The current time.</param>
    public void OnRefused(int load, long wait, long now)
    {
        int room = load - (load / Margin);
        long until = now + Math.Min(wait, LongestWait);
        // Of calls that were sent together, the last one that is refused tells best how many were not. The first one
        // says how long that holds: if each did, a server that always refuses some would never have more room again.
        bool isNext = now >= _roundEnds;
        Volatile.Write(ref _room, isNext ? room : Math.Min(room, _room));
        if (isNext) _roundEnds = until;
        Volatile.Write(ref _waitsUntil, until);
        Volatile.Write(ref _knownUntil, until + (Steps * StepTime));
    }

    /// <summary>
    /// No connection is left to the server that has refused: the next one may lead to another process.
    /// </summary>
    public void Forget() => _roundEnds = _waitsUntil = _knownUntil = long.MinValue;

    /// <summary>True if there may be no room for one call more: <see cref="At"/> tells.</summary>
    public bool IsLimitedAt(long now) => now < Volatile.Read(ref _knownUntil);

    /// <summary>Gets the number of calls that may be open there.</summary>
    public int At(long now)
    {
        if (!IsLimitedAt(now)) return Unlimited;
        long passed = now - Volatile.Read(ref _waitsUntil);
        return Volatile.Read(ref _room) + (passed < 0 ? 0 : 1 << (int)Math.Min(passed / StepTime, Steps));
    }
}
