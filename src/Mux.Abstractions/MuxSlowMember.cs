namespace Mux;

/// <summary>What becomes of a call when the queue of a member is full: it takes calls slower than its groups make them.</summary>
public enum MuxSlowMember
{
    /// <summary>
    /// The call of the group completes when the member has room again, so a caller that awaits its calls is as fast as its slowest member. All other members
    /// have the call at once. A member for which callers have waited for <c>MuxGroupOptions.WaitTimeout</c> is not waited for any longer: it misses calls until
    /// its queue has fallen to its half.
    /// </summary>
    Wait = 0,

    /// <summary>The member misses the oldest calls that wait for it. No caller waits.</summary>
    DropOldest = 1,

    /// <summary>The connection of the member is closed. No caller waits. The client connects again, and starts anew with a full picture.</summary>
    End = 2,
}
