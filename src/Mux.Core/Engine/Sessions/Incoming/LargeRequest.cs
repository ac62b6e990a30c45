namespace Mux.Engine;

/// <summary>A large request that came in fragments, on its way to the thread that decodes and runs it.</summary>
internal sealed class LargeRequest(InboundCall call, PartialMessage message) : CallWork(call)
{
    public override int Length => message.Length;

    protected override void Run()
    {
        if (!Call.TryFailAbandoned())
        {
            message.Lend();
            Call.Method.Invoke(Call, message.Body);
        }

        Release();
    }

    protected override void Release() => message.Return();
}
