using Mux.Buffers;

namespace Mux.Sessions.Incoming;

/// <summary>
/// A request that was parked, on its way to the thread that decodes and runs it. Whatever becomes of it, the next one follows when it leaves its queue, and not
/// after the handler, which may block.
/// </summary>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length, IThreadPoolWorkItem next) : CallWork(call)
{
    private bool _hasCalledNext; // a request that has to wait again is executed twice, and would make two out of one row

    protected override int Length => length;

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
