namespace Mux.Transports.BeetleX.Tests;

internal sealed class EchoService : IEcho
{
    public ValueTask<byte[]> EchoAsync(byte[] bytes) => new(bytes);
}
