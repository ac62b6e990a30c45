using System.Runtime.Serialization;

namespace Evidence.Groups;

/// <summary>What the members of the group serve.</summary>
[MuxService("evidence.Member")]
public interface IMember
{
    /// <summary>Gets 64 bytes that begin with the time of the call.</summary>
    [MuxMethod(OneWay = true)]
    ValueTask Hear(byte[] news);
}

/// <summary>A server whose other clients are the members of a group.</summary>
[MuxService("evidence.GroupHost")]
public interface IGroupHost
{
    /// <summary>Takes all clients but the caller into the group.</summary>
    /// <returns>Number of members.</returns>
    ValueTask<int> Gather(MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Calls the group for some time.</summary>
    /// <param name="seconds">The time.</param>
    /// <param name="perSecond">Calls per second; 0 for as many as the members answer.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    ValueTask<GroupUsage> Call(double seconds, int perSecond, CancellationToken cancellationToken = default);
}

/// <summary>What the server has done and used meanwhile.</summary>
[DataContract]
public sealed record GroupUsage
{
    [DataMember(Order = 1)]
    public long Calls { get; set; }

    [DataMember(Order = 2)]
    public long Delivered { get; set; }

    [DataMember(Order = 3)]
    public long Missed { get; set; }

    [DataMember(Order = 4)]
    public long Sends { get; set; }

    [DataMember(Order = 5)]
    public long Bytes { get; set; }

    [DataMember(Order = 6)]
    public double ProcessorMicroseconds { get; set; }

    [DataMember(Order = 7)]
    public double Seconds { get; set; }

    /// <summary>Microseconds of the calls themselves, all together.</summary>
    [DataMember(Order = 8)]
    public double CallMicroseconds { get; set; }
}
