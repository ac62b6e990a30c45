using Mux.Execution;

namespace Mux.Connections;

/// <summary>A request on its way to the thread that decodes and runs it.</summary>
internal abstract class CallWork(InboundCall call) : IWork
{
    string IWork.Name => call.Method.Descriptor?.FullName ?? "an unknown method";

    IWorkOwner IWork.Owner => call.Acceptor.Connection.Owner;

    bool IWork.IsAbandoned => call.IsAbandoned;

    protected InboundCall Call => call;

    public abstract void Execute();

    /// <inheritdoc/>
    public void Refuse()
    {
        call.Method.Refuse(call);
        Release();
    }

    /// <summary>Gives back what it holds.</summary>
    protected abstract void Release();
}
