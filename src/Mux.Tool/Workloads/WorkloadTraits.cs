using System.Text.Json;

namespace Mux.Tool.Workloads;

/// <summary>Properties common to all runs of a workload.</summary>
internal sealed record WorkloadTraits
{
    /// <summary>Maximum message that a side of a bench accepts: the largest payload, with room for what surrounds it.</summary>
    public const int MaxMessageBytes = LargestBulk + 1024;

    /// <summary>Maximum size of concurrent large messages per connection: of the 64 MiB of incomplete ones that a side keeps.</summary>
    public const long MaxBulkInFlight = 60 << 20;

    // The maximum before messages were sent in fragments; larger ones are the workload bulk.
    private const int LargestEcho = 65_000;

    private const int LargestBulk = 16 << 20;

    // A service does work, and may be one in use: as many concurrent calls as ghz makes unless it is told otherwise.
    private const int FewInFlight = 5;

    // If streams take hardly any time per item, reading the clock for each would matter.
    private const int TimeFewItems = 16;

    /// <summary>Counted and timed unit.</summary>
    public CountedUnit Unit { get; private init; } = CountedUnit.Call;

    /// <summary>Sizes that <c>--size</c> allows; null if there is no choice.</summary>
    public SizeRange? Size { get; private init; }

    /// <summary>Default number of connections.</summary>
    public int Connections { get; private init; } = 1;

    public int InFlight { get; private init; } = 1;

    public int TimeEvery { get; private init; } = 1;

    /// <summary>True if streams are in flight, rather than successive calls.</summary>
    public bool IsStream { get; private init; }

    /// <summary>Default number of concurrent items on a stream that returns each of them; null if no stream does.</summary>
    public int? Window { get; private init; }

    /// <summary>True if the rate is also reported in bytes.</summary>
    public bool IsBulk { get; private init; }

    /// <summary>True if large replies run in addition to the counted calls.</summary>
    public bool IsMixed { get; private init; }

    /// <summary>
    /// True if all calls are alike and each ends: such calls can have a deadline and be cancelled, and a server can make their handlers work.
    /// </summary>
    public bool IsCallsAlone => !IsStream && !IsMixed;

    /// <summary>The values of <c>--workload</c>: what <c>mux serve</c> serves.</summary>
    public static Workload[] Own { get; } = [.. Enum.GetValues<Workload>().Where(workload => workload != Workload.Method)];

    public static WorkloadTraits Of(Workload workload) => workload switch
    {
        Workload.Echo => new() { Connections = 10, InFlight = 200, Size = new(64, 0, LargestEcho) },
        Workload.ServerStream or Workload.ClientStream => new() { Unit = CountedUnit.Item, IsStream = true, TimeEvery = TimeFewItems },
        Workload.Duplex => new() { Unit = CountedUnit.Pair, IsStream = true, Window = 200 },
        Workload.Bulk => new() { IsBulk = true, InFlight = 4, Size = new(1 << 20, EchoNumber.Length, LargestBulk) },
        Workload.BulkStream => new() { IsBulk = true, IsStream = true, Unit = CountedUnit.Pair, Window = 16, Size = new(64 << 10, EchoNumber.Length, 1 << 20) },
        Workload.Method => new() { Connections = 10, InFlight = FewInFlight },
        Workload.Mixed => new() { IsMixed = true, Size = new(4 << 20, 1, LargestBulk) },
        _ => new() { Connections = 10, InFlight = 200 },
    };

    /// <summary>Gets the value of <c>--workload</c>.</summary>
    public static string NameOf(Workload workload) => JsonNamingPolicy.KebabCaseLower.ConvertName(workload.ToString());

    /// <summary>Gets the names of workloads with a property, for a message.</summary>
    public static string Names(Func<WorkloadTraits, bool> with) => Join([.. Own.Where(workload => with(Of(workload))).Select(NameOf)]);

    private static string Join(string[] names) => names.Length == 1 ? names[0] : $"{string.Join(", ", names[..^1])} and {names[^1]}";
}
