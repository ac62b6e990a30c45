using Mux.Contracts;
using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Spec.Engine;

/// <summary>A method of the peer: answers with what it is sent, or when its call is cancelled.</summary>
internal sealed class EngineMethod(MethodDescriptor descriptor, bool answersAtOnce) : InboundMethod
{
    public override MethodDescriptor Descriptor => descriptor;

    public override MethodShape Streams => descriptor.Shape & MethodShape.Duplex;

    public override IInboundItems OpenItems(in InboundCall call) => new ProbeItems();

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (!answersAtOnce)
        {
            WaitForCancellation(call with { InTurn = false });
        }
        else if (call.InTurn)
        {
            var writer = call.BeginReply();
            writer.Write(body);
            call.CommitReply(ref writer);
        }
        else
        {
            call.Reply(body);
        }
    }

    private static void WaitForCancellation(InboundCall call)
    {
        var cancellation = call.OpenCancellation();
        cancellation.Token.UnsafeRegister(_ => ThreadPool.UnsafeQueueUserWorkItem(_ => Answer(call, cancellation), null), null); // not while the source is still at it
    }

    private static void Answer(InboundCall call, InboundCancellation cancellation)
    {
        call.Reply([]);
        cancellation.Release();
    }
}
