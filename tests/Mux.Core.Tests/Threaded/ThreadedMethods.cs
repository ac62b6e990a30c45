using System.Buffers.Binary;
using System.Collections.Concurrent;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Threaded;

/// <summary>A method that answers in the turn and one that answers on the thread pool; both note what ran.</summary>
internal sealed class ThreadedMethods : IMethodResolver
{
    private readonly ConcurrentDictionary<long, int> _executions = new();

    public static MethodDescriptor InTurn { get; } = new("threaded", "InTurn", MethodShape.Unary, takesToken: false);

    public static MethodDescriptor OnPool { get; } = new("threaded", "OnPool", MethodShape.Unary, takesToken: true);

    public int ExecutionsOf(long nonce) => _executions.GetValueOrDefault(nonce);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) => new Method(this, name.SequenceEqual(InTurn.Utf8Name.Span) ? InTurn : OnPool);

    private void Execute(in InboundCall call, long nonce)
    {
        _executions.AddOrUpdate(nonce, 1, static (_, count) => count + 1);
        Span<byte> reply = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(reply, nonce);
        if (!call.InTurn)
        {
            call.Reply(reply);
            return;
        }

        var writer = call.BeginReply();
        reply.CopyTo(writer.GetSpan(reply.Length));
        writer.Advance(reply.Length);
        call.CommitReply(ref writer);
    }

    private sealed class Method(ThreadedMethods methods, MethodDescriptor descriptor) : InboundMethod
    {
        public override MethodDescriptor Descriptor => descriptor;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            long nonce = BinaryPrimitives.ReadInt64LittleEndian(body);
            if (descriptor == InTurn)
            {
                methods.Execute(call, nonce);
                return;
            }

            ThreadPool.UnsafeQueueUserWorkItem(RunLate, (methods, call with { InTurn = false }, nonce), preferLocal: false);
        }

        private static void RunLate((ThreadedMethods Methods, InboundCall Call, long Nonce) late)
        {
            if (late.Call.TryFailAbandoned()) return;
            var cancellation = late.Call.OpenCancellation();
            late.Methods.Execute(late.Call, late.Nonce);
            cancellation.Release();
        }
    }
}
