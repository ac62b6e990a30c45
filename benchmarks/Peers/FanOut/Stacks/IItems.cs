namespace FanOut.Stacks;

/// <summary>A topic without a key.</summary>
[MuxService("fanout.Items")]
public interface IItems
{
    IAsyncEnumerable<byte[]> Watch(CancellationToken cancellationToken = default);
}
