using BenchmarkDotNet.Running;
using Mux.Benchmarks.Calls;
using Mux.Benchmarks.Codec;
using Mux.Benchmarks.Codec.Table;

// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- --filter '*'
// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- table: the table of codecs in benchmarks/README.md; Mux.Benchmarks.ProtobufNet adds protobuf-net
// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- turns: every library of the table in turns with the hand-written codec
// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- codec: the reference codec (A) and the generated one (B) in turns
// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- filters: what filters add to a call
switch (args)
{
    case ["table"]:
        TableReport.Print(Console.Out);
        break;
    case ["turns"]:
        TableReport.PrintTurns(Console.Out);
        break;
    case ["codec"]:
        PairedRuns.Print(HandWrittenLoops.All, GeneratedLoops.All, Console.Out);
        break;
    case ["filters"]:
        FilterRuns.Print(Console.Out);
        break;
    default:
        BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
        break;
}
