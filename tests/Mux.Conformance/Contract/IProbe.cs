using System.IO.Pipelines;
using System.Threading.Channels;

namespace Mux.Conformance.Contract;

/// <summary>Every kind of call.</summary>
[MuxService("conformance.Probe")]
public interface IProbe
{
    /// <summary>Gives back what it was given.</summary>
    ValueTask<Payload> Echo(Payload payload, CancellationToken cancellationToken = default);

    /// <summary>The same, with a limit of its own.</summary>
    [MuxMethod(MaxMessageBytes = 1_000)]
    ValueTask<Payload> EchoSmall(Payload payload, CancellationToken cancellationToken = default);

    /// <summary>Gives back each as it comes, with a limit of its own.</summary>
    [MuxMethod(MaxMessageBytes = 1_000)]
    IAsyncEnumerable<Payload> ExchangeSmall(IAsyncEnumerable<Payload> payloads, CancellationToken cancellationToken = default);

    /// <summary>A request and a reply without a byte.</summary>
    ValueTask<Blank> Empty(Blank blank, CancellationToken cancellationToken = default);

    /// <summary>Gives back each as it comes, without a byte.</summary>
    IAsyncEnumerable<Blank> EmptyExchange(IAsyncEnumerable<Blank> blanks, CancellationToken cancellationToken = default);

    /// <summary>So many payloads of a size, numbered from 0.</summary>
    IAsyncEnumerable<Payload> Count(int items, int size, CancellationToken cancellationToken = default);

    /// <summary>How many bytes came.</summary>
    ValueTask<long> Sum(IAsyncEnumerable<Payload> payloads, CancellationToken cancellationToken = default);

    /// <summary>Gives back each as it comes.</summary>
    IAsyncEnumerable<Payload> Exchange(IAsyncEnumerable<Payload> payloads, CancellationToken cancellationToken = default);

    /// <summary>The same as a channel.</summary>
    ChannelReader<Payload> ExchangeByChannel(ChannelReader<Payload> payloads, CancellationToken cancellationToken = default);

    /// <summary>So many bytes.</summary>
    ValueTask<Stream> Download(long length, CancellationToken cancellationToken = default);

    /// <summary>How many bytes came.</summary>
    ValueTask<long> Upload(PipeReader content, CancellationToken cancellationToken = default);
}
