using Mux.Buffers;

namespace Mux.Connections;

/// <summary>A request that was parked, on its way to the thread that decodes and runs it. Whatever becomes of it, the next one follows when it leaves its queue, and not after the handler, which may block.</summary>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length) : CallWork(call)
{
    protected override int Length => length;

    public override void Execute()
    {
        Call.Acceptor.Work.Add(Call.Acceptor.Parking);
        base.Execute();
    }

    public override void Refuse()
    {
        Call.Acceptor.Work.Add(Call.Acceptor.Parking);
        base.Refuse();
    }

    protected override void Run()
    {
        if (!Call.TryFailAbandoned()) Call.Method.Invoke(Call, body.AsSpan(0, length));
        Release();
    }

    protected override void Release() => BufferPool.Return(body);
}
