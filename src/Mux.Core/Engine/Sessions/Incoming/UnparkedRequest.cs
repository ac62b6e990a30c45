using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// A parked request on its way to the thread that decodes and runs it. The last one of those that are queued together calls the next ones when it leaves its
/// queue, not after the handler, which may block.
/// </summary>
/// <param name="call">The call.</param>
/// <param name="body">The array of the request, which this object returns.</param>
/// <param name="length">Length of the request in bytes.</param>
/// <param name="next">Starts the next requests; null if another one of those that are queued with this one does so.</param>
internal sealed class UnparkedRequest(InboundCall call, byte[] body, int length, IThreadPoolWorkItem? next) : CallWork(call)
{
    private IThreadPoolWorkItem? _next = next; // null when it is called: a request that must wait again is executed twice

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
        if (_next is not { } next) return;
        _next = null;
        Call.Session.Options.Work.Add(next);
    }
}
