namespace Mux.Connections;

/// <summary>A large request that came in fragments, on its way to the thread that decodes and runs it.</summary>
internal sealed class LargeRequest(InboundCall call, PartialMessage message) : IThreadPoolWorkItem
{
    void IThreadPoolWorkItem.Execute()
    {
        if (!call.TryFailAbandoned())
        {
            message.Lend();
            call.Method.Invoke(call, message.Body);
        }

        message.Return();
    }
}
