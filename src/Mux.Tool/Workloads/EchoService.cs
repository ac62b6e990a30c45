namespace Mux.Tool.Workloads;

internal sealed class EchoService : IEcho
{
    public ValueTask<byte[]> EchoAsync(byte[] payload) => new(payload);
}
