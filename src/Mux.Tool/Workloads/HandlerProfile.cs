using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>
/// What the handlers of a server do beside their work, so that a run has something to show. A client asks for it, to tell the slow replies from the others.
/// </summary>
[DataContract]
internal sealed record HandlerProfile
{
    // Any number: with it the calls that are slow are the same ones in every run.
    private const ulong Seed = 0x4D75_7821;

    /// <summary>Nothing beside their work.</summary>
    public static HandlerProfile Plain { get; } = new();

    /// <summary>Which share of the handlers blocks its thread, from 0 to 1.</summary>
    [DataMember(Order = 1)]
    public double SlowShare { get; init; }

    /// <summary>For how long, in microseconds.</summary>
    [DataMember(Order = 2)]
    public double SlowMicroseconds { get; init; }

    /// <summary>How long every handler keeps a CPU busy, in microseconds.</summary>
    [DataMember(Order = 3)]
    public double CostMicroseconds { get; init; }

    /// <summary>How many handlers run at a time, each on a thread of its own; 0 for as many as Mux runs, where Mux runs them.</summary>
    [DataMember(Order = 4)]
    public int Workers { get; init; }

    public bool IsPlain => this == Plain;

    public bool HasSlow => SlowShare > 0;

    /// <summary>
    /// Whether the call with this number is a slow one: the same answer at both ends, and none for numbers below 1, which are those of calls beside the load.
    /// </summary>
    public bool IsSlow(long number) => HasSlow && number > 0 && Mix((ulong)number + Seed) < SlowShare;

    /// <summary>A number from 0 to below 1 that looks random (the finalizer of SplitMix64).</summary>
    private static double Mix(ulong value)
    {
        value *= 0x9E37_79B9_7F4A_7C15;
        value = (value ^ value >> 30) * 0xBF58_476D_1CE4_E5B9;
        value = (value ^ value >> 27) * 0x94D0_49BB_1331_11EB;
        return ((value ^ value >> 31) >> 11) * (1.0 / (1UL << 53));
    }
}
