using BenchmarkDotNet.Attributes;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>Every cell of the table.</summary>
[MemoryDiagnoser]
public class CodecTable
{
    private const int Operations = 64;

    private CodecCase? _case;

    [ParamsSource(nameof(Messages))]
    public string Message { get; set; } = string.Empty;

    [ParamsSource(nameof(Libraries))]
    public string Library { get; set; } = string.Empty;

    public static IEnumerable<string> Messages => CodecCases.Messages;

    public static IEnumerable<string> Libraries => CodecCases.Libraries;

    [GlobalSetup]
    public void Find() => _case = CodecCases.Find(Message, Library);

    [Benchmark(OperationsPerInvoke = Operations)]
    public int Encode() => _case!.Encode.Run(Operations);

    [Benchmark(OperationsPerInvoke = Operations)]
    public int Decode() => _case!.Decode.Run(Operations);
}
