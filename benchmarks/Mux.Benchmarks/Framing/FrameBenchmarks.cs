using BenchmarkDotNet.Attributes;
using Mux.Protocol;

namespace Mux.Benchmarks.Framing;

/// <summary>Frames alone: 200 requests of the seed written to and read from one buffer; figures per frame.</summary>
[MemoryDiagnoser]
public class FrameBenchmarks
{
    private const int Frames = 200;

    private readonly byte[] _buffer = new byte[64 * 1024];
    private readonly byte[] _body = new byte[11];
    private int _length;

    [GlobalSetup]
    public void Setup() => _length = Write();

    [Benchmark(OperationsPerInvoke = Frames)]
    public int Write()
    {
        int at = 0;
        for (int slot = 1; slot <= Frames; slot++)
            at += FrameWriter.Request(_buffer.AsSpan(at), new CallId(slot, 1), new RequestHead(0, RequestOptions.None, 0), _body);
        return at;
    }

    [Benchmark(OperationsPerInvoke = Frames)]
    public int Read()
    {
        int sum = 0;
        for (var rest = _buffer.AsSpan(0, _length); FrameReader.Read(rest, ProtocolConstants.MaxFramePayload, out var header, out _) == FrameReadResult.Frame;)
        {
            RequestHead.TryRead(rest.Slice(FrameHeader.Size, header.Length), out var head, out _);
            sum += header.Id.Slot + head.Ordinal;
            rest = rest[(FrameHeader.Size + header.Length)..];
        }

        return sum;
    }
}
