namespace Evidence.Bursts;

/// <summary>Takes and gives large messages, and takes small calls that wait.</summary>
[MuxService("evidence.Burst")]
public interface IBurst
{
    /// <summary>Keeps a request for a time, and answers with so many bytes.</summary>
    ValueTask<byte[]> Exchange(byte[] request, int reply, int keepMilliseconds, CancellationToken cancellationToken = default);

    /// <summary>Answers when the burst is complete: a small call to a slow handler.</summary>
    ValueTask<int> Wait(int number, CancellationToken cancellationToken = default);
}
