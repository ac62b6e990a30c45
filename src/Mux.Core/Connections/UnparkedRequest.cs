using Mux.Buffers;

namespace Mux.Connections;

/// <summary>A request that was parked, on its way to the thread that decodes and runs it.</summary>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length) : IThreadPoolWorkItem
{
    void IThreadPoolWorkItem.Execute()
    {
        call.Acceptor.Work.Add(call.Acceptor); // for the next one: now, because a thread is there, and not behind the handler, which may block
        if (!call.TryFailAbandoned()) call.Method.Invoke(call, body.AsSpan(0, length));
        BufferPool.Return(body);
    }
}
