using System.Diagnostics.Metrics;
using System.Security.Cryptography;
using Mux.Backplanes;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>What the groups of one object of the user share.</summary>
/// <param name="Methods">The methods that they call.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="FanOut">Sends to many members.</param>
internal sealed record GroupKind(GroupMethods Methods, GroupCounters Counters, FanOut FanOut)
{
    public const long DefaultQueuedBytes = 1 << 20;

    public static TimeSpan DefaultWaitTimeout { get; } = TimeSpan.FromSeconds(5);

    /// <summary>The kind of the calls to one peer alone, which wait with those of its groups. No metric shows it.</summary>
    public static GroupKind Alone { get; } = new(GroupMethods.None, new GroupCounters(string.Empty), FanOut.OfProcess) { WaitTimeout = 0 };

    /// <summary>Carries calls to the members at other servers; null if all members are in this process.</summary>
    public GroupRelay? Relay { get; init; }

    /// <summary>Tells what comes from here from what comes from others.</summary>
    public ulong Origin { get; init; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>Bytes of calls that may wait for one member, without those whose callers wait; 0 if none may.</summary>
    public long QueuedBytes { get; init; } = DefaultQueuedBytes;

    public MuxSlowMember WhenSlow { get; init; }

    /// <summary>How long callers wait for a member whose queue is full, in microseconds.</summary>
    public long WaitTimeout { get; init; } = Clock.Microseconds(DefaultWaitTimeout);

    /// <summary>What the names of the groups begin with at all servers.</summary>
    public string Prefix => $"groups:{Counters.Name}:";

    /// <summary>Makes groups whose members serve a contract.</summary>
    /// <param name="name">Their name in metrics; empty for that of the contract.</param>
    /// <param name="meters">Makes the meters; null for those of the process.</param>
    /// <param name="backplane">Carries calls between servers; null if all members are in this process.</param>
    /// <exception cref="InvalidOperationException">The interface is no contract, or none of its methods is one-way.</exception>
    public static GroupKind Of<TService>(string name, IMeterFactory? meters, MuxBackplane? backplane = null)
        where TService : class
    {
        var methods = GroupMethods.Of<TService>();
        var counters = new GroupCounters(name.Length > 0 ? name : methods.Service);
        MuxMetrics.For(meters).Groups.Add(counters);
        return new GroupKind(methods, counters, FanOut.OfProcess) { Relay = backplane is null ? null : new BackplaneRelay(backplane) };
    }
}
