namespace Mux.Transports.BeetleX.Tests;

/// <summary>Returns what it gets.</summary>
[MuxService("echo")]
public interface IEcho
{
    ValueTask<byte[]> EchoAsync(byte[] bytes);
}
