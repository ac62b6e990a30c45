using Mux.Runtime;

namespace Mux.Engine;

/// <summary>A request on its way to the thread that decodes and runs it.</summary>
internal abstract class CallWork(InboundCall call) : IWork, IDeferredRequest
{
    string IWork.Name => call.Method.Descriptor?.FullName ?? "an unknown method";

    IWorkOwner IWork.Owner => call.Session.WorkOwner;

    IWorkClock? IWork.Clock => call.WorkClock;

    long IDeferredRequest.Due => call.Due;

    protected InboundCall Call => call;

    public bool IsAbandoned(long now) => call.IsAbandonedAt(now);

    public virtual void Execute()
    {
        if (!call.Replies.Room.TryDefer(this)) Run();
    }

    public void Resume()
    {
        if (!call.Method.TryQueue(call, this, Length)) Release(); // if not queued, it is answered
    }

    public void Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        Release();
    }

    /// <inheritdoc/>
    public virtual void Refuse()
    {
        call.Method.Refuse(call);
        Release();
    }

    /// <summary>Length of the body in bytes.</summary>
    public abstract int Length { get; }

    /// <summary>Runs the handler, or answers the call if its caller has abandoned it.</summary>
    protected abstract void Run();

    /// <summary>Releases the memory of the request.</summary>
    protected abstract void Release();
}
