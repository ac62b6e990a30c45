namespace Evidence.Bursts;

/// <summary>Takes and gives large messages.</summary>
[MuxService("evidence.Burst")]
public interface IBurst
{
    /// <summary>Keeps a request for a time, and answers with so many bytes.</summary>
    ValueTask<byte[]> Exchange(byte[] request, int reply, int keepMilliseconds, CancellationToken cancellationToken = default);
}
