using System.Runtime.Serialization;

namespace Evidence.Ordering;

/// <summary>The same work in no order, in the order of its keys, and in batches.</summary>
[MuxService("evidence.Orderly", TimeoutMilliseconds = 30_000)]
public interface IOrderly
{
    ValueTask<OrderReply> Plain(OrderRequest request);

    [MuxMethod(Dispatch = MuxDispatchMode.Ordered)]
    ValueTask<OrderReply> Ordered(OrderRequest request);

    [MuxMethod(Batched = 1_024)]
    ValueTask<OrderReply> Together(OrderRequest request);

    /// <returns>Processor time of the server so far, in microseconds.</returns>
    ValueTask<double> ProcessorTime();
}

[DataContract]
public sealed class OrderRequest
{
    [DataMember(Order = 1), MuxKey]
    public int Key { get; set; }

    [DataMember(Order = 2)]
    public long Number { get; set; }
}

[DataContract]
public sealed class OrderReply
{
    [DataMember(Order = 1)]
    public long Number { get; set; }
}
