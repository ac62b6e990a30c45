using Mux.Buffers;

namespace Mux.Connections;

/// <summary>A request that was parked, on its way to the thread that decodes and runs it.</summary>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length) : CallWork(call)
{
    public override void Execute()
    {
        Call.Acceptor.Work.Add(Call.Acceptor); // for the next one: now, because a thread is there, and not behind the handler, which may block
        if (!Call.TryFailAbandoned()) Call.Method.Invoke(Call, body.AsSpan(0, length));
        Release();
    }

    protected override void Release() => BufferPool.Return(body);
}
