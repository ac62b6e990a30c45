using Mux.Buffers;

namespace Mux.Sessions.Incoming;

/// <summary>
/// A parked request on its way to the thread that decodes and runs it. The next one is queued when this one leaves its queue, not after the handler, which may
/// block.
/// </summary>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length, IThreadPoolWorkItem next) : CallWork(call)
{
    private bool _hasCalledNext; // a request that must wait again is executed twice, and must not queue the next one twice

    public override int Length => length;

    public override void Execute()
    {
        CallNext();
        base.Execute();
    }

    public override void Refuse()
    {
        CallNext();
        base.Refuse();
    }

    protected override void Run()
    {
        if (!Call.TryFailAbandoned()) Call.Method.Invoke(Call, body.AsSpan(0, length));
        Release();
    }

    protected override void Release() => BufferPool.Return(body);

    private void CallNext()
    {
        if (_hasCalledNext) return;
        _hasCalledNext = true;
        Call.Session.Options.Work.Add(next);
    }
}
