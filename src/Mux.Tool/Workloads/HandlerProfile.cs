using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>
/// Additional work of a server's handlers, so that a run has something to show. A client queries it, to distinguish slow replies from the others.
/// </summary>
[DataContract]
internal sealed record HandlerProfile
{
    // An arbitrary number that makes the same calls slow in every run.
    private const ulong Seed = 0x4D75_7821;

    /// <summary>No additional work.</summary>
    public static HandlerProfile Plain { get; } = new();

    /// <summary>Share of the handlers that block their thread, from 0 to 1.</summary>
    [DataMember(Order = 1)]
    public double SlowShare { get; init; }

    /// <summary>Time for which they block, in microseconds.</summary>
    [DataMember(Order = 2)]
    public double SlowMicroseconds { get; init; }

    /// <summary>CPU time of every handler, in microseconds.</summary>
    [DataMember(Order = 3)]
    public double CostMicroseconds { get; init; }

    /// <summary>Number of concurrent handlers, each on its own thread; 0 to run them as Mux does.</summary>
    [DataMember(Order = 4)]
    public int Workers { get; init; }

    public bool IsPlain => this == Plain;

    public bool HasSlow => SlowShare > 0;

    /// <summary>True if the call with this number is a slow one: the same at both ends. Numbers below 1, of calls outside the load, are never slow.</summary>
    public bool IsSlow(long number) => HasSlow && number > 0 && Mix((ulong)number + Seed) < SlowShare;

    /// <summary>Gets a pseudo-random number from 0 to below 1 (the finalizer of SplitMix64).</summary>
    private static double Mix(ulong value)
    {
        value *= 0x9E37_79B9_7F4A_7C15;
        value = (value ^ value >> 30) * 0xBF58_476D_1CE4_E5B9;
        value = (value ^ value >> 27) * 0x94D0_49BB_1331_11EB;
        return ((value ^ value >> 31) >> 11) * (1.0 / (1UL << 53));
    }
}
