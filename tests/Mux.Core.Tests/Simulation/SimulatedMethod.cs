using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Simulation;

/// <summary>A method of the simulation: notes that it ran, and answers with the nonce of its request.</summary>
internal sealed class SimulatedMethod(SimulatedSide side, MethodDescriptor descriptor, SimulatedBehaviour behaviour) : InboundMethod
{
    private readonly List<Started> _started = [];
    private readonly List<(InboundCall Call, long Nonce)> _queued = [];

    public override MethodDescriptor Descriptor => descriptor;

    /// <summary>Requests that wait for <see cref="Step"/>.</summary>
    public int Waiting => _started.Count + _queued.Count;

    /// <summary>Handlers that run and whose token fired.</summary>
    public int CancelledHandlers => _started.Count(started => started.Cancellation?.Token.IsCancellationRequested == true);

    public int RunningHandlersWithToken => _started.Count(started => started.Cancellation is not null);

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        long nonce = BinaryPrimitives.ReadInt64LittleEndian(body);
        switch (behaviour)
        {
            case SimulatedBehaviour.Pooled:
                _queued.Add((call with { InTurn = false }, nonce));
                return;
            case SimulatedBehaviour.Later or SimulatedBehaviour.LaterWithToken:
                side.History.OnExecuted(nonce);
                var cancellation = descriptor.TakesToken ? call.OpenCancellation() : null;
                _started.Add(new Started(call with { InTurn = false }, nonce, cancellation));
                return;
            case SimulatedBehaviour.Fails:
                side.History.OnExecuted(nonce);
                call.Fail(MuxStatus.NotFound, MuxExecution.Executed, "There is no such thing.");
                return;
            default:
                side.History.OnExecuted(nonce);
                side.OnUserCode();
                Answer(call, nonce);
                return;
        }
    }

    /// <summary>Lets one waiting request go on.</summary>
    public void Step(Random random)
    {
        int at = random.Next(Waiting);
        if (at < _started.Count)
        {
            var started = _started[at];
            _started.RemoveAt(at);
            Answer(started.Call, started.Nonce);
            started.Cancellation?.Release();
            return;
        }

        var (call, nonce) = _queued[at - _started.Count];
        _queued.RemoveAt(at - _started.Count);
        if (call.TryFailAbandoned()) return;
        side.History.OnExecuted(nonce);
        Answer(call, nonce);
    }

    private void Answer(in InboundCall call, long nonce)
    {
        var reply = new byte[side.ReplyLength()];
        BinaryPrimitives.WriteInt64LittleEndian(reply, nonce);
        if (call.InTurn)
        {
            var writer = call.BeginReply();
            writer.Write(reply);
            call.CommitReply(ref writer);
        }
        else
        {
            call.Reply(reply);
        }
    }

    private readonly record struct Started(InboundCall Call, long Nonce, InboundCancellation? Cancellation);
}
