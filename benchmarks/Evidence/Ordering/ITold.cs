using System.Runtime.Serialization;

namespace Evidence.Ordering;

/// <summary>One-way calls of keys; each says which one of its key it is.</summary>
[MuxService("evidence.Told", Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 60_000)]
public interface ITold
{
    [MuxMethod(OneWay = true)]
    ValueTask Tell([MuxKey] int key, int number);

    /// <returns>Number of calls of the key that ran before this one.</returns>
    ValueTask<int> Ran([MuxKey] int key);

    /// <returns>What all keys together have seen.</returns>
    ValueTask<ToldCounts> Count([MuxKey] int key);
}

[DataContract]
public sealed class ToldCounts
{
    [DataMember(Order = 1)]
    public int OutOfOrder { get; set; }

    /// <summary>Connections that were accepted.</summary>
    [DataMember(Order = 2)]
    public int Connections { get; set; }
}
