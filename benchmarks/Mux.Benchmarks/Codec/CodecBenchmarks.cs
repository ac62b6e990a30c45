#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using Mux.Generated.Mux_Benchmarks;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec;

/// <summary>The generated codec of both messages beside the reference, and as the engine reaches it; decoding allocates the message and its strings.</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class CodecBenchmarks
{
    private const string WriteRequest = "encode request";
    private const string WriteReply = "encode reply";
    private const string ReadRequest = "decode request";
    private const string ReadReply = "decode reply";

    private readonly CodecOf _codec = CodecOf.Generated();
    private readonly MessageBuffer _overflow = new();
    private readonly byte[] _buffer = new byte[CodecSamples.BufferSize];
    private readonly SearchEmployee _request = CodecSamples.Request;
    private readonly Employee _reply = CodecSamples.Reply;
    private readonly byte[] _encodedRequest = CodecSamples.EncodedRequest();
    private readonly byte[] _encodedReply = CodecSamples.EncodedReply();

    [Benchmark(Baseline = true), BenchmarkCategory(WriteRequest)]
    public int EncodeRequestByHand() => HandWrittenCodec.Encode(_request, _buffer);

    [Benchmark, BenchmarkCategory(WriteRequest)]
    public int EncodeRequest()
    {
        var writer = new MessageWriter(_buffer, _overflow);
        Mux_Benchmarks_SearchEmployee_Codec.Write(ref writer, _request);
        return writer.Count;
    }

    [Benchmark, BenchmarkCategory(WriteRequest)]
    public int EncodeRequestAsEngine() => _codec.EncodeRequest(_buffer, _request, _overflow);

    [Benchmark(Baseline = true), BenchmarkCategory(WriteReply)]
    public int EncodeReplyByHand() => HandWrittenCodec.Encode(_reply, _buffer);

    [Benchmark, BenchmarkCategory(WriteReply)]
    public int EncodeReply()
    {
        var writer = new MessageWriter(_buffer, _overflow);
        Mux_Benchmarks_Employee_Codec.Write(ref writer, _reply);
        return writer.Count;
    }

    [Benchmark, BenchmarkCategory(WriteReply)]
    public int EncodeReplyAsEngine() => _codec.EncodeResponse(_buffer, _reply, _overflow);

    [Benchmark(Baseline = true), BenchmarkCategory(ReadRequest)]
    public SearchEmployee DecodeRequestByHand() => HandWrittenCodec.DecodeRequest(_encodedRequest);

    [Benchmark, BenchmarkCategory(ReadRequest)]
    public SearchEmployee DecodeRequest() => Mux_Benchmarks_SearchEmployee_Codec.Read(_encodedRequest);

    [Benchmark, BenchmarkCategory(ReadRequest)]
    public SearchEmployee DecodeRequestAsEngine() => _codec.DecodeRequest(_encodedRequest);

    [Benchmark(Baseline = true), BenchmarkCategory(ReadReply)]
    public Employee DecodeReplyByHand() => HandWrittenCodec.DecodeReply(_encodedReply);

    [Benchmark, BenchmarkCategory(ReadReply)]
    public Employee DecodeReply() => Mux_Benchmarks_Employee_Codec.Read(_encodedReply);

    [Benchmark, BenchmarkCategory(ReadReply)]
    public Employee DecodeReplyAsEngine() => _codec.DecodeResponse(_encodedReply);
}
