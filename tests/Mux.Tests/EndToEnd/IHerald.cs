namespace Mux.Tests.EndToEnd;

/// <summary>Streams with metadata ahead of it and behind it.</summary>
[MuxService("test.Herald")]
public interface IHerald
{
    /// <param name="count">Number of items.</param>
    /// <param name="size">Bytes of each.</param>
    /// <param name="ahead">Bytes of the metadata that is added before the first item.</param>
    /// <param name="fails">Whether the stream ends with a failure.</param>
    /// <param name="options">Of the call.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    IAsyncEnumerable<byte[]> Proclaim(
        int count, int size, int ahead = 1, bool fails = false, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
