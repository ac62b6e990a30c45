using Mux.Contracts;
using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>A method whose requests the test answers: at once by <see cref="Handler"/>, or later from <see cref="Pending"/>.</summary>
internal sealed class ProbeMethod(MethodDescriptor descriptor) : InboundMethod
{
    public override MethodDescriptor Descriptor => descriptor;

    /// <summary>Requests seen, in order.</summary>
    public List<byte[]> Bodies { get; } = [];

    /// <summary>Requests not answered by <see cref="Handler"/>.</summary>
    public List<InboundCall> Pending { get; } = [];

    /// <summary>Tokens of the requests in <see cref="Pending"/>, if the method takes one.</summary>
    public List<InboundCancellation> Tokens { get; } = [];

    /// <summary>What came of the request streams of its calls, in order of the requests.</summary>
    public List<ProbeItems> Items { get; } = [];

    public override MethodShape Streams => descriptor.Shape & MethodShape.Duplex;

    /// <summary>Answers in the turn; null leaves requests pending.</summary>
    public Func<byte[], byte[]>? Handler { get; set; }

    public override IInboundItems OpenItems(in InboundCall call)
    {
        var items = new ProbeItems();
        Items.Add(items);
        return items;
    }

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var copy = body.ToArray();
        Bodies.Add(copy);
        if (Handler is not { } handler)
        {
            Pending.Add(call with { InTurn = false });
            if (descriptor.TakesToken) Tokens.Add(call.OpenCancellation());
        }
        else if (call.InTurn)
        {
            var writer = call.BeginReply();
            writer.Write(handler(copy));
            call.CommitReply(ref writer);
        }
        else
        {
            call.Reply(handler(copy));
        }
    }
}
