namespace Mux.Tool.Workloads;

/// <param name="work">Additional work of its handlers; null for none.</param>
internal sealed class EchoService(HandlerWork? work = null) : IEcho
{
    public ValueTask<byte[]> EchoAsync(byte[] payload, CancellationToken cancellationToken = default) =>
        work is null ? new(payload) : EchoAfterAsync(work, payload);

    private static async ValueTask<byte[]> EchoAfterAsync(HandlerWork work, byte[] payload)
    {
        await work.DoAsync(EchoNumber.Read(payload)).ConfigureAwait(false);
        return payload;
    }
}
