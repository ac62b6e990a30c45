namespace Mux;

/// <summary>When a channel sends a second copy of a call that takes long. See <see cref="MuxResilience.Hedge"/>.</summary>
public enum MuxHedge
{
    /// <summary>Never.</summary>
    Off = 0,

    /// <summary>
    /// After the time within which 95 of 100 recent calls of the method have succeeded on this channel. Until 100 calls have succeeded, no copy is sent.
    /// </summary>
    P95 = 1,
}
