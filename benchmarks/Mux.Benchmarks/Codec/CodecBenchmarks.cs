using BenchmarkDotNet.Attributes;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec;

/// <summary>The generated codec of both messages; decoding allocates the message and its strings.</summary>
[MemoryDiagnoser]
public class CodecBenchmarks
{
    private readonly CodecOf _codec = CodecOf.Generated();
    private readonly MessageBuffer _overflow = new();
    private readonly byte[] _buffer = new byte[256];
    private readonly SearchEmployee _request = new() { Id = 1, RequestTime = 12345.678 };
    private readonly Employee _response = Employee.Example(12345.678);
    private byte[] _encodedRequest = [];
    private byte[] _encodedResponse = [];

    [GlobalSetup]
    public void Setup()
    {
        _encodedRequest = _buffer[..EncodeRequest()];
        _encodedResponse = _buffer[..EncodeResponse()];
    }

    [Benchmark]
    public int EncodeRequest() => _codec.EncodeRequest(_buffer, _request, _overflow);

    [Benchmark]
    public SearchEmployee DecodeRequest() => _codec.DecodeRequest(_encodedRequest);

    [Benchmark]
    public int EncodeResponse() => _codec.EncodeResponse(_buffer, _response, _overflow);

    [Benchmark]
    public Employee DecodeResponse() => _codec.DecodeResponse(_encodedResponse);
}
