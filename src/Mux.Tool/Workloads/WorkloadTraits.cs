using System.Text.Json;

namespace Mux.Tool.Workloads;

/// <summary>What is the same for every run of a workload.</summary>
internal sealed record WorkloadTraits
{
    /// <summary>What a side of a bench takes as one message: the largest payload, and room for what stands around it.</summary>
    public const int MaxMessageBytes = LargestBulk + 1024;

    /// <summary>The most bytes of large messages open at a time on a connection: of the 64 MiB that a side keeps of incomplete ones.</summary>
    public const long MaxBulkInFlight = 60 << 20;

    // What was the largest before messages were cut into frames; larger ones are the workload bulk.
    private const int LargestEcho = 65_000;

    private const int LargestBulk = 16 << 20;

    // Where streams take no time to speak of per item, reading the clock for each would.
    private const int TimeFewItems = 16;

    /// <summary>What is counted and timed.</summary>
    public CountedUnit Unit { get; private init; } = CountedUnit.Call;

    /// <summary>Of what <c>--size</c> says; null if there is nothing to choose.</summary>
    public SizeRange? Size { get; private init; }

    /// <summary>Unless others are asked for, as the two that follow.</summary>
    public int Connections { get; private init; } = 1;

    public int InFlight { get; private init; } = 1;

    public int TimeEvery { get; private init; } = 1;

    /// <summary>Whether what is in flight are streams and not calls that are made one after the other.</summary>
    public bool IsStream { get; private init; }

    /// <summary>Items on their way at a time on a stream that gives each back, unless others are asked for; null where no stream does.</summary>
    public int? Window { get; private init; }

    /// <summary>Whether the rate is told in bytes, too.</summary>
    public bool IsBulk { get; private init; }

    /// <summary>Whether large replies run beside the calls that are counted.</summary>
    public bool IsMixed { get; private init; }

    /// <summary>Whether all calls are alike, and each ends: such can have a deadline and be cancelled, and a server can let their handlers work.</summary>
    public bool IsCallsAlone => !IsStream && !IsMixed;

    public static WorkloadTraits Of(Workload workload) => workload switch
    {
        Workload.Echo => new() { Connections = 10, InFlight = 200, Size = new(64, 0, LargestEcho) },
        Workload.ServerStream or Workload.ClientStream => new() { Unit = CountedUnit.Item, IsStream = true, TimeEvery = TimeFewItems },
        Workload.Duplex => new() { Unit = CountedUnit.Pair, IsStream = true, Window = 200 },
        Workload.Bulk => new() { IsBulk = true, InFlight = 4, Size = new(1 << 20, EchoNumber.Length, LargestBulk) },
        Workload.BulkStream => new() { IsBulk = true, IsStream = true, Unit = CountedUnit.Pair, Window = 16, Size = new(64 << 10, EchoNumber.Length, 1 << 20) },
        Workload.Mixed => new() { IsMixed = true, Size = new(4 << 20, 1, LargestBulk) },
        _ => new() { Connections = 10, InFlight = 200 },
    };

    /// <summary>The value of <c>--workload</c>.</summary>
    public static string NameOf(Workload workload) => JsonNamingPolicy.KebabCaseLower.ConvertName(workload.ToString());

    /// <summary>The names of those that have something, for a message.</summary>
    public static string Names(Func<WorkloadTraits, bool> with) => Join([.. Enum.GetValues<Workload>().Where(workload => with(Of(workload))).Select(NameOf)]);

    private static string Join(string[] names) => names.Length == 1 ? names[0] : $"{string.Join(", ", names[..^1])} and {names[^1]}";
}
