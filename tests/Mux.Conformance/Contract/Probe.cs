using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Contract;

/// <summary>What the server of the suite does.</summary>
public sealed class Probe : IProbe
{
    /// <summary>Streams of bytes that were given to callers and are disposed.</summary>
    public Counter Downloads { get; } = new("downloads that were disposed");

    public ValueTask<Payload> Echo(Payload payload, CancellationToken cancellationToken) => new(payload);

    public ValueTask<Payload> EchoSmall(Payload payload, CancellationToken cancellationToken) => new(payload);

    public IAsyncEnumerable<Payload> ExchangeSmall(IAsyncEnumerable<Payload> payloads, CancellationToken cancellationToken) => payloads;

    public ValueTask<Blank> Empty(Blank blank, CancellationToken cancellationToken) => new(blank);

    public IAsyncEnumerable<Blank> EmptyExchange(IAsyncEnumerable<Blank> blanks, CancellationToken cancellationToken) => blanks;

    public async IAsyncEnumerable<Payload> Count(int items, int size, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int i = 0; i < items; i++)
        {
            if (i % 100 == 99) await Task.Yield();
            yield return new Payload { Number = i, Body = new byte[size] };
        }
    }

    public async ValueTask<long> Sum(IAsyncEnumerable<Payload> payloads, CancellationToken cancellationToken)
    {
        long sum = 0;
        await foreach (var payload in payloads.WithCancellation(cancellationToken)) sum += payload.Body.Length;
        return sum;
    }

    public async IAsyncEnumerable<Payload> Exchange(IAsyncEnumerable<Payload> payloads, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var payload in payloads.WithCancellation(cancellationToken)) yield return payload;
    }

    public ChannelReader<Payload> ExchangeByChannel(ChannelReader<Payload> payloads, CancellationToken cancellationToken) => payloads;

    public ValueTask<Stream> Download(long length, CancellationToken cancellationToken) => new(new ZeroStream(length, Downloads));

    public async ValueTask<long> Upload(PipeReader content, CancellationToken cancellationToken)
    {
        long sum = 0;
        while (true)
        {
            var result = await content.ReadAsync(cancellationToken);
            sum += result.Buffer.Length;
            content.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted) return sum;
        }
    }
}
