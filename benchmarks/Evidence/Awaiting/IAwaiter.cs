using System.Runtime.Serialization;

namespace Evidence.Awaiting;

/// <summary>Handlers that do not complete at once, and what they cost.</summary>
[MuxService("evidence.Awaiter")]
public interface IAwaiter
{
    /// <summary>Completes at once.</summary>
    ValueTask<int> Nothing(int number);

    /// <summary>Continues on the .NET thread pool.</summary>
    ValueTask<int> Yield(int number);

    /// <summary>Asks another process over a socket, as a database client does.</summary>
    ValueTask<int> RoundTrip(int number);

    /// <summary>What the process has used so far.</summary>
    ValueTask<AwaiterUsage> Usage();

    /// <summary>What such a handler costs without a call: as many loops as there are callers run it for a second.</summary>
    ValueTask<double> CostWithoutCall(AwaitedWork work, int callers);
}

/// <summary>What a handler awaits.</summary>
public enum AwaitedWork
{
    Nothing,
    Yield,
    RoundTrip,
}

/// <param name="Microseconds">Processor time of the server.</param>
/// <param name="Calls">Calls answered.</param>
/// <param name="Sends">Times that it has sent.</param>
[DataContract]
public sealed record AwaiterUsage(
    [property: DataMember(Order = 1)] double Microseconds,
    [property: DataMember(Order = 2)] long Calls,
    [property: DataMember(Order = 3)] long Sends);
